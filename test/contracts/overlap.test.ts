import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { discord } from '../../src/sources/discord/index.ts';
import { rocketchat } from '../../src/sources/rocketchat/index.ts';
import { sendbird } from '../../src/sources/sendbird/index.ts';
import { slack } from '../../src/sources/slack/index.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { type Overlap, overlapComplaints } from './overlap.ts';

/** Each message changed in another way: a reaction, a pin, an edit, a deletion, as far as the platform dates them. */
const overlaps: readonly (readonly [adapter: SourceAdapter, overlap: Overlap])[] = [
  [rocketchat, rocketchatOverlap()],
  [sendbird, sendbirdOverlap()],
  [discord, discordOverlap()],
  [slack, slackOverlap()],
];

function rocketchatOverlap(): Overlap {
  const row = (id: string, updated: number, more: object) => ({
    _id: id,
    rid: 'GENERAL',
    msg: 'tick',
    ts: { $date: '2026-03-02T09:15:00.000Z' },
    _updatedAt: { $date: `2026-03-0${updated}T09:15:00.000Z` },
    u: { _id: 'u1', username: 'ines' },
    ...more,
  });
  const files = (...rows: object[]) => ({
    'rocketchat_message.json': rows.map((one) => `${JSON.stringify(one)}\n`).join(''),
    'rocketchat_room.json': '{"_id":"GENERAL","t":"c","name":"general"}\n',
    'users.json': '{"_id":"u1","username":"ines","name":"Ines"}\n',
  });
  const reactions = { ':+1:': { usernames: ['ines'] } };
  return {
    before: files(row('m1', 2, {}), row('m2', 2, {}), row('m3', 2, { pinned: true }), row('m4', 2, { reactions })),
    after: files(
      row('m1', 5, { reactions }),
      row('m2', 5, { pinned: true }),
      row('m3', 5, {}),
      row('m4', 5, { t: 'rm' }),
    ),
  };
}

function sendbirdOverlap(): Overlap {
  const row = (id: number, more: object) => ({
    type: 'MESG',
    message_id: id,
    message: 'Hi',
    created_at: 1772442000123,
    updated_at: 0,
    channel_url: 'sendbird_group_channel_1_ab',
    user: { user_id: 'ines', nickname: 'Ines' },
    ...more,
  });
  const reactions = [{ key: 'wave', user_ids: ['ines'], updated_at: 1772442001000 }];
  return {
    before: { 'messages/a.json': [row(1, {}), row(2, {}), row(3, { reactions })] },
    after: {
      'messages/a.json': [
        row(1, { message: 'Hi!', updated_at: 1772442002000 }),
        row(2, { reactions }),
        row(3, { is_removed: true }),
      ],
    },
  };
}

function discordOverlap(): Overlap {
  const files = (exportedAt: string, ...more: object[]) => ({
    'general [1477000000000000100].json': {
      guild: { id: '1477000000000000001', name: 'Harbour' },
      channel: { id: '1477000000000000100', type: 'GuildTextChat', name: 'general' },
      exportedAt,
      messages: more.map((one, index) => ({
        id: `14770000000000002${index}`,
        type: 'Default',
        timestamp: '2026-03-02T10:00:00+00:00',
        content: 'tide',
        author: { id: '300000000000000001', name: 'ines', discriminator: '0000', isBot: false, roles: [] },
        ...one,
      })),
    },
  });
  return {
    before: files('2026-03-03T10:00:00.1+00:00', {}, { isPinned: true }),
    after: files('2026-03-04T10:00:00.1+00:00', { reactions: [{ emoji: { name: '🌊' }, count: 1 }] }, {}),
  };
}

function slackOverlap(): Overlap {
  const files = (...rows: object[]) => ({
    'channels.json': [{ id: 'C1', name: 'general', created: 1, members: ['U1'] }],
    'users.json': [{ id: 'U1', team_id: 'T1', name: 'ines', profile: { display_name: 'Ines' } }],
    'general/2026-03-02.json': rows.map((row, index) => ({
      type: 'message',
      user: 'U1',
      text: 'tide',
      ts: `177244290${index}.000100`,
      ...row,
    })),
  });
  return {
    before: files({}, {}),
    after: files(
      { text: 'tides', edited: { user: 'U1', ts: '1772442999.000000' } },
      { subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.', hidden: true },
    ),
  };
}

/** A source that does not say what tells states apart. */
const silent = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request)) yield entries.map(withoutVersion);
  },
});

function withoutVersion(entry: Entry): Entry {
  if (entry.type !== 'record' || entry.record.kind !== 'message') return entry;
  const { version: _, edited: __, isDeleted: ___, ...record } = entry.record;
  return { ...entry, record };
}

describe('two exports that overlap', () => {
  it.each(overlaps)('say themselves which state of a message is later ($name)', async (adapter, overlap) => {
    expect(await overlapComplaints(adapter, overlap)).toEqual([]);
  });

  it.each(overlaps)('are noticed where they do not ($name)', async (adapter, overlap) => {
    expect((await overlapComplaints(silent(adapter), overlap)).length).toBeGreaterThan(0);
  });
});
