import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedFolder } from '../../requirements.ts';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn, missingWords, seenIn as seenInPage } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, calls: keep, deleted: keep, custom: metadata }';

const meaningless = {
  'the message has it in a form of its own, which tests of the source compare': [
    ...['timestamp', 'timestampEdited', 'type', 'isPinned', 'callEndedTimestamp'],
  ],
  'said of the person, who is described once': [
    ...['author.*', 'mentions[].*', 'reactions[].users[].*', 'interaction.user.*'],
  ],
  'numbers things, and nothing refers to them': [
    'interaction.id',
    'stickers[].id',
    'attachments[].id',
    'forwardedMessage.attachments[].id',
  ],
  'where it is: here': ['reference.guildId', 'reference.channelId', 'reference.type'],
  'how it looks, or the size of a picture': ['width', 'height', 'isInline', 'stickers[].format', 'isAnimated'],
  'another name of an emoji': ['emoji.code', 'emoji.imageUrl', 'reactions[].emoji.id', 'inlineEmojis[].*'],
  'where it leads is the address of an app': ['embeds[].author.url'],
};
const losses = {
  // Kept as keys of messages, not shown: the reason why there is a loss.
  quotes: ['reference.messageId'],
  replies: ['reference.messageId'],
  previews: ['embeds[].title', 'embeds[].url', 'embeds[].description', 'embeds[].color', 'embeds[].thumbnail.url'],
  cardDetails: [
    ...[
      'embeds[].color',
      'embeds[].timestamp',
      'embeds[].thumbnail.url',
      'embeds[].author.iconUrl',
      'embeds[].footer.iconUrl',
    ],
  ],
  filesWithoutAddress: ['attachments[].url', 'attachments[].fileSizeBytes'],
};

interface RawFile {
  readonly channel: { readonly id: string; readonly type: string; readonly categoryId?: string };
  readonly messages: readonly Readonly<Record<string, unknown>>[];
}

/** Rows of files with a channel each, by the conversation that they belong to; tokens as people see them. */
function rawRows(folder: string): Map<string, unknown> {
  const rows = new Map<string, unknown>();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    const { channel, messages } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as RawFile;
    const conversation = channel.type === 'GuildPublicThread' ? channel.categoryId : channel.id;
    for (const { content, ...row } of messages) {
      // In code a token is none.
      const seen = String(content).includes('`') ? String(content) : seenIn(String(content));
      rows.set(`${conversation} ${String(row.id)}`, { ...row, content: seen });
    }
  }
  return rows;
}

const seenIn = (content: string): string =>
  content
    .replace(/<@!?300000000000000002>/g, 'Tomasz')
    .replace('<t:1772791200:t>', '2026-03-06')
    .replace(/<a?:|:\d+>/g, ' ');

const published = sharedFolder('exports/discord');
const folders = [
  'samples/discord/server/export',
  'samples/discord/direct/export',
  ...(published === null ? [] : [join(published, 'minimal')]),
];

it.each(folders)('the plan and losses account for every value of %s', async (folder) => {
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = rawRows(folder);
  expect(planned.length).toBe(rows.size);
  expect(missingIn({ rows, planned, meaningless, losses })).toEqual({});
});

