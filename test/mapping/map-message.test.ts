import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapMessage } from '../../src/mapping/message.ts';
import { dropOrder, metadataSchema } from '../../src/mapping/message/metadata.ts';
import { muidOf } from '../../src/mapping/ids.ts';
import type { MappingModule } from '../../src/mapping/module.ts';
import type { MessageRecord } from '../../src/model/records.ts';
import { wireMessage } from '../../src/delivery/lanes.ts';
import { anyText, naughtyStrings } from '../arbitrary-text.ts';
import { chatferryOf, contextOf, ordinary, payloadOf, recordOf, rulesOf, sentAtMs } from './fixture.ts';

const naughty = naughtyStrings();
const person = (id: number, uid: string) => ({ id, uid, details: JSON.stringify({ uid, name: uid }) });

/** Everything that metadata can hold. */
const rich: Partial<MessageRecord> = {
  threadRoot: '1772366300.000100',
  quoteOf: '1772366200.000100',
  isBroadcast: true,
  isPinned: true,
  edited: { atMs: 1_772_366_500_999 },
  mentions: ['U2'],
  reactions: [{ emoji: '👍', users: ['U2', 'U3'], count: 3 }],
  attachments: [{ name: 'gone.png', unavailable: 'deleted' }],
  custom: { ticket: '4711', nested: { list: [1] } },
};

