import type { memoryInput } from '../memory-input.ts';
import type { Kind } from './kind.ts';

/** One id that writes under several names; each text is the name under which it is written. */
interface NamedMessages {
  /** `aliases` */
  readonly form: string;
  readonly files: Parameters<typeof memoryInput>[0];
}

const names = ['Mia (IRC)', 'Ole (IRC)', 'Mia (IRC)'];

const discordRow = (name: string, index: number) => ({
  id: `147700000000000020${index}`,
  type: 'Default',
  timestamp: `2026-03-02T10:00:0${index}+00:00`,
  content: name,
  author: { id: '800000000000000001', name, nickname: name, discriminator: '0000', isBot: true, roles: [] },
});

const matrixRow = (name: string, index: number) => ({
  type: 'm.room.message',
  event_id: `$e${index}`,
  room_id: '!r:example.com',
  sender: '@relay:example.com',
  origin_server_ts: 1772442000000 + index,
  content: {
    msgtype: 'm.text',
    body: `${name}: ${name}`,
    'com.beeper.per_message_profile': { id: 'one', displayname: name, has_fallback: true },
  },
});

const rocketRow = (name: string, index: number) => ({
  _id: `m${index}`,
  rid: 'GENERAL',
  msg: name,
  alias: name,
  ts: { $date: `2026-03-02T09:15:0${index}.000Z` },
  u: { _id: 'hook', username: 'hook' },
});

const slackRow = (name: string, index: number) => ({
  type: 'message',
  subtype: 'bot_message',
  bot_id: 'B1',
  username: name,
  text: name,
  ts: `177244290${index}.000100`,
});

const mattermostLine = (type: string, value: object) => JSON.stringify({ type, [type]: value });

const mattermostPost = (name: string, index: number) => ({
  team: 'harbour',
  channel: 'general',
  user: 'relay',
  message: name,
  create_at: 1772442000000 + index,
  props: { override_username: name, from_webhook: 'true' },
});

const mattermostLines = [
  JSON.stringify({ type: 'version', version: 1 }),
  mattermostLine('team', { name: 'harbour', display_name: 'Harbour', type: 'O' }),
  mattermostLine('channel', { team: 'harbour', name: 'general', display_name: 'General', type: 'O' }),
  mattermostLine('user', { username: 'relay', email: 'relay@example.com', nickname: 'Relay' }),
  ...names.map((name, index) => mattermostLine('post', mattermostPost(name, index))),
];

const table = [
  'AuthorID,Author,Date,Content,Attachments,Reactions',
  ...names.map((name, index) => `"8","${name}","2026-03-02T10:00:0${index}.0000000+00:00","${name}","",""`),
].join('\n');

const slackLists = {
  'channels.json': [{ id: 'C1', name: 'general', created: 1, members: ['U1'] }],
  'users.json': [
    { id: 'U1', team_id: 'T1', name: 'relay', is_bot: true, profile: { display_name: 'Relay', bot_id: 'B1' } },
  ],
};

export const messageNames: Kind<NamedMessages> = {
  name: 'messages with a name of their own',
  cases: {
    discord: [
      {
        form: 'JSON',
        files: {
          'general [1477000000000000100].json': {
            guild: { id: '1477000000000000001', name: 'Harbour' },
            channel: { id: '1477000000000000100', type: 'GuildTextChat', name: 'general' },
            messages: names.map(discordRow),
          },
        },
      },
      { form: 'CSV', files: { 'Harbour - Piers - general [1477000000000000100].csv': `${table}\n` } },
    ],
    matrix: [{ form: 'profiles of messages', files: { 'room.json': { chunk: names.map(matrixRow) } } }],
    rocketchat: [
      {
        form: 'aliases',
        files: {
          'rocketchat_message.json': names.map((name, index) => `${JSON.stringify(rocketRow(name, index))}\n`).join(''),
          'rocketchat_room.json': '{"_id":"GENERAL","t":"c","name":"general"}\n',
        },
      },
    ],
    mattermost: [{ form: 'names of webhooks', files: { 'import.jsonl': `${mattermostLines.join('\n')}\n` } }],
    slack: [{ form: 'names of bots', files: { ...slackLists, 'general/2026-03-02.json': names.map(slackRow) } }],
  },
  without: {
    line: 'People have names and no ids',
    xmpp: 'A person has an address; in a room where none is shown, the nick is the person',
    imessage: 'People have addresses; no message has a name',
    viber: 'Events have the number of a contact; no message has a name',
    googlevoice: 'The name beside a number is that of the address book, for the person',
    smsbackup: 'The name beside a number is that of the address book, for the person',
    kakaotalk: 'People have names and no ids',
    chatwoot: 'The name beside an id is that of the contact, agent or bot',
    crisp: 'The name beside an id is that of the visitor or operator',
    freshchat: 'Messages have ids alone',
    livechat: 'The name beside an id is that of the customer or agent',
    hubspot: 'The name beside an id is that of the actor',
    front: 'The name beside an id is that of the contact or teammate',
    helpscout: 'The name beside an id is that of the customer or agent',
    zendesk: 'Comments have ids alone; the name beside a nick of a chat is that of the person',
    intercom: 'The name beside an id is that of the contact, admin or bot',
    telegram: 'The signature of a post is kept as custom data: who writes is the channel',
    teams: 'The name beside an id is that of the person or app',
    whatsapp: 'People have names and no ids',
    signal: 'People are described once, by their ids; messages have ids alone',
    googlechat: 'The name beside an address is that of the person or app',
    messenger: 'People have names and no ids',
    instagram: 'People have names and no ids',
    irc: 'People have nicks and no ids: a relay is the nick that it writes under, and names stand in the text',
    stream: 'The name beside an id is that of the person or bot',
    sendbird: 'The nickname beside an id is that of the person or bot',
    twilio: 'Messages have identities or addresses alone: one that writes for others has one name',
    pubnub: 'Messages have ids of people alone: one that writes for others has one name',
    talkjs: 'Messages have ids of people alone: one that writes for others has one name',
    quickblox: 'Messages have ids of people alone: one that writes for others has one name',
    zulip: 'Messages have ids alone: a bot that writes for others has one name',
    chatferry: 'What a message says of its author describes the author with that id',
    'chat-service': 'The name beside a uid is that of the person',
    csv: 'A mapping says what the author is: a name of each message is bound as the author',
    json: 'A mapping says what the author is: a name of each message is bound as the author',
    database: 'A mapping says what the author is: a name of each message is bound as the author',
  },
};
