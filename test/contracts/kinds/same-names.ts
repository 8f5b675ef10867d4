import type { Kind } from './kind.ts';
import { add, type EditedSample, put, replace, runSql } from './sample-edits.ts';

/** The name that two conversations have. */
export const shared = 'Harbour crew seven';

interface SameName extends EditedSample {
  /** The property that distinguishes them: `the id of the room`. */
  readonly by: string;
  /** Name of both, if it is another one. */
  readonly name?: string;
  /** The code with which the source asks whether they are one: it has nothing but their names. */
  readonly asks?: string;
}

const nameEvent = (room: string) => ({
  type: 'm.room.name',
  event_id: `$name-${room}`,
  room_id: room,
  sender: '@ann:example.com',
  state_key: '',
  origin_server_ts: 1772442001000,
  content: { name: shared },
});

const discordChannel = (id: string) =>
  JSON.stringify({
    guild: { id: '1477000000000000001', name: 'Harbour' },
    channel: { id, type: 'GuildTextChat', name: shared },
    messages: [
      {
        id: `${id}9`,
        type: 'Default',
        timestamp: '2026-03-02T10:00:00+00:00',
        content: 'tide',
        author: { id: '300000000000000001', name: 'ines' },
      },
    ],
  });

const telegramGroup = {
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

const teamsRow = {
  Id: '1772445700000',
  MessageType: 'message',
  CreatedDateTime: '2026-03-02T10:01:40.000Z',
  ChannelIdentity: { TeamId: 'bbbbbbbb-0000-4000-8000-000000000001', ChannelId: '19:private0001@thread.tacv2' },
  From: { User: { Id: 'aaaaaaaa-0000-4000-8000-000000000002', DisplayName: 'Tomasz Krol' } },
  Body: { ContentType: 'text', Content: 'Another crew' },
};

const sendbirdRow = {
  type: 'MESG',
  message_id: 70001,
  message: 'Another crew',
  created_at: 1772442009000,
  channel_url: 'sendbird_open_channel_3_tides',
  user: { user_id: 'ines', nickname: 'Ines Bruun' },
};

const ownRow = {
  kind: 'message',
  origin: { source: 'harbour-chat', workspace: 'lighthouse', conversation: 'room-2', id: '90' },
  sortKey: '0000000090',
  sentAtMs: 1709251990000,
  author: '1001',
  text: 'Another crew',
};

export const sameNames: Kind<SameName> = {
  name: 'conversations of one name',
  cases: {
    chatwoot: [
      {
        by: 'the id of the conversation',
        sample: 'answers',
        edits: [0, 1].map((at) => put('conversations.json', `/data/payload/${at}/meta/sender/available_name`, shared)),
      },
    ],
    crisp: [
      {
        by: 'the id of the conversation',
        sample: 'answers',
        edits: [0, 1].map((at) => put('conversations-1.json', `/data/${at}/meta/nickname`, shared)),
      },
    ],
    livechat: [
      {
        by: 'the id of the chat',
        sample: 'answers',
        edits: [
          put('archives-1.json', '/chats/1/users/0/name', shared),
          put('chats.json', '/chats_summary/0/users/0/name', shared),
        ],
      },
    ],
    front: [
      {
        by: 'the id of the conversation',
        sample: 'answers',
        edits: [0, 1].map((at) => put('conversations.json', `/_results/${at}/subject`, shared)),
      },
    ],
    helpscout: [
      {
        by: 'the id of the conversation',
        sample: 'answers',
        edits: [0, 1].map((at) => put('conversations.json', `/_embedded/conversations/${at}/subject`, shared)),
      },
    ],
    zendesk: [
      {
        by: 'the id of the ticket',
        sample: 'support',
        edits: [put('tickets.json', '/tickets/0/subject', shared), put('tickets.json', '/tickets/1/subject', shared)],
      },
    ],
    intercom: [
      {
        by: 'the id of the conversation',
        sample: 'answers',
        edits: [put('123.json', '/source/subject', shared), put('124.json', '/source/subject', shared)],
      },
    ],
    slack: [{ by: 'the id of the channel', sample: 'enterprise-grid', name: 'general', edits: [] }],
    discord: [
      {
        by: 'the id of the channel',
        sample: 'direct',
        edits: [100, 101].map((id) =>
          add(`Harbour - Piers - ${shared} [1477000000000000${id}].json`, discordChannel(`1477000000000000${id}`)),
        ),
      },
    ],
    telegram: [
      {
        by: 'the kind and id of the chat',
        sample: 'account',
        edits: [put('result.json', '/chats/list/5/name', shared), put('result.json', '/chats/list/-', telegramGroup)],
      },
    ],
    teams: [
      {
        by: 'the id of the channel',
        sample: 'tenant',
        edits: [
          ...[0, 1].map((at) =>
            put('channels_bbbbbbbb-0000-4000-8000-000000000001.json', `/${at}/DisplayName`, shared),
          ),
          put('messages_bbbbbbbb-0000-4000-8000-000000000001.json', '/-', teamsRow),
        ],
      },
    ],
    signal: [
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
    whatsapp: [
      {
        by: 'what was said first',
        sample: 'android',
        name: 'Harbour crew',
        asks: 'whatsapp-same-name',
        edits: [
          add(
            'other/WhatsApp Chat with Harbour crew.txt',
            '3/15/24, 9:00 AM - Mia: Another crew\n3/15/24, 9:01 AM - Ole: Indeed\n',
          ),
        ],
      },
    ],
    googlechat: [
      {
        by: 'the id of the space, in the name of its folder',
        sample: 'takeout',
        edits: [
          put('Space AAAA1/group_info.json', '/name', shared),
          add(
            'Takeout/Google Chat/Groups/Space BBBB2/group_info.json',
            JSON.stringify({
              name: shared,
              members: [{ name: 'Tomasz', email: 'Tomasz@example.com', user_type: 'Human' }],
            }),
          ),
          add(
            'Takeout/Google Chat/Groups/Space BBBB2/messages.json',
            JSON.stringify({
              messages: [
                {
                  creator: { name: 'Tomasz', email: 'Tomasz@example.com', user_type: 'Human' },
                  created_date: 'Monday, March 2, 2026 at 8:05:00 AM UTC',
                  text: 'Another crew',
                  topic_id: 't1',
                  message_id: 'BBBB2/t1/t1',
                },
              ],
            }),
          ),
        ],
      },
    ],
    messenger: [
      {
        by: 'the path of the thread',
        sample: 'older-folders',
        edits: [
          put('Crew_9/message_1.json', '/title', shared),
          put('Tomasz_AbC1/message_1.json', '/title', shared),
          put('Tomasz_AbC1/message_1.json', '/participants/-', { name: 'Mei' }),
        ],
      },
    ],
    instagram: [
      {
        by: 'the path of the thread',
        sample: 'download',
        edits: [
          put('inbox/crew_33/message_1.json', '/title', shared),
          put('tom.k_178/message_1.json', '/title', shared),
          put('tom.k_178/message_1.json', '/participants/-', { name: 'mei' }),
        ],
      },
    ],
    irc: [
      {
        by: 'the network, in the name of a folder',
        sample: 'irssi',
        name: '#harbour',
        edits: [
          add(
            'othernet/#harbour.log',
            '--- Log opened Mon Mar 02 09:14:55 2026\n09:15 < mia> Another crew\n09:16 < ole> Indeed\n',
          ),
        ],
      },
    ],
    mattermost: [
      {
        by: 'the name in the address',
        sample: 'every-feature',
        edits: [3, 4].map((at) => put('import.jsonl', `/${at}/channel/display_name`, shared)),
      },
    ],
    viber: [
      {
        by: 'the token of the chat',
        sample: 'desktop',
        edits: [runSql('viber.db', `UPDATE ChatInfo SET Name = '${shared}' WHERE ChatID IN (1, 4)`)],
      },
    ],
    imessage: [
      {
        by: 'the id of the chat',
        sample: 'mac',
        edits: [runSql('chat.db', `UPDATE chat SET display_name = '${shared}' WHERE style = 43`)],
      },
    ],
    line: [
      {
        by: 'the path of the file',
        sample: 'damaged-lines',
        asks: 'line-same-name',
        edits: [
          replace('[LINE]chat-1.txt', 'with Ann Kai', `with ${shared}`),
          replace('[LINE]chat-2.txt', 'with Pier', `with ${shared}`),
        ],
      },
    ],
    kakaotalk: [
      {
        by: 'the path of the file',
        sample: 'damaged-lines',
        asks: 'kakaotalk-same-name',
        edits: [
          replace('KakaoTalk_Chats_1.txt', 'with Ann Kai', `with ${shared}`),
          replace('KakaoTalk_Chats_2.txt', 'Pier 님과', `${shared} 님과`),
        ],
      },
    ],
    rocketchat: [
      {
        by: 'the id of the room',
        sample: 'collections',
        edits: [0, 1].flatMap((at) => [
          put('rocketchat_room.json', `/${at}/fname`, shared),
          put('rocketchat_room.json', `/${at}/name`, shared),
        ]),
      },
    ],
    matrix: [
      {
        by: 'the id of the room',
        sample: 'lists',
        edits: [
          put('lines.jsonl', '/-', nameEvent('!lines:example.com')),
          put('lines.jsonl', '/-', nameEvent('!other:example.com')),
          put('lines.jsonl', '/-', {
            ...nameEvent('!other:example.com'),
            type: 'm.room.message',
            event_id: '$other',
            state_key: undefined,
            content: { msgtype: 'm.text', body: 'Another crew' },
          }),
        ],
      },
    ],
    stream: [
      {
        by: 'the id of the channel',
        sample: 'import-v2',
        edits: [5, 6].map((at) => put('import.jsonl', `/${at}/data/name`, shared)),
      },
    ],
    sendbird: [
      {
        by: 'the address of the channel',
        sample: 'data-export',
        edits: [
          put('channels_1.json', '/group_channels/0/name', shared),
          put('channels_1.json', '/open_channels/0/name', shared),
          put('pair_2026-03.json', '/messages/-', sendbirdRow),
        ],
      },
    ],
    twilio: [
      {
        by: 'the sid of the conversation',
        sample: 'conversations',
        edits: [0, 1].map((at) => put('conversations.json', `/conversations/${at}/friendly_name`, shared)),
      },
    ],
    pubnub: [
      {
        by: 'the id of the channel',
        sample: 'chat-sdk',
        edits: [0, 1].flatMap((at) => [
          put('channels.json', `/data/${at}/name`, shared),
          put('channels.json', `/data/${at}/type`, 'group'),
        ]),
      },
    ],
    talkjs: [
      {
        by: 'the id of the conversation',
        sample: 'rest-answers',
        edits: [0, 1].map((at) => put('conversations.json', `/data/${at}/subject`, shared)),
      },
    ],
    quickblox: [
      {
        by: 'the id of the dialog',
        sample: 'quickblox-answers',
        edits: [0, 1].flatMap((at) => [
          put('dialogs.json', `/items/${at}/name`, shared),
          put('dialogs.json', `/items/${at}/type`, 2),
        ]),
      },
    ],
    zulip: [
      {
        by: 'the id of the channel',
        sample: 'whole-export',
        edits: [0, 1].map((at) => put('realm.json', `/zerver_stream/${at}/name`, shared)),
      },
    ],
    chatferry: [
      {
        by: 'the id of the conversation',
        sample: 'every-field',
        edits: [...[5, 6].map((at) => put('export.ndjson', `/${at}/name`, shared)), put('export.ndjson', '/-', ownRow)],
      },
    ],
    'chat-service': [
      {
        by: 'the guid of the group',
        sample: 'fetched',
        edits: [
          replace('messages.ndjson', /"name":"Harbour crew"/g, `"name":"${shared}"`),
          put('messages.ndjson', '/-', {
            id: '901',
            conversationId: 'group_second',
            sender: 'ines',
            receiverType: 'group',
            receiver: 'second',
            category: 'message',
            type: 'text',
            data: {
              text: 'Another crew',
              entities: {
                sender: { entityType: 'user', entity: { uid: 'ines', name: 'Ines' } },
                receiver: { entityType: 'group', entity: { guid: 'second', name: shared, type: 'private' } },
              },
            },
            sentAt: 1772467999,
          }),
        ],
      },
    ],
    csv: [
      {
        by: 'the column with the id',
        sample: 'several-files',
        edits: [replace('rooms.csv', 'General', shared), replace('rooms.csv', 'Old things', shared)],
      },
    ],
    json: [
      {
        by: 'the field with the id',
        sample: 'nested-list',
        edits: [0, 1].map((at) => put('export.json', `/data/rooms/${at}/title`, shared)),
      },
    ],
    database: [
      {
        by: 'the column with the id',
        sample: 'own-database-postgres',
        edits: [replace('export.sql', 'Allotments', shared), replace('export.sql', 'Compost rota', shared)],
      },
    ],
  },
  without: {
    freshchat: 'Conversations have no names: each is called by its id',
    hubspot: 'A thread has no name but its id',
    googlevoice: 'A conversation is the set of its numbers, whatever its pages are called',
    xmpp: 'Rooms and chats have addresses: no two have the same',
    smsbackup: 'Chats of two have no name, and a group is the set of its numbers, whatever it is called',
  },
};
