import fc from 'fast-check';
import type { Entry } from '../../../src/model/entry.ts';
import type { ChatRecord } from '../../../src/model/records.ts';
import { anyText } from '../../arbitrary-text.ts';

const anyId = anyText.filter((text) => text !== '');
const time = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
/** A value as a source returns it: any JSON, with the digits of a whole number that JavaScript cannot hold. */
const anyJson = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value), (_, inner) => (isInexact(inner) ? String(inner) : inner)) as never);

const isInexact = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value);

const optional = <T>(fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) => fc.record(fields, { requiredKeys: [] });

const user = fc
  .tuple(
    fc.record({ kind: fc.constant('user' as const), id: anyId, name: anyId }),
    optional({
      handle: anyText,
      avatarUrl: anyText,
      role: fc.constantFrom('owner', 'guest', 'bot'),
      isBot: fc.boolean(),
      createdAtMs: time,
    }),
  )
  .map(([required, more]) => ({ ...required, ...more }));

const conversation = fc
  .tuple(
    fc.record({
      kind: fc.constant('conversation' as const),
      id: anyId,
      type: fc.constantFrom('direct', 'group-direct', 'private', 'public'),
      name: anyText,
      members: fc.array(anyText, { maxLength: 3 }),
    }),
    optional({ topic: anyText, creator: anyText, createdAtMs: time, isArchived: fc.boolean() }),
  )
  .map(([required, more]) => ({ ...required, ...more }));

const message = fc
  .tuple(
    fc.record({
      kind: fc.constant('message' as const),
      origin: fc.record({
        source: fc.constant('made'),
        workspace: fc.constant('w'),
        conversation: anyText,
        id: anyId,
      }),
      sortKey: anyText,
      sentAtMs: time,
    }),
    fc.record({ text: anyText }),
    optional({
      author: anyText,
      authorDetails: optional({ name: anyText, isBot: fc.boolean() }),
      mentions: fc.array(anyText, { maxLength: 3 }),
      attachments: fc.array(fc.record({ name: anyText, url: anyText, sizeBytes: fc.nat() }), { maxLength: 2 }),
      reactions: fc.array(fc.record({ emoji: anyId, users: fc.array(anyText), count: fc.nat() }), { maxLength: 2 }),
      threadRoot: anyText,
      edited: optional({ atMs: time, by: anyText }),
      systemEvent: anyText,
      custom: fc.dictionary(anyText, anyJson, { maxKeys: 3 }),
    }),
  )
  .map(([required, text, more]) => ({ ...required, ...text, ...more }));

const location = fc.record({ path: anyId, line: fc.nat() });

/** Any entry that a source may yield for an export of source `made`, workspace `w`. */
export const anyEntry: fc.Arbitrary<Exclude<Entry, { type: 'file' }>> = fc.oneof(
  fc
    .tuple(fc.oneof(user, conversation, message), location)
    .map(([record, place]) => ({ type: 'record' as const, record: record as ChatRecord, location: place })),
  fc.record({ type: fc.constant('invalid' as const), code: anyId, reason: anyId, location, conversation: anyText }),
  fc.record({ type: fc.constant('skipped' as const), rule: anyId, location }),
  fc.record({ type: fc.constant('problem' as const), code: anyId, reason: anyId, location }),
);
