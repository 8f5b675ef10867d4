import type { Kind } from './kind.ts';
import { type EditedSample, put, replace } from './sample-edits.ts';

/** Text of the inner message. */
export const inner = 'Said inside of another row';
/** Its id, where it has one: a row that quotes or answers it names it. */
export const innerId = 'inner-7001';

interface NestedRow extends EditedSample {
  /** Location in the platform's data: `replies of a post`. */
  readonly where: string;
}

const slackRow = { type: 'message', user: 'U05HLPRIY3', text: inner, ts: '1772529300.000100' };
const graphRow = {
  id: '1772445699000',
  messageType: 'message',
  createdDateTime: '2026-03-02T10:01:39.000Z',
  chatId: '19:group0001@thread.v2',
  from: { user: { id: 'aaaaaaaa-0000-4000-8000-000000000001', displayName: 'Ines Bruun' } },
  body: { contentType: 'text', content: inner },
};
const matrixRow = {
  type: 'm.room.message',
  event_id: '$inner',
  room_id: '!lines:example.com',
  sender: '@ben:example.org',
  origin_server_ts: 1772442030000,
  content: { msgtype: 'm.text', body: inner, 'm.relates_to': { rel_type: 'm.thread', event_id: '$l1' } },
};
const thread = { unsigned: { 'm.relations': { 'm.thread': { count: 1, latest_event: matrixRow } } } };
const streamRow = {
  id: innerId,
  text: inner,
  type: 'regular',
  user: { id: 'kay', name: 'Kay' },
  created_at: '2026-03-02T09:00:30Z',
};

const slackDay = 'design/2026-03-03.json';
const discordFile = '[1477000000000000100] [part 2].json';

