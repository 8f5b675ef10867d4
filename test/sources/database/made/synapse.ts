import type { Expectation } from '../../tables/schemas/schema-set.ts';

/** A homeserver with the tables that are read, and rows of our own. */

const tables = `
  CREATE TABLE users (name TEXT PRIMARY KEY, password_hash TEXT, creation_ts BIGINT, admin SMALLINT, deactivated SMALLINT);
  CREATE TABLE profiles (user_id TEXT, displayname TEXT, avatar_url TEXT);
  CREATE TABLE rooms (room_id TEXT PRIMARY KEY, is_public BOOL, creator TEXT, room_version TEXT);
  CREATE TABLE room_stats_state (room_id TEXT, name TEXT, canonical_alias TEXT, join_rules TEXT, topic TEXT);
  CREATE TABLE events (stream_ordering INTEGER PRIMARY KEY, topological_ordering BIGINT, event_id TEXT, type TEXT, room_id TEXT,
    outlier BOOL, origin_server_ts BIGINT, sender TEXT);
  CREATE TABLE event_json (event_id TEXT, room_id TEXT, internal_metadata TEXT, json TEXT, format_version INTEGER);
  CREATE TABLE event_relations (event_id TEXT, relates_to_id TEXT, relation_type TEXT, aggregation_key TEXT);
  CREATE TABLE redactions (event_id TEXT, redacts TEXT, have_censored BOOL, received_ts BIGINT);
  CREATE TABLE rejections (event_id TEXT, reason TEXT, last_check TEXT);
  CREATE TABLE state_events (event_id TEXT, room_id TEXT, type TEXT, state_key TEXT);
  CREATE TABLE current_state_events (event_id TEXT, room_id TEXT, type TEXT, state_key TEXT, membership TEXT);
  CREATE TABLE room_memberships (event_id TEXT, user_id TEXT, sender TEXT, room_id TEXT, membership TEXT, display_name TEXT);
  CREATE TABLE access_tokens (id BIGINT, user_id TEXT, token TEXT);`;

const people = `
  INSERT INTO users VALUES ('@ada:pier.example', 'x', 1, 1, 0), ('@bo:pier.example', 'x', 1, 0, 1);
  INSERT INTO profiles VALUES ('ada', 'Ada', NULL), ('bo', 'Bo', NULL);
  INSERT INTO rooms VALUES ('!quay:pier.example', 1, '@ada:pier.example', '10'), ('!two:pier.example', 0, '@bo:pier.example', '10');
  INSERT INTO room_stats_state VALUES ('!quay:pier.example', 'Quay', NULL, 'public', 'Boats'), ('!two:pier.example', 'Two', NULL, 'invite', NULL);
  INSERT INTO access_tokens VALUES (1, '@ada:pier.example', 'token');`;

const [ada, bo, cy] = ['@ada:pier.example', '@bo:pier.example', '@cy:far.example'];
const [quay, two] = ['!quay:pier.example', '!two:pier.example'];

interface Event {
  readonly id: string;
  readonly by?: string | undefined;
  readonly room?: string;
  readonly type?: string;
  readonly content: object;
  readonly outlier?: 1;
  readonly softFailed?: true;
  readonly stateKey?: string;
}

const text = (body: string) => ({ msgtype: 'm.text', body });
const relation = (type: string, to: string, more = {}) => ({
  'm.relates_to': { rel_type: type, event_id: to, ...more },
});

