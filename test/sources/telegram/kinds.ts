import { type Kinds, inner, put, remove, shared, replace } from '../../contracts/kinds/kind.ts';

const otherGroup = {
  name: shared,
  type: 'private_group',
  id: 202,
  messages: [
    {
      id: 1,
      type: 'message',
      date: '2026-03-02T10:00:00',
      date_unixtime: '1772442000',
      from: 'Ines',
      from_id: 'user101',
      text: 'Another crew',
    },
  ],
};

/** A page of a chat with somebody who has left Telegram. */
const page = (
  id: number,
) => `<!DOCTYPE html><html><head><title>Exported Data</title></head><body><div class="page_wrap">
<div class="page_header"><div class="content"><div class="text bold">Deleted Account</div></div></div>
<div class="page_body chat_page"><div class="history"><div class="message default clearfix" id="message${id}"><div class="body">
<div class="pull_right date details" title="12.10.2020 08:03:00 UTC+03:00">x</div><div class="from_name">Deleted Account</div>
<div class="text">Said ${id}</div></div></div></div></div></div></body></html>`;

export const kinds: Kinds = {
  ownData: [
    {
      where: 'fields that are not known',
      sample: 'account',
      edits: (data) => [put('result.json', '/chats/list/0/messages/0/app', data)],
    },
  ],
  nestedRows: [
    {
      where: 'messages of a chat that was left',
      sample: 'account',
      edits: [
        put('result.json', '/left_chats', {
          about: 'Left',
          list: [
            {
              name: 'Old crew',
              type: 'private_group',
              id: 909,
              messages: [
                {
                  id: 1,
                  type: 'message',
                  date: '2026-03-02T10:00:00',
                  date_unixtime: '1772442000',
                  from: 'Ines',
                  from_id: 'user101',
                  text: inner,
                },
              ],
            },
          ],
        }),
      ],
    },
    {
      where: 'list inside of a message',
      sample: 'account',
      edits: [
        put('result.json', '/chats/list/0/messages/0/replies', [
          { id: 99, type: 'message', date_unixtime: '1772442000', from: 'Ines', from_id: 'user101', text: inner },
        ]),
      ],
    },
  ],
  partialExports: [{ says: 'a next page that is not there', sample: 'pages', edits: [remove('messages2.html')] }],
  messageNames: 'The signature of a post is kept as custom data: who writes is the channel',
  sameNames: [
    {
      by: 'the kind and id of the chat',
      sample: 'account',
      edits: [put('result.json', '/chats/list/5/name', shared), put('result.json', '/chats/list/-', otherGroup)],
    },
  ],
  overlaps: [
    {
      sample: 'account',
      changed: 'the text',
      after: [
        put('result.json', '/chats/list/0/messages/0/text', 'Do you have it?'),
        put('result.json', '/chats/list/0/messages/0/text_entities', [{ type: 'plain', text: 'Do you have it?' }]),
        put('result.json', '/chats/list/0/messages/0/edited_unixtime', '1772449000'),
        put('result.json', '/chats/list/0/messages/0/edited', '2026-03-02T12:00:00'),
      ],
    },
    {
      sample: 'account',
      changed: 'a reaction',
      isUndated: true,
      after: [put('result.json', '/chats/list/0/messages/0/reactions', [{ type: 'emoji', count: 1, emoji: '👍' }])],
    },
  ],
  fileKinds: [
    {
      kind: 'audio',
      sample: 'supergroup',
      edits: [
        replace('result.json', 'audio_1@02-03-2026_10-09-00.ogg', 'audio_1'),
        replace('result.json', 'audio/ogg', ''),
      ],
    },
  ],
  decisions: [
    {
      files: {
        'DataExport/chats/chat_01/messages.html': page(5),
        'DataExport/chats/chat_02/messages.html': page(6),
      },
      asks: { 'telegram-same-name': 1 },
    },
  ],
};
