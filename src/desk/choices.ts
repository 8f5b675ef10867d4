/**
 * Choices of the mapping that the page offers by name, and where everything else of it is decided. A value is written as `--set` takes it.
 */
export interface Choice {
  readonly key: string;
  readonly asks: string;
  /** Words for each value, the default first; absent where any text will do. */
  readonly says?: Readonly<Record<string, string>>;
  /** A text in place of these values: an example of one. */
  readonly example?: string;
  /** Several texts, a line each: a name may have a comma. */
  readonly isList?: boolean;
}

const sent = { keep: 'Send them', skip: 'Leave them out' };
const leftOut = { skip: 'Leave them out', keep: 'Send them' };
const inMetadata = { metadata: 'Keep in metadata', drop: 'Leave out' };

/** By the heading under which the page shows them. */
export const choices: Readonly<Record<string, readonly Choice[]>> = {
  People: [
    {
      key: 'people.uid',
      asks: 'Uids are made of',
      says: {
        '{id}': 'The id in the export',
        '{handle}': 'The handle',
        '{email}': 'The e-mail address',
        '{name}': 'The name',
      },
      example: 'acme-{id}',
    },
    {
      key: 'people.collisions',
      asks: 'Several people would get one uid',
      says: { stop: 'Stop and name them', hash: 'Add a hash of their id' },
    },
    {
      key: 'people.unknownAuthors',
      asks: 'Authors whom the export does not describe',
      says: {
        placeholder: 'Make a person of the name in their messages',
        skip: 'Leave their messages out',
        reject: 'Count their messages as invalid',
      },
    },
    { key: 'people.bots', asks: 'Messages of bots', says: sent },
    { key: 'people.guests', asks: 'Messages of guests', says: sent },
    {
      key: 'people.deleted',
      asks: 'People whose account was deleted',
      says: { keep: 'Keep their names', placeholder: 'Call them all “Deleted user”', skip: 'Leave their messages out' },
    },
    {
      key: 'people.former',
      asks: 'Messages in groups that their authors have left',
      says: {
        ask: 'Send them, and ask if the service refuses them',
        join: 'Make the authors members for the time of the import',
        'leave-out': 'Leave them out',
      },
    },
    {
      key: 'people.everyone',
      asks: 'People who are imported',
      says: { false: 'Those in conversations that are sent', true: 'Everybody in the export' },
    },
    { key: 'people.emailAs', asks: 'E-mail addresses go into the metadata of people as', example: 'email' },
    { key: 'people.phoneAs', asks: 'Telephone numbers go into the metadata of people as', example: 'phone' },
    { key: 'people.botRole', asks: 'Role of bots at the service', example: 'bot' },
    {
      key: 'ids',
      asks: 'Letters outside ASCII in ids',
      says: { transliterate: 'Write them in ASCII', replace: 'Replace them' },
    },
  ],
  Conversations: [
    {
      key: 'conversations.exclude',
      asks: 'Conversations to leave out, by id or name',
      isList: true,
      example: 'random',
    },
    {
      key: 'conversations.first',
      asks: 'Conversations to send first, by id or name',
      isList: true,
      example: 'general',
    },
    {
      key: 'conversations.order',
      asks: 'The others, in this order',
      says: { largest: 'Most messages first', recent: 'Written in last first' },
    },
    {
      key: 'conversations.type',
      asks: 'Type of groups that were channels',
      says: { 'as-exported': 'As in the export', private: 'All private', public: 'All public' },
    },
    { key: 'conversations.owner', asks: 'Owner of groups', says: { none: 'Nobody', creator: 'Their creator' } },
    {
      key: 'conversations.members',
      asks: 'Members of groups for which the export lists none',
      says: { ask: 'None, and ask', writers: 'Those who wrote in them', none: 'None' },
    },
    {
      key: 'conversations.outsiders',
      asks: 'A third person wrote in a direct conversation',
      says: { group: 'Make a group of it', reject: 'Count what the third wrote as invalid' },
    },
    {
      key: 'conversations.guid',
      asks: 'Ids of groups are made of',
      says: { '{id}': 'The id in the export', '{name}': 'The name' },
      example: 'acme-{name}',
    },
  ],
  Messages: [
    {
      key: 'messages.olderThan',
      asks: 'How far back',
      says: { none: 'All messages' },
      example: '2y, 183d or 2024-01-01',
    },
    { key: 'messages.old', asks: 'Older messages', says: { skip: 'Leave them out', reject: 'Count them as invalid' } },
    { key: 'messages.system', asks: 'Lines that the platform wrote', says: leftOut },
    { key: 'messages.calls', asks: 'Calls, as text', says: leftOut },
    { key: 'messages.deleted', asks: 'Messages that were deleted', says: leftOut },
    {
      key: 'messages.internal',
      asks: 'Private notes and other internal messages',
      says: { skip: 'Leave them out', keep: 'Show them to everyone in the conversation' },
    },
    {
      key: 'messages.restricted',
      asks: 'Messages that were hidden from some',
      says: {
        ask: 'Leave them out, and ask',
        skip: 'Leave them out',
        keep: 'Show them to everyone in the conversation',
      },
    },
    {
      key: 'messages.edited',
      asks: 'Messages that were edited',
      says: {
        mark: 'Send the last version, marked in metadata',
        keep: 'Send the last version',
        skip: 'Leave them out',
      },
    },
    {
      key: 'messages.empty',
      asks: 'Messages with neither text nor file',
      says: { reject: 'Count them as invalid', skip: 'Leave them out' },
    },
    {
      key: 'messages.textCharsMax',
      asks: 'Longest text, in characters',
      says: { none: 'What the service takes' },
      example: '5000',
    },
    {
      key: 'messages.overlong',
      asks: 'Longer texts',
      says: { reject: 'Count them as invalid', split: 'Split them into several messages', truncate: 'Cut them' },
    },
    {
      key: 'messages.threads',
      asks: 'Replies in threads',
      says: {
        metadata: 'Keep the link in metadata',
        quote: 'Begin with a quote of what they answer',
        flat: 'Send them as any message',
      },
    },
    {
      key: 'messages.orphans',
      asks: 'Replies to a message that the export lacks',
      says: { keep: 'Send them with their link', unlink: 'Send them without it', skip: 'Leave them out' },
    },
    {
      key: 'messages.reactions',
      asks: 'Reactions',
      says: { metadata: 'Keep in metadata', replay: 'Give them again, as those who gave them', drop: 'Leave out' },
    },
    { key: 'messages.mentions', asks: 'Uids of people who are mentioned', says: inMetadata },
    {
      key: 'messages.markup',
      asks: 'Bold, links and lists',
      says: { markdown: 'Send as Markdown', plain: 'Send as plain text' },
    },
    { key: 'messages.custom', asks: 'Facts of the platform without a field of their own', says: inMetadata },
    { key: 'messages.tags', asks: 'Tags of every message', isList: true, example: 'slack-2026' },
  ],
  Files: [
    {
      key: 'messages.attachments',
      asks: 'Files of messages',
      says: {
        keep: 'Attach those with an address',
        placeholder: 'The same, with a line for each other',
        drop: 'Attach none, and name all',
      },
    },
    {
      key: 'messages.onlyFiles',
      asks: 'Messages of files that cannot be attached',
      says: { name: 'Name the files in the text', blank: 'Treat them as empty' },
    },
    { key: 'media.to', asks: 'Copy files to', example: 's3://bucket/prefix or ./media' },
    { key: 'media.address', asks: 'Address at which people open the copies', example: 'https://files.example/' },
    {
      key: 'media.missing',
      asks: 'Files that cannot be copied',
      says: { wait: 'Wait, and ask at the end', original: 'Attach the original address', name: 'Name the file' },
    },
    { key: 'media.token', asks: 'Path of a file with the token that opens the files', example: './files-token' },
    { key: 'media.credentials', asks: 'Path of a file with the keys of the bucket', example: '~/.aws/credentials' },
    { key: 'files.ignore', asks: 'Files of the export to ignore, by path', isList: true, example: 'old/**' },
  ],
};

/** Keys that another part of the page decides, and those that are written into the file, with the reason. */
export const elsewhere: Readonly<Record<string, string>> = {
  source: 'Decide asks about it, and Tables shows it',
  reading: 'Decide confirms it',
  'people.uids': 'the uid beside each person',
  'people.lookup': 'the table of uids under People',
  'people.merge': 'possible duplicates under People',
  'conversations.guids': 'only in the file: a table by id',
  'conversations.rename': 'the table of conversations',
  'conversations.types': 'the table of conversations',
  'conversations.owners': 'the table of conversations',
  'conversations.merge': 'only in the file: lists of ids',
  'messages.attachmentUrls': 'only in the file: pairs of addresses',
  'messages.metadata': 'only in the file: names with values of any kind',
  media: 'only in the file: speed and names of copies, which the defaults fit',
  module: 'only in the file: code that runs with your rights',
  version: 'only in the file: there is one',
  examples: 'only in the file: records of your own',
};
