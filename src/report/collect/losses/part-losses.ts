import type { LostPart } from '../../../model/lost-parts.ts';
import type { LossKind } from './loss.ts';

/** Losses that sources count in the messages that they read (`model/lost-parts.ts`), for messages that are sent. */
const rows: Readonly<Record<LostPart, readonly [name: string, what: string, becomes: string]>> = {
  previews: ['link previews', 'previews that the old system made of links', 'not migrated; the links are in the texts'],
  underlines: ['underlines', 'pieces of text that are underlined', 'sent without the line: Markdown has none'],
  styles: [
    'styles inside words',
    'pieces of bold, slanted or struck text that begin or end inside a word or at a mark',
    'sent without the style: Markdown cannot set it there',
  ],
  emojiInText: [
    'custom emoji in texts',
    'emoji in texts that are pictures of the old system',
    'sent as :name:, or as the ordinary emoji that the export gives for them; the pictures are not migrated',
  ],
  accidentalMarkup: [
    'accidental Markdown',
    'messages with indents, dashes, numbers or marks that mean something in Markdown and were only typed',
    'sent as they were typed; apps that render Markdown show them differently',
  ],
  unnamed: [
    'names that are not known',
    'mentions of people, groups and conversations that no file names',
    'shown by their id in the text',
  ],
  oldLinks: [
    'links into the old system',
    'addresses in texts that lead to messages, files or people of the old system',
    'sent as they are; dead once it is closed. Those of messages: data.metadata.chatferry.links has the key under which the message is sent',
  ],
  appData: ['data of apps', 'messages to which an app attached data of its own', 'not migrated'],
  menus: [
    'menus and fields',
    'menus, fields and dates that could be chosen or filled in',
    'not migrated: they did nothing any more',
  ],
  cardDetails: [
    'details of cards',
    'times, colours, icons and small pictures of the cards of apps',
    'not migrated; the texts include the content of the cards',
  ],
  snippets: [
    'beginnings of text files',
    'files with only their first lines in the export',
    'not migrated; the file itself is listed among the files',
  ],
  fileTokens: [
    'tokens of files',
    'addresses of files with a token that lets everybody open them',
    'sent without the token, so they need a login; source.fileTokens decides',
  ],
  encrypted: [
    'encrypted messages',
    'messages that only the devices of those who talked can read',
    'sent as "Encrypted message", so that answers and reactions have their place',
  ],
};

/** Only known once everything was read. */
const deadLinks: LossKind = {
  name: 'links to messages that are not sent',
  what: 'addresses in texts that lead to messages of the old system that are skipped, invalid or not in the export',
  count: ({ found }) => found.get('link-to-unsent') ?? 0,
  becomes: () => 'sent as they are; the key in metadata leads nowhere until the message is sent',
};

const counted: readonly LossKind[] = Object.entries(rows).map(([part, [name, what, becomes]]) => ({
  name,
  what,
  count: ({ planned }) => planned[part as LostPart] ?? 0,
  becomes: () => becomes,
}));

export const partLosses: readonly LossKind[] = [...counted, deadLinks];
