import { describe, expect, it } from 'vitest';
import type { ListedMessage } from '../../src/service/outcome.ts';
import { differingFields, isWrittenSo, keyOf, type SentMessage } from '../../src/delivery/compare.ts';

const attachments = [{ name: 'a.png', extension: 'png', mimeType: 'image/png', url: 'https://example.com/a.png' }];
const chatferry = { v: 1, key: 'm1abc', mentions: ['u2'] };
const sent: SentMessage = {
  sender: 'u1',
  receiver: 'c1',
  receiverType: 'group',
  sentAt: 1_772_366_400,
  category: 'message',
  type: 'image',
  data: { text: 'hello', attachments, metadata: { chatferry } },
  tags: ['a', 'b'],
};
const listed: ListedMessage = {
  id: '17',
  muid: 'm1abc',
  conversationId: 'group_c1',
  sender: 'u1',
  receiver: 'c1',
  receiverType: 'group',
  category: 'message',
  type: 'image',
  sentAt: 1_772_366_400,
  data: { text: 'hello', attachments, metadata: { chatferry } },
  tags: ['a', 'b'],
};

/** The first message, as the store have it. */
const { category, type, data: sentData, tags } = sent;
const written = {
  sender: { uid: sent.sender },
  receiver: sent.receiver,
  lane: { receiverType: sent.receiverType },
  sentAtMs: sent.sentAt * 1000 + 500,
  payload: JSON.stringify({ category, type, data: sentData, tags }),
};

/** One for each field that is compared, with another value. */
const others: [string, Partial<ListedMessage>][] = [
  ['sender', { sender: 'u2' }],
  ['receiver', { receiver: 'c2' }],
  ['receiverType', { receiverType: 'user' }],
  ['sentAt', { sentAt: 1_772_366_401 }],
  ['category', { category: 'custom' }],
  ['type', { type: 'text' }],
  ['text', { data: { ...listed.data, text: 'hello ' } }],
  ['text', { data: { attachments, metadata: { chatferry } } }],
  ['attachments', { data: { ...listed.data, attachments: [] } }],
  ['attachments', { data: { ...listed.data, attachments: [...attachments, ...attachments] } }],
  ['metadata', { data: { ...listed.data, metadata: { chatferry: { v: 1, key: 'm1abc' } } } }],
  ['metadata', { data: { text: 'hello', attachments } }],
  ['tags', { tags: ['a'] }],
];

describe('isWrittenSo()', () => {
  it('returns true for an identical message, whatever the service adds', () => {
    expect(isWrittenSo(written, listed)).toBe(true);
    const metadata = { '@injected': {}, chatferry };
    expect(isWrittenSo(written, { ...listed, data: { entities: {}, ...listed.data, metadata } })).toBe(true);
  });

  it.each(others)('does not where %s is another: %j', (_, changes) => {
    expect(isWrittenSo(written, { ...listed, ...changes })).toBe(false);
  });
});

describe('differingFields()', () => {
  it('returns nothing for an identical message', () => {
    expect(differingFields(sent, listed)).toEqual([]);
  });

  it('ignores fields that the service adds, and the order of tags and keys', () => {
    const data = {
      entities: { sender: {} },
      reactions: [],
      metadata: { chatferry: { mentions: ['u2'], key: 'm1abc', v: 1 }, '@injected': {} },
      attachments,
      text: 'hello',
    };
    expect(differingFields(sent, { ...listed, data, tags: ['b', 'a'] })).toEqual([]);
  });

  it('takes a field that is empty for one that is missing', () => {
    const { tags: _, ...untagged } = sent;
    const plain = { ...untagged, type: 'text', data: { text: '', metadata: { chatferry } } };
    expect(differingFields(plain, { ...listed, type: 'text', tags: [], data: { metadata: { chatferry } } })).toEqual(
      [],
    );
  });

  it.each(others)('names %s if it differs: %j', (field, changes) => {
    expect(differingFields(sent, { ...listed, ...changes })).toEqual([field]);
  });

  it('names all of them', () => {
    expect(differingFields(sent, { ...listed, sender: 'x', tags: [] })).toEqual(['sender', 'tags']);
  });
});

describe('keyOf()', () => {
  const { muid: _, ...withoutMuid } = listed;

  it('returns the muid, or our key in metadata if the listing has no muids', () => {
    expect(keyOf(listed)).toBe('m1abc');
    expect(keyOf(withoutMuid)).toBe('m1abc');
  });

  it.each([[{}], [{ metadata: null }], [{ metadata: { chatferry: 'x' } }], [{ metadata: { chatferry: { key: 5 } } }]])(
    'is nothing in a message by others: %j',
    (data) => {
      expect(keyOf({ ...withoutMuid, data })).toBeUndefined();
    },
  );
});
