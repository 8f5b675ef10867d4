import type { Kind } from './kind.ts';
import { type Edit, put, replace, runSql } from './sample-edits.ts';

const slackDay = 'design/2026-03-03.json';
const discordFile = 'vera [1477000000000000720].json';
const sendbirdFile = 'harbour_2026-03_1.json';

/** In a table of ejabberd: a row that says nothing, and rows in its place. */
const emptyNotice = `bo,example.com,1772443400000000,ines@example.com,ines@example.com,"<message to='bo@example.com' from='ines@example.com' xmlns='jabber:client'><event xmlns='http://jabber.org/protocol/pubsub#event'><items node='urn:xmpp:avatar:metadata'><item id='current'/></items></event></message>",,15,chat,,2026-03-02 09:23:20`;
const ejabberdRow = (content: string) =>
  `harbour@conference.example.com,example.com,1772443400000000,ines@example.com/desk,ines@example.com,"<message to='harbour@conference.example.com' from='ines@example.com/desk' type='groupchat' id='g9' xmlns='jabber:client'>${content}</message>",,15,groupchat,Ines,2026-03-02 09:23:20`;
const correction = ejabberdRow("<body>Third of two</body><replace id='g6' xmlns='urn:xmpp:message-correct:0'/>");
const reaction = ejabberdRow(
  "<reactions id='1772443320000000' xmlns='urn:xmpp:reactions:0'><reaction>👍</reaction></reactions>",
);

interface SampleOverlap {
  readonly sample: string;
  /** The change: `a reaction`. */
  readonly changed: string;
  /** Edits for the earlier export, if it is not the sample itself. */
  readonly before?: readonly Edit[];
  /** Edits that turn the sample into the later export. */
  readonly after: readonly Edit[];
  /** The format dates no change of this kind: the plan asks which version counts. */
  readonly isUndated?: true;
}

const mattermostPost = (changes: Readonly<Record<string, unknown>>) =>
  Object.entries(changes).map(([key, value]) => put('import.jsonl', `/14/post/${key}`, value));

const rocketRow = (row: number, changes: Readonly<Record<string, unknown>>) =>
  Object.entries({ ...changes, _updatedAt: { $date: '2026-03-05T10:00:00.000Z' } }).map(([key, value]) =>
    put('rocketchat_message.json', `/${row}/${key}`, value),
  );

