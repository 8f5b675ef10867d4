import { type Advisor, decideSource } from '../../../../src/decisions/proposal.ts';
import type { Proposed } from '../../../../src/decisions/question.ts';
import { isTable, keyPath, type Settings, valueAt } from '../../../../src/lib/settings.ts';
import { openExport } from '../../../../src/io/input/open-export.ts';
import type { ChatRecord } from '../../../../src/model/records.ts';
import { readAll } from '../../../contracts/source.ts';
import type { Schema } from './schema-set.ts';

/** Compares the decisions that `init` makes for a schema on its own with the answers of a careful user. */

export async function proposalFor(
  schema: Pick<Schema, 'folder' | 'adapter'>,
  decide?: Advisor['decide'],
  decided: Settings = {},
  advisor: Advisor = {},
): Promise<Proposed> {
  const inputs = await openExport([schema.folder]);
  try {
    return await decideSource({ adapter: schema.adapter, inputs }, decided, {
      advisor: { ...(decide && { decide }), ...advisor },
    });
  } finally {
    for (const input of inputs) await input.close();
  }
}

/** Answers only the questions that are asked. Leaves behind any table that may be left behind. */
export const answering =
  ({ answers }: Schema): NonNullable<Advisor['decide']> =>
  async ({ key, readings }) => {
    const said = valueAt(spelledOut(answers.source), keyPath(key));
    const value = said ?? (key === 'tables.ignored' ? readings[0]?.value : undefined);
    return value === undefined ? undefined : { key, value };
  };

/** Returns the records that reading the export yields, without rows that cannot be read. */
export async function recordsOf(
  schema: Pick<Schema, 'folder' | 'adapter'>,
  source: Settings,
): Promise<readonly ChatRecord[]> {
  const [input] = await openExport([schema.folder]);
  try {
    const entries = await readAll(schema.adapter, input!, {}, source);
    return entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
  } finally {
    await input!.close();
  }
}

/** Keys that were decided in another way than the user answers, but for those that are right as well. */
export function wrongReadings(schema: Schema, decided: Settings, right: readonly string[]): readonly string[] {
  const [ours, theirs] = [parts(spelledOut(decided)), parts(spelledOut(schema.answers.source))];
  return [...ours].flatMap(([key, value]) => {
    const answer = theirs.get(key);
    if (answer === undefined || right.includes(key) || means(value, answer)) return [];
    // The columns are those of another table.
    const [section] = key.split('.');
    const [table, other] = [ours, theirs].map((side) => side.get(`tables.${section}`));
    if (section !== 'tables' && !means(table, other)) return [];
    return [`${key}: ${JSON.stringify(value)} rather than ${JSON.stringify(answer)}`];
  });
}

/** Keys of the answers about which `init` neither asks nor decides. */
export function unrecognised(schema: Schema, { options, open }: Proposed): readonly string[] {
  const found = new Set([...parts(spelledOut(options)).keys(), ...open.map(({ key }) => part(keyPath(key)))]);
  return [...parts(spelledOut(schema.answers.source)).keys()].filter((key) => !found.has(key));
}

const part = (path: readonly string[]): string => path.slice(0, 2).join('.');

function parts(source: Settings): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(source).flatMap(([section, keys]) =>
      isTable(keys)
        ? Object.entries(keys).map(([key, value]) => [part([section, key]), value] as const)
        : [[section, keys] as const],
    ),
  );
}

/** With the long form of texts and times: `text: body` is `{ from: body }`. */
export function spelledOut(source: Settings): Settings {
  return Object.fromEntries(
    Object.entries(source).map(([section, keys]) => [
      section,
      isTable(keys)
        ? Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, longForm(key, value)]))
        : keys,
    ]),
  );
}

function longForm(key: string, value: unknown): unknown {
  if (!['text', 'time', 'createdAt', 'kind', 'type', 'role'].includes(key)) return value;
  const long = typeof value === 'string' ? { from: value } : value;
  return ['time', 'createdAt'].includes(key) && isTable(long) ? { format: 'iso', ...long } : long;
}

/** Whether a reading says what an answer says, as far as it goes: the same words for the values that both translate. */
export function means(decided: unknown, answer: unknown): boolean {
  if (Array.isArray(decided) && Array.isArray(answer) && decided.some(isTable))
    return decided.length === answer.length && decided.every((one, index) => means(one, answer[index]));
  if (!isTable(decided) || !isTable(answer)) return words(decided) === words(answer);
  if (typeof decided.query === 'string' && typeof answer.query === 'string')
    return tablesIn(decided.query) === tablesIn(answer.query);
  return Object.keys(answer).every(
    (key) =>
      (decided[key] === undefined && key !== 'from') || answer[key] === undefined || means(decided[key], answer[key]),
  );
}

/** Without the empty value, which no row may have where one of the two leaves it out. */
const words = (value: unknown): string =>
  JSON.stringify(Array.isArray(value) ? value.filter((one) => one !== '') : value);

/** Names of the tables of a query, sorted. */
const tablesIn = (query: string): string =>
  [...new Set(Array.from(query.matchAll(/(?:FROM|JOIN) ("[^"]+"|\w+)/g), ([, table]) => table))].sort().join();
