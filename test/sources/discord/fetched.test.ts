import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import type { MessageRecord } from '../../../src/model/records.ts';
import { discord } from '../../../src/sources/discord/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const guild = { id: '1480000000000000001', name: 'Pier' };
const [general, thread] = ['1480000000000000100', '1480900000000001001'];
const at = (minute: number) => `2026-03-02T10:0${minute}:00.000000+00:00`;
const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const ines = { id: '310000000000000001', username: 'ines', discriminator: '0', global_name: 'Ines', avatar: '0a1b' };
const shownInes = {
  ...{ id: ines.id, name: 'ines', discriminator: '0000', nickname: 'Ines H.', isBot: false, roles: [] },
  avatarUrl: `https://cdn.discordapp.com/avatars/${ines.id}/0a1b.png?size=512`,
};
const file = { id: '7', size: 12, url: 'https://cdn.discordapp.com/attachments/1/7/a.png' };
const reference = { messageId: thread, channelId: general };

/** Messages as the exporter writes them, and as the API gives them. */
const pairs = [
  [
    {
      type: 'Default',
      id: thread,
      content: 'Who paints?',
      isPinned: true,
      attachments: [{ ...file, fileName: 'a.png', fileSizeBytes: 12 }],
    },
    { type: 0, id: thread, content: 'Who paints?', pinned: true, attachments: [{ ...file, filename: 'a.png' }] },
  ],
  [
    { type: 'Reply', id: '1480900000000001002', content: '@Ines H. in #general', mentions: [shownInes], reference },
    {
      ...{ type: 19, id: '1480900000000001002', content: `<@${ines.id}> in <#${general}>`, mentions: [ines] },
      message_reference: { type: 0, message_id: thread, channel_id: general },
    },
  ],
  [
    { type: 'ChannelPinnedMessage', id: '1480900000000001003', content: 'Pinned a message.', reference },
    {
      ...{ type: 6, id: '1480900000000001003', content: '' },
      message_reference: { type: 0, message_id: thread, channel_id: general },
    },
  ],
  [
    {
      ...{ type: 'Default', id: '1480900000000001004', content: '', timestampEdited: at(5) },
      embeds: [
        {
          title: 'Tides',
          color: '#1F8B4C',
          footer: { text: 'Tidebot', iconUrl: 'https://example.com/i.png' },
          fields: [],
        },
      ],
    },
    {
      ...{ type: 0, id: '1480900000000001004', content: '', edited_timestamp: at(5) },
      embeds: [
        {
          title: 'Tides',
          color: 2_067_276,
          footer: { text: 'Tidebot', icon_url: 'https://example.com/i.png' },
          fields: [],
        },
      ],
    },
  ],
  [
    { type: '8', id: '1480900000000001005', content: '' },
    { type: 8, id: '1480900000000001005', content: '' },
  ],
] as const;

const channelFile = (channel: object, messages: readonly object[]) => ({
  guild,
  channel,
  messages: messages.map((message, index) => ({ timestamp: at(index), author: shownInes, ...message })),
});
const reply = { id: '1480900000000002001', content: 'Grey' };
const exported: MemoryFiles = {
  [`general [${general}].json`]: channelFile(
    { id: general, type: 'GuildTextChat', name: 'general' },
    pairs.map(([one]) => one),
  ),
  [`Paint [${thread}].json`]: channelFile(
    { id: thread, type: 'GuildPublicThread', name: 'Paint', categoryId: general, category: 'general' },
    [{ ...reply, type: 'Default' }],
  ),
};

const rowsOf = (channel: string, messages: readonly object[]) =>
  lines(
    messages.map((row, index) => ({ channel_id: channel, timestamp: at(index), author: ines, ...row })).toReversed(),
  );