export const overlaps: Kind<SampleOverlap> = {
  name: 'messages that two exports have otherwise',
  cases: {
    chatwoot: [
      {
        sample: 'answers',
        changed: 'the text',
        after: [put('messages/7.json', '/payload/0/content', 'My boat leaks badly')],
        isUndated: true,
      },
      {
        sample: 'answers',
        changed: 'a deletion',
        after: [put('messages/7.json', '/payload/0/content_attributes/deleted', true)],
      },
    ],
    crisp: [
      {
        sample: 'answers',
        changed: 'the text',
        after: [put('conversation/session_b2/messages-1.json', '/data/1/content', 'Hello, Tomasz')],
        isUndated: true,
      },
    ],
    freshchat: [
      {
        sample: 'answers',
        changed: 'the text',
        after: [
          put(
            'c1a00000-0000-4000-8000-000000000001/messages-2.json',
            '/messages/3/message_parts/0/text/content',
            'My boat!',
          ),
        ],
        isUndated: true,
      },
    ],
    livechat: [
      {
        sample: 'answers',
        changed: 'the text',
        after: [put('archives-1.json', '/chats/0/thread/events/0/text', 'It leaks badly')],
        isUndated: true,
      },
      {
        sample: 'answers',
        changed: 'a deletion',
        after: [put('archives-1.json', '/chats/0/thread/events/0/deleted', true)],
      },
    ],
    hubspot: [
      {
        sample: 'answers',
        changed: 'the text',
        after: [
          put('8243595014.json', '/results/1/text', 'Here'),
          put('8243595014.json', '/results/1/updatedAt', '2026-03-04T09:00:00Z'),
        ],
      },
      { sample: 'answers', changed: 'a deletion', after: [put('8243595014.json', '/results/1/archived', true)] },
    ],
    front: [
      {
        sample: 'answers',
        changed: 'the text',
        after: [put('messages/cnv_7a-2.json', '/_results/2/body', 'My boat leaks badly')],
        isUndated: true,
      },
      {
        sample: 'answers',
        changed: 'a deletion',
        after: [put('conversations.json', '/_results/0/status', 'deleted')],
      },
    ],
    helpscout: [
      {
        sample: 'answers',
        changed: 'the text',
        after: [
          put('conversations.json', '/_embedded/conversations/0/_embedded/threads/8/body', 'My boat leaks badly'),
        ],
        isUndated: true,
      },
      {
        sample: 'lines',
        changed: 'a deletion',
        after: [put('export.ndjson', '/0/state', 'deleted')],
      },
    ],
    xmpp: [
      {
        sample: 'ejabberd',
        changed: 'the text',
        after: [replace('archive.csv', emptyNotice, correction)],
      },
      {
        sample: 'ejabberd',
        changed: 'a reaction',
        after: [replace('archive.csv', emptyNotice, reaction)],
      },
    ],
    zendesk: [
      {
        sample: 'support',
        changed: 'the text',
        after: [put('501/comments.json', '/comments/0/html_body', '<p>My ▇▇▇▇ leaks</p>')],
        isUndated: true,
      },
    ],
    intercom: [
      {
        sample: 'answers',
        changed: 'the text',
        after: [
          put('123.json', '/conversation_parts/conversation_parts/0/body', '<p>Where?</p>'),
          put('123.json', '/conversation_parts/conversation_parts/0/updated_at', 1772449000),
        ],
      },
      {
        sample: 'answers',
        changed: 'a deletion',
        after: [
          put('123.json', '/conversation_parts/conversation_parts/0/redacted', true),
          put('123.json', '/conversation_parts/conversation_parts/0/updated_at', 1772449000),
        ],
      },
    ],
    slack: [
      {
        sample: 'every-feature',
        changed: 'the text',
        after: [
          put(slackDay, '/0/text', 'New colours'),
          put(slackDay, '/0/edited', { user: 'U05HLPRIY3', ts: '1772529999.000000' }),
        ],
      },
      {
        sample: 'every-feature',
        changed: 'a reaction',
        isUndated: true,
        after: [put(slackDay, '/0/reactions', [{ name: 'wave', users: ['U05HLPRIY3'], count: 1 }])],
      },
      {
        sample: 'every-feature',
        changed: 'a deletion',
        after: Object.entries({
          subtype: 'tombstone',
          user: 'USLACKBOT',
          text: 'This message was deleted.',
          hidden: true,
          files: undefined,
        }).map(([key, value]) => put(slackDay, `/0/${key}`, value)),
      },
    ],
    discord: [
      {
        sample: 'direct',
        changed: 'a pin',
        before: [put(discordFile, '/exportedAt', '2026-03-08T10:00:00+00:00')],
        after: [
          put(discordFile, '/exportedAt', '2026-03-09T10:00:00+00:00'),
          put(discordFile, '/messages/0/isPinned', true),
        ],
      },
      {
        sample: 'direct',
        changed: 'a pin that was taken off',
        before: [
          put(discordFile, '/exportedAt', '2026-03-08T10:00:00+00:00'),
          put(discordFile, '/messages/0/isPinned', true),
        ],
        after: [
          put(discordFile, '/exportedAt', '2026-03-09T10:00:00+00:00'),
          put(discordFile, '/messages/0/isPinned', false),
        ],
      },
      {
        sample: 'direct',
        changed: 'a reaction',
        before: [put(discordFile, '/exportedAt', '2026-03-08T10:00:00+00:00')],
        after: [
          put(discordFile, '/exportedAt', '2026-03-09T10:00:00+00:00'),
          put(discordFile, '/messages/0/reactions', [{ emoji: { name: '🌊' }, count: 1 }]),
        ],
      },
    ],
    telegram: [
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
    teams: [
      {
        sample: 'graph',
        changed: 'a reaction',
        after: [
          put('messages.json', '/0/value/0/reactions', [
            {
              reactionType: 'like',
              createdDateTime: '2026-03-02T11:00:00Z',
              user: { user: { id: 'aaaaaaaa-0000-4000-8000-000000000001' } },
            },
          ]),
          put('messages.json', '/0/value/0/lastModifiedDateTime', '2026-03-02T11:00:00.000Z'),
        ],
      },
      {
        sample: 'graph',
        changed: 'a deletion',
        after: [
          put('messages.json', '/0/value/0/deletedDateTime', '2026-03-02T11:00:00Z'),
          put('messages.json', '/0/value/0/lastModifiedDateTime', '2026-03-02T11:00:00.000Z'),
          put('messages.json', '/0/value/0/body/content', ''),
        ],
      },
    ],
    signal: [
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
    googlechat: [
      {
        sample: 'takeout',
        changed: 'the text',
        after: [
          put('Space AAAA1/messages.json', '/messages/1/text', 'Thank you!'),
          put('Space AAAA1/messages.json', '/messages/1/updated_date', 'Monday, March 2, 2026 at 8:09:00 AM UTC'),
        ],
      },
      {
        sample: 'takeout',
        changed: 'a reaction',
        isUndated: true,
        after: [
          put('Space AAAA1/messages.json', '/messages/1/reactions', [
            { emoji: { unicode: '👍' }, reactor_emails: ['ines@example.com'] },
          ]),
        ],
      },
    ],
    messenger: [
      {
        sample: 'older-folders',
        changed: 'a reaction',
        isUndated: true,
        after: [put('Tomasz_AbC1/message_1.json', '/messages/0/reactions', [{ reaction: 'x', actor: 'Tomasz' }])],
      },
    ],
    instagram: [
      {
        sample: 'older-folders',
        changed: 'a reaction',
        isUndated: true,
        after: [put('mei_5/message_1.json', '/messages/0/reactions', [{ reaction: 'x', actor: 'mei' }])],
      },
    ],
    mattermost: [
      {
        sample: 'every-feature',
        changed: 'the text',
        after: mattermostPost({ message: 'First of three', edit_at: 1772443000000 }),
      },
      {
        sample: 'every-feature',
        changed: 'a reaction',
        after: [
          ...mattermostPost({ reactions: [{ user: 'ines', emoji_name: 'wave', create_at: 1772443000000 }] }),
          put('import.jsonl', '/0/info/created', '2026-03-09T10:00:00Z'),
        ],
      },
      {
        sample: 'every-feature',
        changed: 'a pin',
        after: [...mattermostPost({ is_pinned: true }), put('import.jsonl', '/0/info/created', '2026-03-09T10:00:00Z')],
      },
    ],
    rocketchat: [
      {
        sample: 'collections',
        changed: 'a reaction',
        after: rocketRow(1, { reactions: { ':wave:': { usernames: ['ines'] } } }),
      },
      { sample: 'collections', changed: 'a pin', after: rocketRow(2, { pinned: true }) },
      { sample: 'collections', changed: 'a pin that was taken off', after: rocketRow(1, { pinned: false }) },
      { sample: 'collections', changed: 'a deletion', after: rocketRow(1, { t: 'rm', msg: '', reactions: undefined }) },
    ],
    matrix: [
      {
        sample: 'lists',
        changed: 'the text',
        after: [
          put('lines.jsonl', '/-', {
            type: 'm.room.message',
            event_id: '$edit',
            room_id: '!lines:example.com',
            sender: '@ann:example.com',
            origin_server_ts: 1772442030000,
            content: {
              msgtype: 'm.text',
              body: '* On one line',
              'm.new_content': { msgtype: 'm.text', body: 'On one line' },
              'm.relates_to': { rel_type: 'm.replace', event_id: '$l1' },
            },
          }),
        ],
      },
      {
        sample: 'lists',
        changed: 'a reaction',
        isUndated: true,
        after: [
          put('lines.jsonl', '/-', {
            type: 'm.reaction',
            event_id: '$react',
            room_id: '!lines:example.com',
            sender: '@ben:example.org',
            origin_server_ts: 1772442030000,
            content: { 'm.relates_to': { rel_type: 'm.annotation', event_id: '$l1', key: '👍' } },
          }),
        ],
      },
    ],
    stream: [
      {
        sample: 'channels-v2',
        changed: 'a reaction',
        before: [put('export.jsonl', '/3/message/updated_at', '2026-03-02T09:00:00Z')],
        after: [
          put('export.jsonl', '/3/message/updated_at', '2026-03-02T10:00:00Z'),
          put('export.jsonl', '/3/message/reaction_counts', { wow: 2 }),
        ],
      },
      {
        sample: 'channels-v2',
        changed: 'a pin',
        before: [put('export.jsonl', '/3/message/updated_at', '2026-03-02T09:00:00Z')],
        after: [
          put('export.jsonl', '/3/message/updated_at', '2026-03-02T10:00:00Z'),
          put('export.jsonl', '/3/message/pinned', true),
        ],
      },
    ],
    sendbird: [
      {
        sample: 'data-export',
        changed: 'a reaction',
        after: [
          put(sendbirdFile, '/messages/1/reactions', [{ key: 'wave', user_ids: ['ines'], updated_at: 1772442901000 }]),
        ],
      },
      {
        sample: 'data-export',
        changed: 'the text',
        after: [
          put(sendbirdFile, '/messages/1/message', 'I have it'),
          put(sendbirdFile, '/messages/1/updated_at', 1772442902000),
        ],
      },
      {
        sample: 'data-export',
        changed: 'a deletion',
        after: [put(sendbirdFile, '/messages/1/is_removed', true)],
      },
    ],
    twilio: [
      {
        sample: 'conversations',
        changed: 'the text',
        after: [
          put('messages-0.json', '/messages/0/body', 'Who is still there?'),
          put('messages-0.json', '/messages/0/date_updated', '2026-03-02T11:00:00Z'),
        ],
      },
      {
        sample: 'programmable-chat',
        changed: 'the mark of an edit',
        after: [
          put('messages.json', '/messages/0/body', 'Moor at once'),
          put('messages.json', '/messages/0/was_edited', true),
          put('messages.json', '/messages/0/date_updated', '2019-05-01T11:00:00Z'),
        ],
      },
    ],
    pubnub: [
      {
        sample: 'chat-sdk',
        changed: 'a reaction',
        after: [
          put('direct.json', '/channels/direct.7/0/actions', {
            reactions: { wave: [{ uuid: 'bo', actionTimetoken: '17724429990000000' }] },
          }),
        ],
      },
      {
        sample: 'chat-sdk',
        changed: 'the text',
        after: [
          put('direct.json', '/channels/direct.7/0/actions', {
            edited: { 'Are you still there?': [{ uuid: 'ines', actionTimetoken: '17724429990000000' }] },
          }),
        ],
      },
      {
        sample: 'chat-sdk',
        changed: 'a deletion',
        after: [
          put('direct.json', '/channels/direct.7/0/actions', {
            deleted: { deleted: [{ uuid: 'ines', actionTimetoken: '17724429990000000' }] },
          }),
        ],
      },
    ],
    talkjs: [
      {
        sample: 'rest-answers',
        changed: 'the text',
        after: [
          put('harbour.json', '/data/0/content', [{ type: 'text', children: ['Last of all, again'] }]),
          put('harbour.json', '/data/0/editedAt', 1772443000000),
        ],
      },
      {
        sample: 'rest-answers',
        changed: 'a reaction',
        isUndated: true,
        after: [put('harbour.json', '/data/0/reactions', { '👍': ['bo'] })],
      },
    ],
    quickblox: [
      {
        sample: 'quickblox-answers',
        changed: 'the text',
        after: [
          put('harbour.json', '/items/0/message', 'Who still has the key?'),
          put('harbour.json', '/items/0/updated_at', '2026-03-02T10:00:00Z'),
        ],
      },
      {
        sample: 'connectycube-answers',
        changed: 'a reaction',
        after: [
          put('messages.json', '/items/2/reactions', { own: [], total: { '👍': 1 } }),
          put('messages.json', '/items/2/updated_at', '2026-03-02T10:00:00Z'),
        ],
      },
    ],
    zulip: [
      {
        sample: 'whole-export',
        changed: 'the text',
        after: [
          put('messages-000001.json', '/zerver_message/0/content', 'Later'),
          put('messages-000001.json', '/zerver_message/0/last_edit_time', 1772449000),
        ],
      },
      {
        sample: 'whole-export',
        changed: 'a reaction',
        isUndated: true,
        after: [
          put('realm.json', '/zerver_reaction/-', {
            id: 99,
            user_profile: 8,
            message: 105,
            emoji_name: 'wave',
            emoji_code: '1f44b',
            reaction_type: 'unicode_emoji',
          }),
        ],
      },
    ],
    chatferry: [
      {
        sample: 'every-field',
        changed: 'the text',
        after: [
          replace('export.ndjson', '"text":"High water at ten"', '"text":"High water at six"'),
          replace('export.ndjson', '"atMs":1709251300000', '"atMs":1709259300000'),
        ],
      },
      {
        sample: 'every-field',
        changed: 'a pin',
        isUndated: true,
        after: [replace('export.ndjson', ',"isPinned":true', '')],
      },
    ],
    'chat-service': [
      {
        sample: 'fetched',
        changed: 'a reaction',
        after: [
          put('messages.ndjson', '/1/data/reactions', [{ reaction: '👍', count: 1 }]),
          put('messages.ndjson', '/1/updatedAt', 1772479000),
        ],
      },
    ],
    viber: [
      {
        sample: 'desktop',
        changed: 'the text',
        after: [
          runSql(
            'viber.db',
            `UPDATE Messages SET Body = 'At another time', Info = '{"desktop_info":{"edit_token":9}}' WHERE EventID = 25;
             INSERT INTO Events (EventID, TimeStamp, Direction, Type, ChatID, ContactID, Token) VALUES (90, 1772442900000, 1, 0, 3, 1, 9);
             INSERT INTO Messages (EventID, Type, Body, Info) VALUES (90, 1, 'At another time', '{"edit":{"token":6200000000000000024}}')`,
          ),
        ],
      },
      {
        sample: 'desktop',
        changed: 'a reaction',
        after: [
          runSql(
            'viber.db',
            `INSERT INTO Events (EventID, TimeStamp, Direction, Type, ChatID, ContactID, Token) VALUES (91, 1772442900000, 0, 3, 1, 3, 91);
             INSERT INTO Messages (EventID, Type, PGIsLiked) VALUES (91, 0, 5);
             INSERT INTO LikeRelation VALUES (6200000000000000002, 91)`,
          ),
        ],
      },
    ],
    imessage: [
      {
        sample: 'mac',
        changed: 'the text',
        after: [
          runSql(
            'chat.db',
            "UPDATE message SET text = 'At another time', date_edited = 794134900000000000 WHERE ROWID = 10",
          ),
        ],
      },
      {
        sample: 'mac',
        changed: 'a reaction',
        after: [
          runSql(
            'chat.db',
            `INSERT INTO message (guid, date, handle_id, associated_message_type, associated_message_guid)
             SELECT 'R', 794134900000000000, 4, 2001, 'p:0/' || guid FROM message WHERE ROWID = 10`,
          ),
        ],
      },
      {
        sample: 'mac',
        changed: 'a deletion',
        after: [
          runSql(
            'chat.db',
            `DELETE FROM chat_message_join WHERE message_id = 10;
             INSERT INTO chat_recoverable_message_join VALUES (4, 10, 794134900000000000)`,
          ),
        ],
      },
    ],
    csv: [
      {
        sample: 'several-files',
        changed: 'the text',
        after: [replace('messages-2024.csv', 'Answer,1,,2024-03-01T12:00:00Z', 'Answers,1,,2024-03-01T15:00:00Z')],
      },
      {
        sample: 'two-people',
        changed: 'the text',
        isUndated: true,
        after: [replace('export.csv', 'Ids with a colon', 'Ids with two')],
      },
    ],
    json: [
      {
        sample: 'mapping-mongo-chat',
        changed: 'the text',
        after: [
          put('messages.json', '/1/text', 'Yes, with rice'),
          put('messages.json', '/1/updatedAt', { $date: '2026-02-03T17:05:00Z' }),
        ],
      },
      {
        sample: 'nested-list',
        changed: 'the text',
        isUndated: true,
        after: [put('export.json', '/data/rooms/0/messages/0/text', 'Good evening')],
      },
    ],
  },
  known: {
    matrix: 'A reaction is an event with a time, and that time is not kept: a plan asks which version counts',
  },
  without: {
    line: 'A message has no id but its time, author and text: a changed one is another message',
    kakaotalk: 'A message has no id but its time, author and text: a changed one is another message',
    googlevoice: 'A message has no id but its number, time and text: no message is ever changed',
    smsbackup: 'A message has no id but its number, time and text: a phone changes no message',
    database: 'Several databases are never one export: a later dump is another plan, and the later plan counts',
    whatsapp:
      'A message has no id but its time, author and text: a changed one is another message, and the mark of an edit has no time',
    irc: 'A log only grows: no line of it is ever changed, and a line has no id but its words',
  },
};