describe('mapMessage()', () => {
  it('makes of a plain message its text and the two fixed keys', () => {
    const mapped = mapMessage(recordOf(), contextOf());
    const muid = muidOf(recordOf().origin);
    expect(mapped).toMatchObject({ muid, rootMuid: undefined, verdict: 'planned' });
    expect(payloadOf(mapped)).toEqual({
      category: 'message',
      type: 'text',
      data: { text: 'hello', metadata: { chatferry: { v: 1, key: muid } } },
    });
  });

  it('keeps values without a field at the service in metadata, as in the published schema', () => {
    const mapped = mapMessage(recordOf(rich), contextOf());
    const { origin } = recordOf();
    const thread = muidOf({ ...origin, id: rich.threadRoot! });
    expect(mapped.rootMuid).toBe(thread);
    expect(metadataSchema.parse(chatferryOf(mapped))).toEqual({
      v: 1,
      key: muidOf(origin),
      thread,
      broadcast: true,
      quote: muidOf({ ...origin, id: rich.quoteOf! }),
      edited: 1_772_366_500,
      pinned: true,
      files: [{ name: 'gone.png', why: 'deleted' }],
      mentions: ['u2'],
      reactions: [{ emoji: '👍', count: 3, by: ['u2', 'u3'] }],
      custom: { ticket: '4711', nested: { list: [1] } },
    });
  });

  it('sends files with a web address, and names the others with the reason', () => {
    const attachments = [
      { name: 'Plan.PDF', url: 'https://example.com/1', mimeType: 'application/pdf', sizeBytes: 12 },
      { name: 'script', url: 'javascript:alert(1)' },
      { name: 'nothing' },
      { name: 'hidden', unavailable: 'hidden-by-limit' },
    ];
    const mapped = mapMessage(recordOf({ text: '', attachments }), contextOf());
    expect(payloadOf(mapped)).toMatchObject({
      type: 'file',
      data: {
        attachments: [
          {
            name: 'Plan.PDF',
            extension: 'pdf',
            mimeType: 'application/pdf',
            size: '12',
            url: 'https://example.com/1',
          },
        ],
      },
    });
    expect(chatferryOf(mapped).files).toEqual([
      { name: 'script', why: 'not a web address' },
      { name: 'nothing', why: 'no address' },
      { name: 'hidden', why: 'hidden-by-limit' },
    ]);
  });

  it.each([
    ['image/png', 'image'],
    ['video/mp4', 'video'],
    ['audio/ogg', 'audio'],
    ['text/plain', 'file'],
    [undefined, 'file'],
  ])('takes its type from the first file: %s makes %s', (mimeType, type) => {
    const first = { name: 'x', url: 'https://example.com/x', ...(mimeType !== undefined && { mimeType }) };
    const attachments = [first, { name: 'y', url: 'https://example.com/y', mimeType: 'image/png' }];
    expect(payloadOf(mapMessage(recordOf({ attachments }), contextOf())).type).toBe(type);
  });

  it.each([
    ['deleted', { isDeleted: true }, 'deleted at the source'],
    ['calls', { call: {}, systemEvent: 'huddle_thread' }, 'call'],
    ['system', { systemEvent: 'channel_join' }, 'system message: channel_join'],
    ['internal', { internal: 'note' }, 'internal note'],
    ['internal', { internal: 'side-conversation' }, 'internal side conversation'],
    ['internal', { internal: 'automation' }, 'internal step of an automation'],
  ] as const)(
    'skips a message by the rule messages.%s, and keeps it if the mapping says so',
    (key, changes, reason) => {
      expect(mapMessage(recordOf(changes), contextOf())).toMatchObject({ verdict: 'skipped', reason });
      const rules = rulesOf({ messages: { [key]: 'keep' } });
      expect(mapMessage(recordOf(changes), contextOf({ rules })).verdict).toBe('planned');
    },
  );

  it('skips an internal note before a module sees it, and one that a module marks', () => {
    const send: MappingModule = { mapMessage: (_, { next }) => next(recordOf()) };
    expect(mapMessage(recordOf({ internal: 'note' }), contextOf(), send)).toMatchObject({ reason: 'internal note' });
    expect(mapMessage(recordOf(), contextOf(), send).verdict).toBe('planned');
    const mark: MappingModule = { mapMessage: (record, { next }) => next({ ...record, internal: 'note' }) };
    expect(mapMessage(recordOf(), contextOf(), mark)).toMatchObject({ reason: 'internal note' });
  });

  it('names the kind of an internal message in metadata if it is kept', () => {
    const rules = rulesOf({ messages: { internal: 'keep' } });
    expect(chatferryOf(mapMessage(recordOf({ internal: 'note' }), contextOf({ rules })))).toMatchObject({
      internal: 'note',
    });
  });

  it('is skipped where bots are and a bot wrote it', () => {
    const rules = rulesOf({ people: { bots: 'skip' } });
    const context = contextOf({ rules, traitsOf: (userId) => ({ ...ordinary, isBot: userId === 'B1' }) });
    expect(mapMessage(recordOf({ author: 'B1' }), context)).toMatchObject({
      verdict: 'skipped',
      reason: 'bot message',
    });
    expect(mapMessage(recordOf(), context).verdict).toBe('planned');
  });

  it('is invalid or skipped without text and file, by messages.empty', () => {
    const blank = recordOf({ text: ' \n\t' });
    expect(mapMessage(blank, contextOf())).toMatchObject({ verdict: 'invalid', reason: 'blank-text' });
    const rules = rulesOf({ messages: { empty: 'skip' } });
    expect(mapMessage(blank, contextOf({ rules }))).toMatchObject({ verdict: 'skipped', reason: 'empty message' });
  });

  it('rejects messages without a known author if the mapping says so', () => {
    const rules = rulesOf({ people: { unknownAuthors: 'reject' } });
    const context = contextOf({ rules, traitsOf: (userId) => ({ ...ordinary, isKnown: userId === 'U1' }) });
    const { author: _, ...authorless } = recordOf();
    expect(mapMessage(recordOf(), context).verdict).toBe('planned');
    expect(mapMessage(recordOf({ author: 'U9' }), context)).toMatchObject({
      reason: 'unknown-author',
      detail: 'author U9',
    });
    expect(mapMessage(authorless, context)).toMatchObject({ reason: 'unknown-author', detail: 'author not given' });
    expect(mapMessage(authorless, contextOf()).verdict).toBe('planned');
  });

  it('omits thread and reactions from metadata if the mapping says so, but never from the totals', () => {
    const rules = rulesOf({ messages: { threads: 'flat', reactions: 'drop' } });
    const mapped = mapMessage(recordOf(rich), contextOf({ rules }));
    expect(Object.keys(chatferryOf(mapped))).not.toEqual(expect.arrayContaining(['thread']));
    expect(chatferryOf(mapped)).not.toHaveProperty('reactions');
    expect(mapped.rootMuid).toBeDefined();
  });

  it('keeps facts that have no field of their own, unless the mapping drops them', () => {
    const record = recordOf({ custom: { ticket: '4711', paid: true } });
    expect(chatferryOf(mapMessage(record, contextOf())).custom).toEqual({ ticket: '4711', paid: true });
    const rules = rulesOf({ messages: { custom: 'drop' } });
    expect(chatferryOf(mapMessage(record, contextOf({ rules })))).not.toHaveProperty('custom');
  });

  it('fills tags with the facts of the message, and omits tags with missing facts', () => {
    const rules = rulesOf({ messages: { tags: ['all', 'ticket-{custom.ticket}', '{custom.team}'] } });
    const tagsOf = (custom: MessageRecord['custom']) =>
      payloadOf(mapMessage(recordOf({ custom }), contextOf({ rules }))).tags;
    expect(tagsOf({ ticket: '4711', team: { name: 'x' } })).toEqual(['all', 'ticket-4711']);
    expect(tagsOf(undefined)).toEqual(['all']);
  });

  it('gets the tags of the mapping', () => {
    const rules = rulesOf({ messages: { tags: ['slack-2026', '"quoted"'] } });
    expect(payloadOf(mapMessage(recordOf(), contextOf({ rules }))).tags).toEqual(['slack-2026', '"quoted"']);
  });

  it('keeps any text unchanged in payload and request', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const mapped = mapMessage(recordOf({ text: `${text}.` }), contextOf());
        if (mapped.verdict !== 'planned') throw new Error(mapped.reason);
        expect(textOnTheWire(mapped.muid, mapped.payload)).toBe(`${text}.`);
      }),
    );
  });

  it.skipIf(naughty === null)('keeps every naughty string as text, author, ids and file names', () => {
    for (const text of naughty!) {
      const id = text || 'x';
      const mapped = mapMessage(
        recordOf({
          text: `${text}.`,
          origin: { source: 'slack', workspace: text, conversation: text, id },
          author: id,
          mentions: [text],
          threadRoot: id,
          attachments: [{ name: text }, { name: text, url: 'https://example.com/x', mimeType: text }],
          reactions: [{ emoji: id, users: [text], count: 1 }],
        }),
        contextOf(),
      );
      if (mapped.verdict !== 'planned') throw new Error(mapped.reason);
      expect(textOnTheWire(mapped.muid, mapped.payload)).toBe(`${text}.`);
      expect(metadataSchema.parse(chatferryOf(mapped)).files).toEqual([{ name: text, why: 'no address' }]);
    }
  });
});

