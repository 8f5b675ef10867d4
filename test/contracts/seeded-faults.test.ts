import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { ChatRecord, MessageRecord } from '../../src/model/records.ts';
import { everyNth } from '../tier.ts';
import { sourceNamed } from '../../src/plan/choose-source.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { samplesOf } from './samples.ts';
import { complaintsAbout } from './source.ts';

const slack = sourceNamed('slack');

/** A mistake that a source might make, as a change of each entry. Undefined if the source would omit the entry. */
interface Fault {
  readonly what: string;
  readonly change: (entry: Entry) => Entry | undefined;
  /** The check that must notice, whatever others do. */
  readonly caughtBy: string;
}

const onRecords = (change: (record: ChatRecord) => ChatRecord | undefined) => (entry: Entry) => {
  if (entry.type !== 'record') return entry;
  const record = change(entry.record);
  return record && { ...entry, record };
};

const onMessages = (change: (message: MessageRecord) => MessageRecord | undefined) =>
  onRecords((record) => (record.kind === 'message' ? change(record) : record));

const without = (kind: ChatRecord['kind']) => onRecords((record) => (record.kind === kind ? undefined : record));

/** Digits for their complement to nine, so that what came last comes first. */
const backwards = (sortKey: string) => sortKey.replace(/\d/g, (digit) => String(9 - Number(digit)));

const faults: readonly Fault[] = [
  {
    what: 'every message under one id',
    change: onMessages((message) => ({ ...message, origin: { ...message.origin, id: '1' } })),
    caughtBy:
      'gives every message of a conversation an id of its own, but for those repeated by the count of facts.json',
  },
  {
    what: 'sort keys that are equal',
    change: onMessages((message) => ({ ...message, sortKey: '' })),
    caughtBy: 'gives sort keys that tell messages of one time apart, if it says so',
  },
  {
    what: 'sort keys that run backwards',
    change: onMessages((message) => ({ ...message, sortKey: backwards(message.sortKey) })),
    caughtBy: 'orders messages of the same time as facts.json does',
  },
  {
    what: 'conversations that nobody describes',
    change: without('conversation'),
    caughtBy: 'describes every conversation, but for those that facts.json counts',
  },
  {
    what: 'seconds read as milliseconds',
    change: onMessages((message) => ({ ...message, sentAtMs: Math.floor(message.sentAtMs / 1000) })),
    caughtBy: 'gives times of plausible years',
  },
  {
    what: "another source's name in origin",
    change: onMessages((message) => ({ ...message, origin: { ...message.origin, source: 'telegram' } })),
    caughtBy: 'names itself as the source of every message, and the workspace that facts.json names',
  },
  {
    what: 'authors that nobody describes',
    change: without('user'),
    caughtBy: 'describes the people that facts.json counts, and every author but for those that it counts',
  },
  {
    what: 'a quote of nothing',
    change: onMessages((message) => ({ ...message, ...(message.text === 'Sleep.' && { quoteOf: 'nothing' }) })),
    caughtBy: 'answers and quotes what is there, as often as facts.json counts',
  },
  {
    what: 'rows dropped in silence',
    change: onMessages((message) => (message.systemEvent === undefined ? message : undefined)),
    caughtBy: 'reads as many rows of each kind as facts.json counts',
  },
  {
    what: 'records that do not fit the model',
    change: onMessages((message) => ({ ...message, sentAtMs: String(message.sentAtMs) as unknown as number })),
    caughtBy: 'yields records that fit the model',
  },
  {
    what: 'messages of two conversations in one',
    change: onMessages((message) => ({ ...message, origin: { ...message.origin, conversation: 'C05GENERAL' } })),
    caughtBy: 'reads as many rows of each conversation as facts.json counts',
  },
  {
    what: 'times of another zone',
    change: onMessages((message) => ({ ...message, sentAtMs: message.sentAtMs + 3_600_000 })),
    caughtBy: 'begins and ends with the messages of facts.json',
  },
  {
    what: 'everybody described under one id',
    change: onRecords((record) => (record.kind === 'user' ? { ...record, id: 'U05HLINES1' } : record)),
    caughtBy: 'describes nobody twice, unless facts.json counts it',
  },
  {
    what: 'reactions that are lost',
    change: onMessages(({ reactions: _, ...message }) => message),
    caughtBy: 'keeps the reactions, files, edits, pins and relations that facts.json counts',
  },
  {
    what: 'files of something else taken for empty ones',
    change: (entry) => (entry.type === 'invalid' || entry.type === 'problem' ? undefined : entry),
    caughtBy: 'never takes a file of messages that holds something else for an empty one',
  },
  {
    what: 'files that are never closed',
    change: (entry) => (entry.type === 'file' ? undefined : entry),
    caughtBy: 'closes every file once, after everything that it holds',
  },
];

/** The Slack source, which is honest, with one fault. */
const faulty = (change: Fault['change']): SourceAdapter => ({
  ...slack,
  async *read(...request) {
    for await (const entries of slack.read(...(request as Parameters<typeof slack.read>))) {
      yield entries.flatMap((entry) => change(entry) ?? []);
    }
  },
});

const sample = samplesOf('slack').find(({ name }) => name === 'every-feature')!;

describe('the contract of sources', () => {
  it('has nothing against an honest source', async () => {
    expect(
      await complaintsAbout(
        faulty((entry) => entry),
        sample,
      ),
    ).toEqual([]);
  });

  it.each(everyNth(4, faults))(
    'notices $what, though expected.ndjson was written by the same source',
    async ({ change, caughtBy }) => {
      const checks = (await complaintsAbout(faulty(change), sample)).map(({ check }) => check);
      expect(checks).toContain(caughtBy);
      expect(checks).not.toContain('yields exactly the entries of expected.ndjson');
    },
  );
});