const ofApi = {
  'the message has it in a form of its own, which tests of the source compare': [
    ...['timestamp', 'edited_timestamp', 'type', 'pinned', 'flags', 'channel_id', 'message_snapshots[].message.type'],
    ...['message_snapshots[].message.flags', 'message_snapshots[].message.timestamp', 'poll.answers[].answer_id'],
    ...['poll.results.answer_counts[].id', 'poll.results.answer_counts[].me_voted', 'poll.results.is_finalized'],
  ],
  'said of the person, who is described once': ['author.*', 'mentions[].*', 'interaction.user.*'],
  'numbers things, and nothing refers to them': [
    ...['attachments[].id', 'sticker_items[].id', 'interaction.id', 'application_id', 'webhook_id', 'position'],
  ],
  'a copy of what has a row of its own': ['referenced_message.*', 'thread.*', 'mention_roles[]'],
  'where it is: here': ['message_reference.channel_id', 'message_reference.guild_id', 'message_reference.type'],
  'how it looks, or the size of a picture': [
    ...[
      'attachments[].width',
      'attachments[].height',
      'attachments[].placeholder',
      'attachments[].placeholder_version',
    ],
    ...['sticker_items[].format_type', 'embeds[].type', 'embeds[].fields[].inline', 'interaction.type'],
  ],
  'another address of the file, or its type, which its name says': [
    'attachments[].proxy_url',
    'attachments[].content_type',
  ],
  'of which reactions are paid for': [
    ...['reactions[].count_details.*', 'reactions[].burst_count', 'reactions[].me', 'reactions[].me_burst'],
    ...['reactions[].burst_me'],
  ],
  'when a poll ended, and how it was answered': ['poll.expiry', 'poll.allow_multiselect', 'poll.layout_type'],
};
const lossesOfApi = {
  quotes: ['message_reference.message_id'],
  replies: ['message_reference.message_id'],
  previews: [
    'embeds[].title',
    'embeds[].url',
    'embeds[].description',
    'embeds[].color',
    'embeds[].fields[].*',
    'embeds[].footer.text',
  ],
};

it('the plan and losses of rows of the API account for every value', async () => {
  const folder = 'samples/discord/fetched/export';
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const parents: Readonly<Record<string, string>> = {
    '1480900000000001002': '1480000000000000100',
    '1480000000000006000': '1480000000000000102',
  };
  const rows = new Map(
    readdirSync(join(folder, 'messages')).flatMap((name) => {
      const channel = name.replace('.ndjson', '');
      const texts = readFileSync(join(folder, 'messages', name), 'utf8')
        .split('\n')
        .filter(Boolean);
      return texts.map((text) => {
        const row = JSON.parse(text) as Readonly<Record<string, unknown>>;
        const content = String(row.content)
          .replace('<@310000000000000001>', 'Ines H.')
          .replace('<@&1480000000000000020>', 'Crew')
          .replace('<#1480000000000000102>', 'ideas')
          .replace(/<a?:|:\d+>/g, ' ');
        return [`${parents[channel] ?? channel} ${String(row.id)}`, { ...row, content }] as const;
      });
    }),
  );
  expect(planned.length).toBe(rows.size);
  expect(missingIn({ rows, planned, meaningless: ofApi, losses: lossesOfApi })).toEqual({});
});

it('the plan and losses do not account for an unknown field', async () => {
  const folder = 'samples/discord/server/export';
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = new Map(
    [...rawRows(folder)].map(([key, row]) => [key, { ...(row as object), news: { mood: 'mauve' } }]),
  );
  expect(missingIn({ rows, planned, meaningless, losses })).toEqual({ 'news.mood': rows.size });
});

/** Parts of a page other than the messages' text. */
const ofPages: Readonly<Record<string, RegExp>> = {
  'said of the person, who is described once':
    /<img class="chatlog__avatar"[^>]*>|(?<=class="chatlog__author") title="[^"]*"/g,
  'who is mentioned: the shown name is kept': /(?<=class="chatlog__markdown-mention") title="[^"]*"/g,
  'when it was sent, which its id says': /<span class="chatlog__timestamp".*?<\/span>/g,
  'the mark that the payload has as a fact': /<span class="chatlog__edited-timestamp".*?<\/span>/g,
  'what is answered: the quote is kept': /<div class="chatlog__reply">.*?<\/div><\/div>/g,
  'pictures of emoji are counted as lost, their names kept': /(?<=class="chatlog__emoji[^>]*) (?:src|title)="[^"]*"/g,
  'another name of an emoji': /(?<=class="chatlog__reaction") title="[^"]*"/g,
  'words in place of a picture': / alt="Image attachment"/g,
};