const fetched: MemoryFiles = {
  'guilds.ndjson': lines([guild]),
  [`members/${guild.id}.ndjson`]: lines([{ user: ines, nick: 'Ines H.', roles: [] }]),
  [`channels/${guild.id}.ndjson`]: lines([{ id: general, type: 0, name: 'general', guild_id: guild.id, position: 0 }]),
  [`threads/${guild.id}.ndjson`]: lines([{ id: thread, type: 11, name: 'Paint', parent_id: general }]),
  [`messages/${general}.ndjson`]: rowsOf(
    general,
    pairs.map(([, one]) => one),
  ),
  [`messages/${thread}.ndjson`]: rowsOf(thread, [{ ...reply, type: 0 }]),
};

const read = (files: MemoryFiles) => readAll(discord, memoryInput(files));
const messagesOf = (entries: readonly Entry[]): readonly MessageRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
/** By their ids; when the export was made says nothing of a message. */
const comparable = (entries: readonly Entry[]) =>
  Object.fromEntries(messagesOf(entries).map(({ version: _, ...record }) => [record.origin.id, record]));

describe('rows of the API of Discord', () => {
  it('become the messages that an export of the same channels gives: a fetch can follow an import of it', async () => {
    const messages = comparable(await read(fetched));
    expect(Object.keys(messages).length).toBe(pairs.length + 1);
    expect(messages).toEqual(comparable(await read(exported)));
  });

  it.each([
    ['a text', { content: 'x' }],
    ['a file', { attachments: [{ ...file, filename: 'a.png' }] }],
    ['a card', { embeds: [{ title: 'Tides' }] }],
    ['a sticker', { sticker_items: [{ id: '5', name: 'Gull', format_type: 1 }] }],
    ['a poll', { poll: { question: { text: 'Which?' }, answers: [] } }],
    ['components', { components: [{ type: 17, components: [{ type: 10, content: 'Shown' }] }] }],
    ['a forwarded message', { message_reference: { type: 1, message_id: '5', channel_id: '6' } }],
    ['an app that thinks', { flags: 128 }],
  ])('have a content if there is %s', async (_, fields) => {
    const row = { type: 0, id: '1480900000000001009', content: '', ...fields };
    const entries = await read({ ...fetched, [`messages/${general}.ndjson`]: rowsOf(general, [row]) });
    expect(messagesOf(entries).map(({ origin }) => origin.id)).toContain(row.id);
  });

  it('are invalid if Discord gave no content, and name the channel', async () => {
    const row = { type: 0, id: '1480900000000001009', content: '', attachments: [], embeds: [], components: [] };
    const entries = await read({ ...fetched, [`messages/${general}.ndjson`]: rowsOf(general, [row]) });
    expect(entries).toContainEqual(
      expect.objectContaining({ type: 'invalid', code: 'discord-no-content', conversation: general }),
    );
  });

  it('of components say what is shown', async () => {
    const shown = {
      type: 17,
      components: [
        { type: 10, content: 'First' },
        { type: 1, components: [{ type: 10, content: 'Second' }] },
      ],
    };
    const row = { type: 0, id: '1480900000000001009', content: '', components: [shown] };
    const entries = await read({ ...fetched, [`messages/${general}.ndjson`]: rowsOf(general, [row]) });
    expect(messagesOf(entries)[0]?.text).toBe('First\n\nSecond');
  });

  it('of somebody who left are named by the row, and of a member by the list', async () => {
    const gone = { id: '310000000000000009', username: 'gone', discriminator: '0', global_name: 'Gone' };
    const rows = rowsOf(general, [
      { type: 0, id: '1480900000000001009', content: `<@${ines.id}> <@${gone.id}>`, mentions: [ines, gone] },
    ]);
    const entries = await read({ ...fetched, [`messages/${general}.ndjson`]: rows });
    expect(messagesOf(entries)[0]?.text).toBe('@Ines H. @Gone');
    const names = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'user' ? [entry.record.name] : [],
    );
    expect(names).toEqual(['Ines H.', 'Gone']);
  });
});
