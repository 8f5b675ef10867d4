import { z } from 'zod';
import { nearestName } from '../../lib/text/nearest-name.ts';
import type { SourceAdapter } from '../../sources/source.ts';
import type { AnswerFault, Finding } from '../../sources/table-source.ts';
import { dotted, keyPath, type KeyPath, type Settings, valueAt } from '../../lib/settings.ts';

/**
 * Returns the faults in the user's settings that the source's own options show: keys that do not exist, values that do
 * not fit.
 *
 * @param options With the first reading of every open question: a missing answer is no fault.
 */
export function answerFaults(
  adapter: SourceAdapter,
  {
    options,
    answers,
    open,
  }: { readonly options: Settings; readonly answers: Settings; readonly open: readonly Finding[] },
): readonly AnswerFault[] {
  const { error } = adapter.options.safeParse(options);
  const unanswerable = open.filter(({ value, alternatives }) => value === undefined && alternatives.length === 0);
  return (error?.issues ?? []).flatMap((issue): AnswerFault[] => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(adapter, [...path, key]));
    const isUnfinished = unanswerable.some(({ key }) => isInside(keyPath(key), path));
    if (isUnfinished || valueAt(answers, path) === undefined) return [];
    return [{ key: dotted(path), reason: issue.message }];
  });
}

function unknownKey(adapter: SourceAdapter, path: KeyPath): AnswerFault {
  const key = path.at(-1)!;
  const meant = nearestName(key, listKeys(z.toJSONSchema(adapter.options, { io: 'input', unrepresentable: 'any' })));
  const instead = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  return { key: dotted(path), reason: `there is no key ${JSON.stringify(key)}${instead}` };
}

/** Every key of the options, however deep. */
function listKeys(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(listKeys)];
}

const isInside = (path: KeyPath, outer: KeyPath): boolean => outer.every((part, index) => path[index] === part);
