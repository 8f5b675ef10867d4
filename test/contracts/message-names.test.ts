import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { discord } from '../../src/sources/discord/index.ts';
import { matrix } from '../../src/sources/matrix/index.ts';
import { rocketchat } from '../../src/sources/rocketchat/index.ts';
import { slack } from '../../src/sources/slack/index.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { nameComplaints } from './message-names.ts';

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

/** One id that writes under several names. */
const exports: readonly (readonly [name: string, adapter: SourceAdapter, files: Readonly<Record<string, unknown>>])[] =
  [
    [
      'Discord, JSON',
      discord,
      {
        'general [1477000000000000100].json': {
          guild: { id: '1477000000000000001', name: 'Harbour' },
          channel: { id: '1477000000000000100', type: 'GuildTextChat', name: 'general' },
          messages: names.map(discordRow),
        },
      },
    ],
    ['Discord, CSV', discord, { 'Harbour - Piers - general [1477000000000000100].csv': `${table}\n` }],
    ['Matrix', matrix, { 'room.json': { chunk: names.map(matrixRow) } }],
    [
      'Rocket.Chat',
      rocketchat,
      {
        'rocketchat_message.json': names.map((name, index) => `${JSON.stringify(rocketRow(name, index))}\n`).join(''),
        'rocketchat_room.json': '{"_id":"GENERAL","t":"c","name":"general"}\n',
      },
    ],
    ['Slack', slack, { ...slackLists, 'general/2026-03-02.json': names.map(slackRow) }],
  ];

/** A source that takes the name of a message for the name of its id. */
const forgetful = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request)) yield entries.map(withoutNames);
  },
});

function withoutNames(entry: Entry): Entry {
  if (entry.type !== 'record') return entry;
  const { record } = entry;
  const plain = (id: string) => id.replace(/:(?:Mia|Ole).*$/, '');
  if (record.kind === 'user') return { ...entry, record: { ...record, id: plain(record.id) } };
  if (record.kind !== 'message' || record.author === undefined) return entry;
  return { ...entry, record: { ...record, author: plain(record.author) } };
}

describe('messages of one id that were written under several names', () => {
  it.each(exports)('are shown under their own, never under the last one seen (%s)', async (_, adapter, files) => {
    expect(await nameComplaints(adapter, files as Parameters<typeof nameComplaints>[1])).toEqual([]);
  });

  it.each(exports.slice(0, 3))('are noticed where the last name counts (%s)', async (_, adapter, files) => {
    const complaints = await nameComplaints(forgetful(adapter), files as Parameters<typeof nameComplaints>[1]);
    expect(complaints.length).toBeGreaterThan(0);
  });
});
