import { type Kinds, inner, put, replace, shared, unsent } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'No app writes data into messages, and none is for some of a conversation alone',
  nestedRows: [
    {
      where: 'revisions of an item',
      sample: 'plain-text-export',
      edits: [
        put('main.jsonl', '/15/chatItem/revisions/-', {
          chatId: '1',
          authorId: '1',
          dateSent: '1772442000900',
          outgoing: {},
          standardMessage: { text: { body: inner } },
        }),
      ],
    },
    {
      where: 'quote of an item',
      sample: 'plain-text-export',
      edits: [
        put('main.jsonl', '/15/chatItem/standardMessage/quote', {
          authorId: '3',
          type: 'NORMAL',
          text: { body: inner },
        }),
      ],
    },
  ],
  partialExports: 'Every export is of all chats of a device, and nothing in it counts them',
  messageNames: 'People are described once, by their ids; messages have ids alone',
  sameNames: [
    {
      by: 'the id of the group',
      sample: 'plain-text-export',
      edits: [
        put('main.jsonl', '/-', {
          recipient: {
            id: '61',
            group: {
              masterKey: 'CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg=',
              whitelisted: true,
              snapshot: { title: { title: shared }, members: [] },
            },
          },
        }),
        put('main.jsonl', '/-', { chat: { id: '61', recipientId: '61' } }),
        put('main.jsonl', '/-', {
          chatItem: {
            chatId: '61',
            authorId: '1',
            dateSent: '1772442900000',
            outgoing: {},
            standardMessage: { text: { body: 'Another crew' } },
          },
        }),
        replace('main.jsonl', '"title":"Harbour crew"', `"title":"${shared}"`),
      ],
    },
  ],
  overlaps: [
    {
      sample: 'plain-text-export',
      changed: 'a reaction',
      after: [
        put('main.jsonl', '/17/chatItem/standardMessage/reactions', [
          { emoji: '👍', authorId: '1', sentTimestamp: '1772442900000' },
        ]),
        put('main.jsonl', '/0/backupTimeMs', '1772628400000'),
      ],
    },
  ],
  decisions: [
    {
      files: {
        'Ann/chat.md':
          '[2026-03-01 10:00:00] Ann: hi\n[2026-03-01 10:01:00] Me: look\n[2026-02-01 10:00:00] Ben: old\n[2026-03-01 10:05:00] Me: bye\n',
      },
      asks: { 'signal-pasted': 'note' },
    },
  ],
  pastedLines: { asks: ['signal-pasted'], files: /\.md$/ },
  notSent: [
    {
      sample: 'plain-text-export',
      edits: [
        put('main.jsonl', '/15/chatItem/outgoing/sendStatus', [{ recipientId: '3', failed: { reason: 'NETWORK' } }]),
        put('main.jsonl', '/15/chatItem/standardMessage/text', { body: unsent }),
      ],
    },
  ],
};
