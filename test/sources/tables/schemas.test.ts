import { afterAll, describe, expect, it } from 'vitest';
import { advisorFor } from '../../../src/cli/init/advisor.ts';
import type { CommandContext } from '../../../src/cli/command-context.ts';
import { UsageError } from '../../../src/lib/errors.ts';
import { testHost } from '../../cli/in-process.ts';
import { sharedFolder } from '../../requirements.ts';
import { never } from '../../scenes/bench.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { isNightly } from '../../tier.ts';
import type { Difference } from './schemas/arrived.ts';
import { described, type Imported, importWith } from './schemas/import-with.ts';
import { answering, proposalFor, unrecognised, wrongReadings } from './schemas/readings.ts';
import { csvSchema, jsonSchema, type Schema, schemaNames, shortOf } from './schemas/schema-set.ts';

/** Those without chains of tables. They are read as JSON as well. */
const simple: readonly string[] = [
  'members-table',
  'supabase-rooms',
  'django-rooms',
  'pair-conversations',
  'two-people',
  'mattermost-db',
];

/** Those that differ most from each other; the rest is compared in the nightly run. */
const everyTime: readonly string[] = [
  ...['chatwoot', 'dm-and-group-tables', 'laravel-musonza', 'mattermost-db'],
  ...['members-table', 'rails-mailboxer', 'xenforo'],
];

const set = sharedFolder('schemas');
const home = temporaryFolder();

/** Readings that are not the answer, and right as well. */
const rightAsWell: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'supabase-rooms': { 'users.name': 'the same names, as a query over accounts and profiles has them' },
  'wp-better-messages': { 'messages.time': 'the same times without their fraction; the zone is asked' },
  'zulip-db': { 'reactions.emoji': 'the name of the emoji rather than its code' },
};

/** A line for each database: what is printed at the end. */
const table = new Map<string, Record<string, unknown>>();
const note = (form: string, facts: Record<string, unknown>) => table.set(form, { ...table.get(form), ...facts });
afterAll(() => {
  for (const [form, facts] of table) console.log(form, JSON.stringify(facts));
});

/** The same, if the questions are answered and nothing else is said. */
async function importAsAsked(schema: Schema): Promise<Imported> {
  try {
    const { source: _, ...rest } = schema.answers;
    return await importWith(home.make(), schema, rest, { decide: answering(schema) });
  } catch (error) {
    // The answers name columns of a query for which nothing asks.
    if (error instanceof UsageError) return { questions: [error.message], exit: 2, found: [] };
    throw error;
  }
}

/** Differences that may not be, however few questions were answered. */
const isGrave = ({ field }: Difference): boolean => ['unexpected', 'conversation', 'author', 'second'].includes(field);

/** Messages that arrived with all that they have, of those that are expected. */
function rightRows({ expected: { messages } }: Schema, found: readonly Difference[]): string {
  const missing = found.flatMap((one) => (one.field === 'missing' ? (one.found as readonly string[]) : []));
  const wrong = new Set([...missing, ...found.map(({ id }) => id)]);
  return `${messages.filter(({ id }) => !wrong.has(id)).length} of ${messages.length}`;
}

function describeSchema(schema: Schema): void {
  const { name } = schema;
  const form = `${name} as ${schema.adapter.name}`;
  it(`${form}: nothing is decided in another way than a careful user would`, async () => {
    const proposed = await proposalFor(schema);
    const wrong = wrongReadings(schema, proposed.options, Object.keys(rightAsWell[name] ?? {}));
    const passedOver = unrecognised(schema, proposed);
    note(form, { questions: proposed.open.length, wrong: wrong.length, unrecognised: passedOver.length });
    expect(wrong).toEqual([]);
  });

  it(`${form}: with nothing said but answers to questions, nothing withheld is sent, and nothing to a wrong place`, async () => {
    const { exit, found, questions } = await importAsAsked(schema);
    note(form, { rightIfAsked: exit === 2 ? questions.join('; ') : rightRows(schema, found) });
    const [sent] = found.flatMap((one) => (one.field === 'unexpected' ? [one.found] : []));
    expect(sent).toBeUndefined();
    expect(found.filter((one) => isGrave(one) && one.field !== 'unexpected').map(described)).toEqual([]);
  });

  it.runIf(isNightly || simple.includes(name))(`${form}: --assume sends nothing wrong`, async () => {
    const { host } = testHost({ folder: home.make() });
    const wishes = { yes: false, json: true, assume: true, explain: false };
    const { own } = advisorFor(wishes, { host, stopping: never } as CommandContext);
    const { found } = await importWith(home.make(), schema, {}, own);
    expect(found.filter(isGrave).map(described)).toEqual([]);
  });

  it(`${form}: with all answers everything arrives`, async () => {
    const { questions, exit, found } = await importWith(home.make(), schema, schema.answers);
    note(form, { rightWithAnswers: exit === 2 ? 'open questions' : rightRows(schema, found) });
    expect({ questions, exit }).toEqual({ questions: [], exit: 0 });
    const known = shortOf[name] ?? {};
    expect(found.filter(({ id, field }) => !(`${id} ${field}` in known)).map(described)).toEqual([]);
    expect(found.length, 'shortOf names what arrives').toBe(Object.keys(known).length);
  });
}

describe.skipIf(set === null)('a database of a chat', () => {
  if (set === null) return;
  const names = schemaNames(set).filter((name) => isNightly || everyTime.includes(name));
  for (const name of names) describeSchema(csvSchema(set, name));
  if (isNightly) for (const name of simple) describeSchema(jsonSchema(set, name, home.make()));
});