const events: readonly Event[] = [
  { id: '$1', content: text('On the quay') },
  { id: '$2', by: bo, content: { ...text('On my way'), 'm.relates_to': { 'm.in_reply_to': { event_id: '$1' } } } },
  { id: '$3', by: bo, content: text('helo') },
  {
    id: '$3e',
    by: bo,
    content: { ...text('* hello'), 'm.new_content': text('hello'), ...relation('m.replace', '$3') },
  },
  // An edit by a person who did not write the message has no effect.
  { id: '$3f', content: { ...text('* lies'), 'm.new_content': text('lies'), ...relation('m.replace', '$3') } },
  { id: '$4', type: 'm.reaction', content: relation('m.annotation', '$1', { key: '👍' }), by: cy },
  { id: '$5', content: text('REDACTED') },
  { id: '$5r', type: 'm.room.redaction', content: {} },
  { id: '$6', type: 'm.room.encrypted', content: { algorithm: 'm.megolm.v1.aes-sha2', ciphertext: 'CIPHER' } },
  { id: '$7', type: 'm.room.topic', content: { topic: 'STATE' }, stateKey: '' },
  { id: '$7m', type: 'm.room.message', content: text('STATE'), stateKey: '' },
  { id: '$8', content: text('REJECTED'), by: cy },
  { id: '$9', content: text('OUTLIER'), outlier: 1 },
  { id: '$10', content: text('SOFTFAILED'), by: cy, softFailed: true },
  { id: '$11', content: { ...text('in the thread'), ...relation('m.thread', '$1') }, by: cy },
  {
    id: '$12',
    room: two,
    content: { ...text('bold'), format: 'org.matrix.custom.html', formatted_body: '<b>bold</b> words' },
  },
  {
    id: '$13',
    room: two,
    by: bo,
    content: {
      msgtype: 'm.image',
      body: 'boat.png',
      url: 'mxc://pier.example/abc',
      info: { mimetype: 'image/png', size: 12 },
    },
  },
];

const sql = (value: unknown): string => `'${String(value).replaceAll("'", "''")}'`;
const row = (table: string, ...values: readonly unknown[]): string =>
  `INSERT INTO ${table} VALUES (${values.map(sql).join(', ')});`;

const firstMs = Date.parse('2026-03-02T08:00:00.250Z');
const timeOf = (id: string): number => firstMs + events.findIndex((event) => event.id === id) * 1000;

function rowsOf({ id, by = ada, room = quay, type = 'm.room.message', content, outlier, ...more }: Event): string[] {
  const metadata = JSON.stringify({ ...(more.softFailed && { soft_failed: true }) });
  const order = events.findIndex((event) => event.id === id) + 1;
  const { 'm.relates_to': related } = content as {
    'm.relates_to'?: { rel_type?: string; event_id?: string; key?: string };
  };
  return [
    row('events', order, order, id, type, room, outlier ?? 0, timeOf(id), by),
    row('event_json', id, room, metadata, JSON.stringify({ type, sender: by, content }), 3),
    ...(more.stateKey === undefined ? [] : [row('state_events', id, room, type, more.stateKey)]),
    ...(related?.rel_type ? [row('event_relations', id, related.event_id, related.rel_type, related.key ?? '')] : []),
  ];
}

const memberships = [
  [ada, quay],
  [bo, quay],
  [cy, quay],
  [ada, two],
  [bo, two],
].flatMap(([user, room], index) => [
  row('room_memberships', `$m${index}`, user, user, room, 'join', user === cy ? 'Cy' : ''),
  row('current_state_events', `$m${index}`, room, 'm.room.member', user, 'join'),
]);

export const synapse = [
  tables,
  people,
  ...events.flatMap(rowsOf),
  ...memberships,
  row('redactions', '$5r', '$5', 0, 1),
  row('rejections', '$8', 'auth_error', ''),
].join('\n');

const message = (
  id: string,
  author: string | undefined,
  conversation: string | undefined,
  words: string,
  more = {},
) => ({
  ...{ id, author: author!, conversation: conversation!, kind: 'message', text: words },
  time: new Date(timeOf(id)).toISOString(),
  ...more,
});

export const synapseExpected: Expectation = {
  people: [
    { id: ada!, name: 'Ada' },
    { id: bo!, name: 'Bo', isDeleted: true },
    { id: cy!, name: 'Cy' },
  ],
  conversations: [
    { id: quay!, type: 'public', name: 'Quay', members: [ada!, bo!, cy!] },
    { id: two!, type: 'private', name: 'Two', members: [ada!, bo!] },
  ],
  messages: [
    message('$1', ada, quay, 'On the quay', { reactions: [{ emoji: '👍', users: [cy] }] }),
    message('$2', bo, quay, 'On my way', { quote: '$1' }),
    message('$3', bo, quay, 'hello', { edited: new Date(timeOf('$3e')).toISOString() }),
    message('$11', cy, quay, 'in the thread', { threadOf: '$1' }),
    message('$12', ada, two, 'bold words', { format: 'html' }),
    message('$13', bo, two, '', { files: [{ name: 'boat.png', url: null, type: 'image/png', size: 12 }] }),
  ],
  withheld: [],
};
