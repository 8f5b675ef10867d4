import { describe, expect, it } from 'vitest';
import { collectFacts, factsJson } from '../../src/mapping/message.ts';
import type { MessageRecord } from '../../src/model/records.ts';
import { recordOf } from './fixture.ts';

const factsOf = (record: MessageRecord, isBot: boolean) => factsJson(collectFacts(record, isBot, false), undefined);

describe('factsJson()', () => {
  it('is null for a plain message, and for empty lists', () => {
    expect(factsOf(recordOf(), false)).toBeNull();
    expect(factsOf(recordOf({ mentions: [], reactions: [], attachments: [] }), false)).toBeNull();
  });

  it('counts the contents of a message', () => {
    const record = recordOf({
      attachments: [
        { name: 'a', url: 'https://example.com/a' },
        { name: 'b' },
        { name: 'c', url: 'file:///etc/passwd' },
      ],
      reactions: [
        { emoji: '👍', users: ['U2'], count: 2 },
        { emoji: '🎉', users: [], count: 1 },
      ],
      mentions: ['U2', 'U3'],
      threadRoot: '1',
      quoteOf: '2',
      isBroadcast: true,
      edited: {},
      isDeleted: true,
      isPinned: true,
    });
    expect(JSON.parse(factsOf(record, true)!)).toEqual({
      attachments: 1,
      filesWithoutAddress: 2,
      reactions: 3,
      mentions: 2,
      replies: 1,
      quotes: 1,
      broadcasts: 1,
      edited: 1,
      deleted: 1,
      pinned: 1,
      bot: 1,
    });
  });

  it('counts a call as a call, not as a system message too', () => {
    expect(factsOf(recordOf({ call: {}, systemEvent: 'huddle_thread' }), false)).toBe('{"calls":1}');
    expect(factsOf(recordOf({ systemEvent: 'channel_join' }), false)).toBe('{"system":1}');
  });
});