it('the plan and losses of pages account for every visible word', async () => {
  const folder = 'samples/discord/channel-html/export';
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = new Map(
    readdirSync(folder).flatMap((name) => {
      const channel = /\[(\d+)\]/.exec(name)![1]!;
      const pieces = readFileSync(join(folder, name), 'utf8').split(/(?=<div id="chatlog__message-container-\d)/);
      return pieces.slice(1).map((piece) => {
        // A message without an id is rejected; the part after the last is not a message.
        const [own] = piece.split(/<div class="chatlog__message-group">|<div class="postamble">/);
        return [`${channel} ${/data-message-id="(\d+)"/.exec(own!)![1]}`, seenInPage(own!, ofPages)] as const;
      });
    }),
  );
  expect(planned.length).toBe(rows.size);
  expect(missingWords(rows, planned)).toEqual({});
});

it('the plan and losses of tables account for every cell', async () => {
  const folder = 'samples/discord/channel-csv/export';
  const { rows } = await planOf(home.make(), folder, everythingSent);
  const planned = rows.toSorted((a, b) => a.sentAtMs - b.sentAtMs);
  const cell = '"((?:[^"]|"")*)"';
  const line = new RegExp(Array.from({ length: 6 }, () => cell).join(','), 'g');
  const raw = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(line)].map(([, ...cells]) => cells as string[]),
  );
  // One has a time that cannot be read. Tables have no ids: rows follow each other in time.
  const dated = raw.filter(([, , date]) => /^\d{4}-/.test(date!));
  const sorted = dated.toSorted(([, , a], [, , b]) => Date.parse(a!) - Date.parse(b!));
  expect(planned.length).toBe(sorted.length);
  const rowsByKey = new Map(
    sorted.map(([id, author, , ...others], index) => {
      const { conversation, id: made } = planned[index]!;
      return [`${conversation} ${made}`, [id, author, ...others].join(' ').replaceAll('""', '"')] as const;
    }),
  );
  expect(missingWords(rowsByKey, planned)).toEqual({});
});

it.each(['data-package', 'data-package-of-2021'])('the plan and losses of %s account for every value', async (name) => {
  const folder = `samples/discord/${name}/export`;
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = new Map<string, object>();
  for (const path of globSync('**/messages.{json,csv}', { cwd: folder })) {
    const channel = /(\d+)\/messages/.exec(path)![1]!;
    // One without a time is rejected.
    for (const row of ownRows(readFileSync(join(folder, path), 'utf8')))
      if (/^\d{4}-/.test(row.Timestamp))
        rows.set(`${channel} ${row.ID}`, { ...row, Contents: seenTokens(row.Contents) });
  }
  const when = { 'when it was sent: the instant of the payload': ['Timestamp'] };
  expect(planned.length).toBe(rows.size);
  expect(missingIn({ rows, planned, meaningless: when, losses: {} })).toEqual({});
});

interface OwnRow {
  readonly ID: string;
  readonly Timestamp: string;
  readonly Contents: string;
}

/** Returns the rows of JSON, whose ids exceed what a number can hold, or of a table. */
function ownRows(text: string): OwnRow[] {
  if (text.startsWith('[')) return JSON.parse(text.replace(/("ID":\s*)(\d+)/g, '$1"$2"')) as OwnRow[];
  const line = /^(\d+),([^,]*),("(?:[^"]|"")*"|[^,]*),(.*)$/gm;
  return [...text.matchAll(line)].map(([, ID, Timestamp, contents, Attachments]) => ({
    ...{ ID: ID!, Timestamp: Timestamp!, Attachments: Attachments!.trim() },
    Contents: contents!.replace(/^"|"$/g, '').replaceAll('""', '"'),
  }));
}

/** Tokens as people see them; of a person whom nothing names, the id. */
const seenTokens = (content: string): string => content.replace(/<@!?\d+>/g, ' ').replace(/<a?:|:\d+>/g, ' ');