describe('a message near the size limit', () => {
  const dropped = (dataBytesMax: number) =>
    chatferryOf(mapMessage(recordOf(heavy), contextOf({ limits: { dataBytesMax } }))).dropped;
  const many = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  const heavy: Partial<MessageRecord> = {
    reactions: [{ emoji: '👍', users: many(200, 'user-'), count: 200 }],
    mentions: many(100, 'mentioned-'),
    attachments: many(50, 'file-').map((name) => ({ name })),
    custom: { ticket: '4711' },
    links: [{ url: 'https://old.example/1', conversation: 'C2', id: '1' }],
  };

  it('loses parts in the published order, one by one', () => {
    expect(dropped(100_000)).toBeUndefined();
    expect(dropped(5000)).toEqual(['reactedBy']);
    expect(dropped(2900)).toEqual(['reactedBy', 'mentions']);
    expect(dropped(400)).toEqual([...dropOrder]);
    expect(dropOrder).toEqual(['reactedBy', 'mentions', 'links', 'custom', 'reactions', 'files']);
  });

  it('is measured in bytes of UTF-8', () => {
    const record = recordOf({ text: '日'.repeat(300), mentions: many(20, 'mentioned-') });
    const mapped = mapMessage(record, contextOf({ limits: { dataBytesMax: 1100 } }));
    expect(chatferryOf(mapped).dropped).toEqual(['mentions']);
  });

  it('keeps the counts of reactions when who reacted is dropped', () => {
    const mapped = mapMessage(recordOf(heavy), contextOf({ limits: { dataBytesMax: 5000 } }));
    expect(chatferryOf(mapped).reactions).toEqual([{ emoji: '👍', count: 200 }]);
  });

  it('is within the limit or invalid with both sizes, and keeps its text whole', () => {
    const part = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 30 });
    fc.assert(
      fc.property(anyText, part, part, fc.integer({ min: 150, max: 3000 }), (text, users, names, dataBytesMax) => {
        const record = recordOf({
          text: `${text}.`,
          reactions: [{ emoji: '😀', users, count: users.length }],
          mentions: users,
          attachments: names.map((name) => ({ name })),
        });
        const mapped = mapMessage(record, contextOf({ limits: { dataBytesMax } }));
        if (mapped.verdict === 'planned') {
          const { data } = payloadOf(mapped);
          expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(dataBytesMax);
          expect(data.text).toBe(`${text}.`);
          metadataSchema.parse(data.metadata.chatferry);
        } else {
          expect(mapped.reason).toBe('data-too-large');
        }
      }),
    );
  });
});

/** The text as a JSON parser on the other side reads it. */
function textOnTheWire(muid: string, payload: string): unknown {
  const parts = {
    muid,
    payload,
    sentAtMs,
    sender: person(1, 'u1'),
    peer: person(2, 'u2'),
    receiverType: 'user' as const,
    guid: 'c1',
    groupDetails: '{"guid":"c1"}',
    withSender: true,
    withReceiver: true,
  };
  const wire = wireMessage(parts, { timesAs: 'string', groupDetailsIn: 'receiverUserDetails' });
  const body = Buffer.from(`{"messages":{${wire}}}`).toString('utf8');
  return (JSON.parse(body) as { messages: Record<string, { data: { text: unknown } }> }).messages[muid]!.data.text;
}
