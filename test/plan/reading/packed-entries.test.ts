import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Location } from '../../../src/lib/text/location.ts';
import { identityOf } from '../../../src/mapping/muid.ts';
import { type MessageRecord, messageSchema } from '../../../src/model/records.ts';
import { packEntries, unpackEntries } from '../../../src/plan/reading/packed-entries.ts';
import type { EntryList, ReadEntry } from '../../../src/plan/reading/protocol.ts';
import { readEntriesHere } from '../../../src/plan/reading/read-entries.ts';
import { sourceNamed } from '../../../src/plan/choose-source.ts';
import { anyText } from '../../arbitrary-text.ts';
import { listSamples, openSample, type Sample, sampleOptions } from '../../contracts/samples.ts';
import { never } from '../../scenes/bench.ts';

async function listsOf(sample: Sample): Promise<EntryList[]> {
  const input = await openSample(sample);
  const sourceOptions = sourceNamed(sample.source).options.parse(sampleOptions(sample));
  const request = { source: sample.source, sourceOptions, workspace: undefined, wanted: ['all' as const] };
  return await Array.fromAsync(readEntriesHere([input], request, never));
}

/** As JSON holds it: what is undefined is not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const anyMessage: fc.Arbitrary<MessageRecord> = fc.record({
  kind: fc.constant('message' as const),
  origin: fc.record({ source: anyText, workspace: anyText, conversation: anyText, id: anyText }),
  sortKey: anyText,
  sentAtMs: fc.maxSafeInteger(),
  text: anyText,
  author: optional(anyText),
  threadRoot: optional(anyText),
  isDeleted: optional(fc.boolean()),
  mentions: optional(fc.array(anyText)),
});

const anyLocation = fc
  .record({ path: fc.constantFrom('a.json', 'b.json', ''), line: optional(fc.nat()), pointer: optional(anyText) })
  .map((location) => plain(location) as Location);

const anyEntry: fc.Arbitrary<ReadEntry> = fc.oneof(
  fc.record({ record: anyMessage, location: anyLocation }).map(({ record, location }) => ({
    type: 'record' as const,
    record,
    location,
    identity: identityOf(record),
  })),
  fc.record({
    type: fc.constant('file' as const),
    path: fc.constantFrom('a.json', 'b.json', ''),
    role: fc.constantFrom('rows' as const, 'skipped' as const),
    stat: fc.record({ sizeBytes: fc.nat(), fingerprint: anyText }),
    reason: anyText,
  }),
  fc.record({ type: fc.constant('problem' as const), code: anyText, reason: anyText, location: anyLocation }),
  fc.record({ type: fc.constant('reject' as const), code: anyText, reason: anyText, location: anyLocation }),
);

describe('packEntries()', () => {
  it.each(listSamples())('gives back what was packed: $source, $name', async (sample) => {
    for (const list of await listsOf(sample)) expect(plain(unpackEntries(packEntries(list)))).toEqual(plain(list));
  });

  it('gives back whatever stands in the entries, and in the order in which they came', () => {
    fc.assert(
      fc.property(fc.array(anyEntry), fc.nat(), (entries, input) => {
        const list = { input, entries };
        expect(plain(unpackEntries(packEntries(list)))).toEqual(plain(list));
      }),
    );
  });

  it('loses no field that a message can have, nor one that is false or empty', () => {
    const record: Required<MessageRecord> = {
      kind: 'message',
      origin: { source: 'slack', workspace: 'T1', conversation: 'C1', id: '1' },
      sortKey: '2',
      sentAtMs: 1,
      text: '',
      author: 'U1',
      authorDetails: { name: 'Ada' },
      mentions: [],
      attachments: [{ name: 'plan.png' }],
      reactions: [],
      threadRoot: '0',
      isBroadcast: false,
      quoteOf: '0',
      links: [],
      edited: {},
      isDeleted: false,
      tags: [],
      systemEvent: '',
      call: {},
      isPinned: false,
      custom: {},
      lost: {},
    };
    expect(Object.keys(record).sort()).toEqual(Object.keys(messageSchema.shape).sort());
    for (const field of Object.keys(record) as (keyof MessageRecord)[]) {
      const { kind, origin, sortKey, sentAtMs, text } = record;
      const alone: MessageRecord = { kind, origin, sortKey, sentAtMs, text, [field]: record[field] };
      for (const one of [record, alone]) {
        const entry = { type: 'record' as const, record: one, location: { path: 'a' }, identity: identityOf(one) };
        expect(plain(unpackEntries(packEntries({ input: 0, entries: [entry] })).entries[0])).toEqual(plain(entry));
      }
    }
  });

  it('says once what a file or a conversation has in common', () => {
    const record: MessageRecord = {
      kind: 'message',
      origin: { source: 'slack', workspace: 'T1', conversation: 'C1', id: '1' },
      sortKey: '1',
      sentAtMs: 1,
      text: 'hello',
    };
    const location = { path: 'general/2024-03-01.json', pointer: '/0' };
    const entry = { type: 'record' as const, record, location, identity: identityOf(record) };
    const text = JSON.stringify(packEntries({ input: 0, entries: [entry, entry, entry] }));
    expect(text.split('general').length - 1).toBe(1);
    expect(text.split('C1').length - 1).toBe(1);
  });
});
