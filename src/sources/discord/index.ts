import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { discordCodes } from './codes.ts';
import { discordOptionsSchema } from './options.ts';
import { channelFacts, ownMessages } from './format.ts';

/**
 * Exports of Discord's channels by DiscordChatExporter, as `format.ts` says; the package that Discord itself sends, as `package.ts` does; and
 * the rows of Discord's API that `chatferry fetch` writes, as `api-format.ts` does.
 */
export const discord = defineSource({
  name: 'discord',
  title: 'Discord (DiscordChatExporter, data package, API)',
  options: discordOptionsSchema,
  codes: discordCodes,
  probe: (input) => probeMarks(input, [packageMarks, channelMarks, tableMarks, pageMarks, ...apiMarks]),
  read: lateRead(() => import('./read.ts')),
});

const channelMarks: Marks = {
  objects: [
    { at: '', keys: ['guild', 'channel', 'messages'] },
    { at: '/guild', keys: ['id', 'name'] },
    { at: '/channel', keys: ['id', 'name', 'type'] },
  ],
};

const tableMarks: Marks = {
  files: /\.csv$/i,
  text: [/^"?AuthorID"?,"?Author"?,"?Date"?,"?Content"?,"?Attachments"?,"?Reactions"?\r?\n/],
  shows: 'the columns AuthorID, Author, Date, Content, Attachments and Reactions',
};

const pageMarks: Marks = {
  files: /\.html?$/i,
  text: [/chatlog__message/, /preamble/],
  shows: 'the classes "chatlog__message" and "preamble"',
};

const packageMarks: Marks = {
  files: ownMessages,
  beside: [channelFacts],
  shows: 'a "channel.json" next to it, in a folder named by its id',
};

const snowflake = /^\d{15,20}$/;

const apiMarks: readonly Marks[] = [
  {
    files: /(?:^|\/)messages\/\d{15,20}\.ndjson$/,
    objects: [{ at: '', keys: ['channel_id', 'author', 'timestamp', 'edited_timestamp'], values: { id: snowflake } }],
  },
  {
    files: /(?:^|\/)channels\/\d{15,20}\.ndjson$/,
    objects: [{ at: '', keys: ['type', 'guild_id', 'position'], values: { id: snowflake } }],
  },
];
