import { describe, expect, it } from 'vitest';
import { recordDigest } from '../../src/model/record-digest.ts';
import type { MessageRecord } from '../../src/model/records.ts';
import { recordOf } from '../mapping/fixture.ts';

const plain = recordDigest(recordOf());

describe('recordDigest()', () => {
  it('is equal for equal records', () => {
    expect(recordDigest(recordOf())).toBe(plain);
    expect(plain).toMatch(/^[\w-]{22}$/);
  });

  it.each<[Partial<MessageRecord>]>([
    [{ text: 'hallo' }],
    [{ author: 'U2' }],
    [{ sentAtMs: 1 }],
    [{ threadRoot: '1' }],
    [{ isBroadcast: true }],
    [{ quoteOf: '1' }],
    [{ edited: { atMs: 1 } }],
    [{ isDeleted: true }],
    [{ isPinned: true }],
    [{ internal: 'note' }],
    [{ systemEvent: 'channel_join' }],
    [{ call: { participants: ['U1'] } }],
    [{ attachments: [{ name: 'a' }] }],
    [{ reactions: [{ emoji: '👍', users: [], count: 1 }] }],
  ])('changes with %j', (changes) => {
    expect(recordDigest(recordOf(changes))).not.toBe(plain);
  });

  it('does not take words of a text for facts about the message', () => {
    expect(recordDigest(recordOf({ text: 'hello\ndeleted' }))).not.toBe(recordDigest(recordOf({ isDeleted: true })));
    expect(recordDigest(recordOf({ text: 'a\nthread 1' }))).not.toBe(
      recordDigest(recordOf({ text: 'a', threadRoot: '1' })),
    );
  });

  it('does not depend on the place of a message', () => {
    expect(recordDigest(recordOf({ sortKey: 'x' }))).toBe(plain);
  });
});
