import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedFolder } from '../../requirements.ts';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

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

it.each(folders)('the books account for every value of %s', async (folder) => {
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = rawRows(folder);
  expect(planned.length).toBe(rows.size);
  expect(missingIn({ rows, planned, meaningless, losses })).toEqual({});
});

it('the books miss what is said nowhere', async () => {
  const folder = 'samples/discord/server/export';
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = new Map(
    [...rawRows(folder)].map(([key, row]) => [key, { ...(row as object), news: { mood: 'mauve' } }]),
  );
  expect(missingIn({ rows, planned, meaningless, losses })).toEqual({ 'news.mood': rows.size });
});
