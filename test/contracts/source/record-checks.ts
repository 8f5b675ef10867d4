import { expect } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import type { ChatRecord } from '../../../src/model/records.ts';
import type { Check, SampleSubject } from './check.ts';
import { countFacts } from './count-facts.ts';
import { type CountedFacts, factsOf } from './facts.ts';

/** Before the first chats and after the last: a time outside of these years was read in another unit than it has. */
const plausible = { fromMs: Date.UTC(1985, 0), untilMs: Date.UTC(2100, 0) };

/** Checks of a sample's records: on their own, and against the counts of a person. */
export const recordChecks: readonly Check<SampleSubject>[] = [
  {
    says: 'names itself as the source of every message, and the workspace that facts.json names',
    async run(subject) {
      await compare(subject, 'origin');
      const { source } = factsOf(subject.sample).origin;
      if (!subject.adapter.carriesOthers) expect(source).toBe(subject.adapter.name);
    },
  },
  {
    says: 'gives every message of a conversation an id of its own, but for those repeated by the count of facts.json',
    run: (subject) => compare(subject, 'repeated'),
  },
  {
    says: 'gives sort keys that tell messages of one time apart, if it says so',
    async run({ adapter, whole }) {
      if (adapter.sortKeys === 'where-given') return;
      const keys = (await whole()).flatMap((entry) => {
        if (entry.type !== 'record' || entry.record.kind !== 'message') return [];
        const { origin, sentAtMs, sortKey } = entry.record;
        return [[entry.location.path, origin.conversation, sentAtMs, sortKey].join(' ')];
      });
      expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    },
  },
  {
    says: 'orders messages of the same time as facts.json does',
    async run({ sample, whole }) {
      const { sameTime: expected } = factsOf(sample);
      const { sameTime: found } = countFacts(await whole());
      const isAs = (texts: readonly string[]) => (beginnings: readonly string[]) =>
        texts.length === beginnings.length && texts.every((text, index) => beginsWith(text, beginnings[index]!));
      expect(found.filter((texts) => !expected.some(isAs(texts)))).toEqual([]);
      expect(found.length).toBe(expected.length);
    },
  },
  {
    says: 'gives times of plausible years',
    async run({ whole }) {
      const outside = (ms: number | undefined) =>
        ms !== undefined && (ms < plausible.fromMs || ms >= plausible.untilMs);
      const found = (await whole()).flatMap((entry) =>
        timesOf(entry)
          .filter(outside)
          .map((ms) => [ms, entry]),
      );
      expect(found).toEqual([]);
    },
  },
  {
    says: 'begins and ends with the messages of facts.json',
    async run({ sample, whole }) {
      const expected = factsOf(sample);
      const found = countFacts(await whole());
      for (const end of ['first', 'last'] as const) {
        const { text, ...others } = found[end];
        expect(others, end).toEqual({
          ...expected[end],
          at: new Date(expected[end].at).toISOString(),
          text: undefined,
        });
        expect(beginsWith(text, expected[end].text), `${end} has ${JSON.stringify(text)}`).toBe(true);
      }
    },
  },
  {
    says: 'reads as many rows of each kind as facts.json counts',
    run: (subject) => compare(subject, 'rows'),
  },
  {
    says: 'reads as many rows of each conversation as facts.json counts',
    run: (subject) => compare(subject, 'conversations'),
  },
  {
    says: 'describes every conversation, but for those that facts.json counts',
    run: (subject) => compare(subject, 'undescribedConversations'),
  },
  {
    says: 'describes the people that facts.json counts, and every author but for those that it counts',
    run: (subject) => compare(subject, 'people', 'undescribedAuthors'),
  },
  {
    says: 'describes nobody twice, unless facts.json counts it',
    run: (subject) => compare(subject, 'describedAgain'),
  },
  {
    says: 'answers and quotes what is there, as often as facts.json counts',
    run: (subject) => compare(subject, 'replies', 'orphanReplies', 'quotes', 'orphanQuotes'),
  },
  {
    says: 'names each member and each membership of a conversation once, and no one who left or is banned as a member',
    async run({ whole }) {
      const found = (await whole()).flatMap((entry) => {
        if (entry.type !== 'record' || entry.record.kind !== 'conversation') return [];
        const { id, members, memberships = [] } = entry.record;
        const named = memberships.map(({ user }) => user);
        const gone = memberships.filter((one) => one.leftAtMs !== undefined || one.isBanned).map(({ user }) => user);
        const others = named.filter((user) => !members.includes(user) && !gone.includes(user));
        const twice = [members, named].flatMap((ids) => ids.filter((user, at) => ids.indexOf(user) !== at));
        return [...gone.filter((user) => members.includes(user)), ...others, ...twice].map((user) => [id, user]);
      });
      expect(found).toEqual([]);
    },
  },
  {
    says: 'keeps the reactions, files, edits, pins and relations that facts.json counts',
    run: (subject) => compare(subject, 'reactions', 'files', 'edits', 'pins', 'relations'),
  },
];

/** Compares the counts of a person with those of the source. */
async function compare({ sample, whole }: SampleSubject, ...keys: readonly (keyof CountedFacts)[]): Promise<void> {
  const pick = (facts: CountedFacts) => Object.fromEntries(keys.map((key) => [key, facts[key]]));
  expect(pick(countFacts(await whole())), `${sample.folder}: what is read (-), and facts.json (+)`).toEqual(
    pick(factsOf(sample)),
  );
}

const beginsWith = (text: string, beginning: string) => (beginning === '' ? text === '' : text.startsWith(beginning));

function timesOf(entry: Entry): (number | undefined)[] {
  return entry.type === 'record' ? timesIn(entry.record) : [];
}

function timesIn(record: ChatRecord): (number | undefined)[] {
  if (record.kind === 'message') {
    return [record.sentAtMs, record.edited?.atMs, record.call?.startedAtMs, record.call?.endedAtMs];
  }
  return record.kind === 'relation' ? [] : [record.createdAtMs];
}
