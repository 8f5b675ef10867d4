import { readFile } from 'node:fs/promises';
import { UsageError } from '../lib/errors.ts';
import { assertText, replaceFile } from '../lib/files/atomic-file.ts';
import { setValues } from '../lib/text/yaml-text.ts';
import type { KeyPath } from '../lib/settings.ts';
import type { ReadingRules } from '../mapping/rules.ts';
import { confirm, type DescribedReading, describeReading, keepBackUndecided } from '../decisions/reading.ts';
import { addDecisions } from '../report/decision-log.ts';
import { readTrust, trustFile } from '../config/trusted-files.ts';
import { exportAround } from '../lib/files/outside-exports.ts';
import type { PlanRequest } from './requests.ts';
import type { Session } from './session.ts';
import { userName } from '../lib/user-name.ts';

/**
 * Whether messages may be sent: the reading of the plan was confirmed by a person who has seen what becomes of the rows, or the request confirms
 * it. The confirmation is written into the mapping, and with who and when next to the store.
 */
export async function isReadingConfirmed(
  { store, clock, report }: Session,
  {
    confirmReading,
    askReading,
    decidedBy = userName(),
    mapping,
    from,
  }: Pick<PlanRequest, 'confirmReading' | 'askReading' | 'decidedBy' | 'mapping' | 'from'>,
): Promise<boolean> {
  // The plan of a store may have been confirmed since.
  if (mapping?.reading) store.facts.write('confirmed', JSON.stringify(mapping.reading));
  const described = describeReading(store);
  if (described === undefined) return true;
  const { digest, stops, keepsBack } = described;
  const isAsked = stops.length > 0 && confirmReading !== digest;
  const isAgreed = isAsked
    ? ((await askReading?.(report({ destination: undefined }))) ?? false)
    : confirmReading === digest && stops.length + keepsBack.length > 0;
  keepBackUndecided(store, { ...described, ...(isAgreed && { keepsBack: [] }) });
  if (!isAgreed) return stops.length === 0;
  const who = { by: decidedBy, atMs: clock.now() };
  const section = confirm(described, who);
  if (mapping?.path !== undefined) await keepInMapping(mapping.path, [from].flat(), section);
  store.facts.write('confirmed', JSON.stringify(section));
  noteConfirmation(store.path, described, who);
  return true;
}

/** Notes next to a store who confirmed a reading, and with which alarms. */
export function noteConfirmation(
  storePath: string,
  { digest, rules, alarms }: DescribedReading,
  who: { readonly by: string; readonly atMs: number },
): void {
  const about = ['Is this your data? Confirmed', ...alarms.map(({ why }) => why)].join('; ');
  const before = rules.confirmed?.digest ?? null;
  addDecisions(storePath, [{ key: 'reading', answer: digest, before, about, by: who.by, atMs: who.atMs }]);
}

/** A mapping inside an export that is trusted stays so: a kill in between leaves one that is not. */
async function keepInMapping(path: string, exports: readonly string[], section: ReadingRules): Promise<void> {
  const text = await readFile(path, 'utf8');
  const confirmed = withReading(text, section);
  if (exportAround(path, exports) !== undefined && readTrust(path, text) === 'trusted') trustFile(path, confirmed);
  try {
    await replaceFile(path, confirmed, () => assertText(path, text));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`Cannot write "${path}": ${(cause as NodeJS.ErrnoException).code}`, { cause });
  }
}

/** The text of a mapping with another section `reading`, a line for each key and table; everything else stays as it is written. */
export function withReading(text: string, { proposed, seen, confirmed }: ReadingRules): string {
  const at = (table: object | undefined, ...path: string[]) =>
    Object.entries(table ?? {}).map(([key, value]) => [['reading', ...path, key], value] as const);
  const { tables, words, ...facts } = confirmed ?? {};
  const values: readonly (readonly [KeyPath, unknown])[] = [
    ...at({ ...(proposed && { proposed }), ...(Object.keys(seen).length > 0 && { seen }) }),
    ...at(facts, 'confirmed'),
    ...at(tables, 'confirmed', 'tables'),
    ...at(words, 'confirmed', 'words'),
  ];
  return setValues(setValues(text, [[['reading'], {}]]), values);
}