export const nestedRows: Kind<NestedRow> = {
  name: 'rows inside of rows',
  cases: {
    slack: [
      {
        where: 'message of a changed one',
        sample: 'every-feature',
        edits: [
          put(slackDay, '/-', {
            ...slackRow,
            text: undefined,
            subtype: 'message_changed',
            hidden: true,
            message: slackRow,
          }),
        ],
      },
      {
        where: 'message of a reply',
        sample: 'every-feature',
        edits: [
          put(slackDay, '/-', {
            type: 'message',
            subtype: 'message_replied',
            ts: '1772529301.000100',
            hidden: true,
            message: slackRow,
          }),
        ],
      },
      {
        where: 'replies of a message, as slackdump writes them',
        sample: 'every-feature',
        edits: [put(slackDay, '/0/slackdump_thread_replies', [slackRow])],
      },
      {
        where: 'attachment that shares a message',
        sample: 'every-feature',
        edits: [
          put(slackDay, '/0/attachments/-', {
            is_share: true,
            is_msg_unfurl: true,
            author_id: 'U05HLPRIY3',
            channel_id: 'C05GENERAL',
            ts: slackRow.ts,
            fallback: inner,
            text: inner,
          }),
        ],
      },
      {
        where: 'blocks of a shared message',
        sample: 'every-feature',
        edits: [
          put(slackDay, '/0/attachments/-', {
            is_share: true,
            is_msg_unfurl: true,
            author_id: 'U05HLPRIY3',
            ts: slackRow.ts,
            message_blocks: [
              {
                team: 'T05HARBOR1',
                channel: 'C05GENERAL',
                ts: slackRow.ts,
                message: {
                  blocks: [
                    {
                      type: 'rich_text',
                      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: inner }] }],
                    },
                  ],
                },
              },
            ],
          }),
        ],
      },
    ],
    discord: [
      {
        where: 'forwardedMessage',
        sample: 'server',
        edits: [
          put(discordFile, '/messages/0/forwardedMessage', {
            content: inner,
            timestamp: '2026-03-01T10:00:00+00:00',
            attachments: [],
            embeds: [],
          }),
        ],
      },
      {
        where: 'embed of a linked message',
        sample: 'server',
        edits: [
          put(discordFile, '/messages/0/embeds/-', {
            title: '',
            url: null,
            timestamp: null,
            description: inner,
            fields: [],
          }),
        ],
      },
    ],
    teams: [
      {
        where: 'replies of a message',
        sample: 'graph',
        edits: [put('messages.json', '/0/value/0/replies/-', graphRow)],
      },
      { where: 'messages of a chat', sample: 'graph', edits: [put('chats.json', '/value/0/messages/-', graphRow)] },
    ],
    signal: [
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
    googlechat: [
      {
        where: 'quoted_message_metadata',
        sample: 'takeout',
        edits: [
          put('Space AAAA1/messages.json', '/messages/0/quoted_message_metadata', {
            creator: { name: 'Tomasz', email: 'Tomasz@example.com' },
            text: inner,
          }),
        ],
      },
      {
        where: 'previous_message_versions',
        sample: 'takeout',
        edits: [
          put('Space AAAA1/messages.json', '/messages/0/previous_message_versions', [
            { text: inner, created_date: 'Monday, March 2, 2026 at 7:59:00 AM UTC' },
          ]),
        ],
      },
    ],
    mattermost: [
      {
        where: 'replies of a post',
        sample: 'every-feature',
        edits: [put('import.jsonl', '/14/post/replies/-', { user: 'kay', message: inner, create_at: 1772442007500 })],
      },
      {
        where: 'replies of a direct post',
        sample: 'every-feature',
        edits: [
          put('import.jsonl', '/29/direct_post/replies', [{ user: 'ines', message: inner, create_at: 1772442023500 }]),
        ],
      },
    ],
    rocketchat: [
      {
        where: 'attachment that quotes',
        sample: 'rest-answers',
        edits: [
          put('general.json', '/messages/0/attachments', [
            {
              author_name: 'tom',
              text: inner,
              message_link: 'https://chat.example.com/channel/general?msg=msg00000000000009',
              ts: '2026-03-01T09:00:00Z',
            },
          ]),
        ],
      },
      {
        where: 'attachment inside of a quote',
        sample: 'rest-answers',
        edits: [
          put('general.json', '/messages/0/attachments', [
            {
              author_name: 'tom',
              text: 'Outside',
              message_link: 'https://chat.example.com/channel/general?msg=msg00000000000009',
              attachments: [
                {
                  author_name: 'ines',
                  text: inner,
                  message_link: 'https://chat.example.com/channel/general?msg=msg00000000000008',
                },
              ],
            },
          ]),
        ],
      },
    ],
    matrix: [
      {
        where: 'latest answer of a thread',
        sample: 'lists',
        edits: [put('lines.jsonl', '/0/unsigned', thread.unsigned)],
      },
      {
        where: 'replacement in an event',
        sample: 'lists',
        edits: [
          put('lines.jsonl', '/0/unsigned', {
            'm.relations': {
              'm.replace': {
                ...matrixRow,
                sender: '@ann:example.com',
                content: {
                  msgtype: 'm.text',
                  body: `* ${inner}`,
                  'm.new_content': { msgtype: 'm.text', body: inner },
                  'm.relates_to': { rel_type: 'm.replace', event_id: '$l1' },
                },
              },
            },
          }),
        ],
      },
    ],
    stream: [
      {
        where: 'quoted_message',
        sample: 'channels-v2',
        edits: [put('export.jsonl', '/2/message/quoted_message', streamRow)],
      },
      {
        where: 'pinned_messages of a channel',
        sample: 'channels-v1',
        edits: [put('others.json', '/0/pinned_messages', [streamRow])],
      },
    ],
    twilio: [
      {
        where: 'messages of a conversation',
        sample: 'library-lists',
        edits: [
          put('conversations.json', '/0/messages/-', {
            sid: innerId,
            author: 'ines',
            body: inner,
            dateCreated: '2024-02-01T09:20:00.000Z',
          }),
        ],
      },
    ],
    pubnub: [
      {
        where: 'quoted message',
        sample: 'chat-sdk',
        edits: [
          put('direct.json', '/channels/direct.7/0/meta', {
            original: { message: { text: inner }, timetoken: '17724428000000000' },
          }),
        ],
      },
    ],
    talkjs: [
      {
        where: 'last message of a conversation',
        sample: 'rest-answers',
        edits: [
          put('conversations.json', '/data/0/lastMessage', {
            id: innerId,
            conversationId: 'harbour',
            senderId: 'ines',
            text: inner,
            createdAt: 1772443000000,
          }),
        ],
      },
    ],
    quickblox: [
      {
        where: 'parameter of a message',
        sample: 'quickblox-answers',
        edits: [put('harbour.json', '/items/0/reply', { _id: innerId, message: inner, sender_id: 101 })],
      },
    ],
    sendbird: [
      {
        where: 'parent_message_info',
        sample: 'data-export',
        edits: [
          put('harbour_2026-03_2.json', '/messages/0/parent_message_id', innerId),
          put('harbour_2026-03_2.json', '/messages/0/parent_message_info', {
            type: 'MESG',
            message: inner,
            ts: 1772442000000,
            user: { user_id: 'ines', nickname: 'Ines Bruun' },
          }),
        ],
      },
    ],
    zulip: [
      {
        where: 'edit_history',
        sample: 'whole-export',
        edits: [
          put(
            'messages-000001.json',
            '/zerver_message/0/edit_history',
            JSON.stringify([
              { user_id: 8, timestamp: 1772442250, prev_content: inner, prev_rendered_content: `<p>${inner}</p>` },
            ]),
          ),
        ],
      },
    ],
    chatferry: [
      {
        where: 'replies of a message',
        sample: 'every-field',
        edits: [
          replace('export.ndjson', '"sortKey":"0000000001"', `"sortKey":"0000000001","replies":[{"text":"${inner}"}]`),
        ],
      },
    ],
    json: [
      {
        where: 'list that the mapping does not name',
        sample: 'mapping-mongo-chat',
        edits: [put('messages.json', '/0/replies', [{ _id: 7, text: inner }])],
      },
      {
        where: 'list inside of a mapped list',
        sample: 'nested-list',
        edits: [
          put('export.json', '/data/rooms/0/messages/0/replies', [
            { id: '9', by: 'u2', at: 1772442900500, text: inner },
          ]),
        ],
      },
      {
        where: 'list of a room',
        sample: 'nested-list',
        edits: [put('export.json', '/data/rooms/0/archived', [{ id: '9', by: 'u2', at: 1772442900500, text: inner }])],
      },
    ],
    csv: [
      {
        where: 'list in a cell',
        sample: 'several-files',
        edits: [
          replace('messages-2024.csv', 'edited_at\n', 'edited_at,replies\n'),
          replace('messages-2024.csv', 'First,0,,\n', `First,0,,,"[{""text"":""${inner}""}]"\n`),
        ],
      },
    ],
    messenger: [
      {
        where: 'share of a message',
        sample: 'older-folders',
        edits: [put('Tomasz_AbC1/message_1.json', '/messages/0/share', { share_text: inner })],
      },
    ],
    instagram: [
      {
        where: 'share of a message',
        sample: 'older-folders',
        edits: [put('mei_5/message_1.json', '/messages/0/share', { share_text: inner, link: 'https://example.com/p' })],
      },
    ],
    telegram: [
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
    database: [
      {
        where: 'list in a column',
        sample: 'own-database-postgres',
        edits: [
          replace('export.sql', 'edited_at, deleted_at)', 'edited_at, deleted_at, replies)'),
          replace(
            'export.sql',
            /^(\s+deleted_at timestamp with time zone)$/m,
            '    deleted_at timestamp with time zone,\n    replies jsonb',
          ),
          replace(
            'export.sql',
            /^(?=5001\t10\t1)(.*)$/m,
            `5001\t10\t1\t\\N\tThe water is on\t2026-03-01 08:15:00+00\t\\N\t\\N\t[{"text": "${inner}"}]`,
          ),
        ],
      },
    ],
  },
  without: {
    line: 'A chat is a text with a message on each line: nothing can be inside of one',
    xmpp: 'A stanza that carries another one is no message itself, and one that answers another names it by its id',
    imessage: 'A row of a message holds no other row: earlier versions of its text are counted',
    viber: 'A row of an event holds no other row: the quoted text is that of a message with a row of its own',
    googlevoice: 'A page has its messages one below the other, none inside another',
    smsbackup: 'A message holds parts and addresses, and no other message',
    kakaotalk: 'A chat is a text with a message on each line: nothing can be inside of one',
    chatwoot: 'A message that is answered is named by its id alone',
    crisp: 'No message has another one in it',
    freshchat: 'A message that is answered is named by its id alone',
    livechat: 'An event that is answered is named by its id alone',
    hubspot: 'A message that is answered is named by its id alone',
    front:
      'A message that is answered is named by its address alone; the last message in a list of conversations is a copy',
    helpscout: 'No thread has another one in it',
    zendesk: 'No comment and no event of a chat has another one in it',
    intercom: 'No part of a conversation has another message in it',
    'chat-service': 'An action names the message that it is about, and that is a row of its own',
    whatsapp: 'A chat is a text with a message on each line: nothing can be inside of one',
    irc: 'A log is a text with a message on each line: nothing can be inside of one',
  },
};
