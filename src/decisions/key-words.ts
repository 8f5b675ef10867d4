import type { About, DecisionInput } from './decision.ts';

/** The words for one key of a mapping's `source` section: its question, and its values said as actions. */
export interface KeyWords {
  /** A sentence for a person who knows the data. `{column}` is the column that the key itself names. */
  readonly question: string;
  readonly of: About['of'];
  readonly input: Pick<DecisionInput, 'type' | 'label'>;
  /** A value said as an action, by its form; a verb first. */
  readonly does: Readonly<Partial<Record<ValueForm, string>>>;
  /** The same of single words: `{ html: 'Read the texts as HTML' }`. */
  readonly words?: Readonly<Record<string, string>>;
  /** If the key sorts rows: the nouns for them. Then `does` says how some are kept or left out. */
  readonly rows?: RowWords;
}

/**
 * Forms of values. `{value}` stands for a text in quotes, `{columns}` for the columns that it reads, `{tables}` for its tables,
 * `{either}` for the first of several that has a value, `{people}` for the same of authors.
 */
export type ValueForm =
  | 'text'
  | 'nothing'
  | 'list'
  | 'constant'
  | 'template'
  | 'first'
  | 'between'
  | 'direction'
  | 'values'
  | 'table'
  | 'query'
  /** `{rows}` stands for some rows in words: `the 149 rows where "kind" is "note"`. */
  | 'keep'
  | 'drop'
  | 'all';

export interface RowWords {
  readonly one: string;
  readonly many: string;
  /** Whether rows are said to be left out, where as many values are left out as kept. */
  readonly isOfLeavingOut: boolean;
}

const column = (label: string) => ({ type: 'column', label }) as const;
const text = (label: string) => ({ type: 'text', label }) as const;
const table = { type: 'table', label: 'Another table, or a query' } as const;
const values = { type: 'values', label: 'Other values' } as const;

/** For a part of messages that a column holds. */
const taken = (part: string): KeyWords['does'] => ({
  text: `Take ${part} from {value}`,
  template: `Take ${part} from {columns} together`,
  first: `Take ${part} from {either}`,
  values: `Take ${part} from {columns}`,
});

const readTables = (rows: string): KeyWords['does'] => ({
  table: `Read ${rows} from {tables}`,
  query: `Read ${rows} from {tables} together`,
});

interface Sorted extends RowWords {
  /** The verb for the rows that stay. */
  readonly send: string;
  /** Everything else that is left out with a row. */
  readonly after?: string;
}

const sorted = ({ send, after = '', ...rows }: Sorted): Pick<KeyWords, 'does' | 'rows' | 'input'> => ({
  input: values,
  does: {
    keep: `${send} only {rows}`,
    drop: `Leave out {rows}${after}`,
    all: `${send} all ${rows.many}, whatever {columns} says`,
  },
  rows,
});

const marked = {
  question: 'Are these rows meant for everybody in the conversation?',
  of: 'messages',
  input: values,
  does: { drop: 'Leave out {rows}', keep: 'Send only {rows}', nothing: 'Send them like all others' },
  rows: { one: 'row', many: 'rows', isOfLeavingOut: true },
} as const;

/**
 * All keys about which an export may leave more than one reading, by their first two parts: the rest of `messages.only.status` is the name of
 * a column.
 */
export const keyWords: Readonly<Record<string, KeyWords>> = {
  encoding: {
    question: 'In which encoding are the files written?',
    of: 'files',
    input: text('Another encoding, such as windows-1251'),
    does: { text: 'Read the files as {value}' },
  },
  delimiter: {
    question: 'What separates the fields of a row?',
    of: 'files',
    input: text('Another character'),
    does: { text: 'Split the rows at {value}' },
    words: { tab: 'Split the rows at every tab' },
  },
  nulls: {
    question: 'Do these texts mean that there is no text?',
    of: 'messages',
    input: text('A list of texts that mean so'),
    does: { nothing: 'Send them as people wrote them', list: 'Read {value} as no text' },
  },
  zone: {
    question: 'In which time zone are the times?',
    of: 'messages',
    input: { type: 'zone', label: 'Another time zone, such as Europe/Berlin' },
    does: { text: 'Read the times as those of {value}' },
    words: { UTC: 'Read the times as UTC' },
  },
  'tables.messages': {
    question: 'Which table holds the messages?',
    of: 'messages',
    input: table,
    does: readTables('the messages'),
  },
  'tables.users': {
    question: 'Which table holds the people?',
    of: 'people',
    input: table,
    does: readTables('the people'),
    words: { none: 'Take the names from the messages: no table holds the people' },
  },
  'tables.conversations': {
    question: 'Which table holds the conversations?',
    of: 'conversations',
    input: table,
    does: readTables('the conversations'),
    words: { none: 'No table describes the conversations' },
  },
  'tables.members': {
    question: 'Which table says who is in which conversation?',
    of: 'conversations',
    input: table,
    does: readTables('the members of conversations'),
  },
  'tables.attachments': {
    question: 'Which table holds the files of messages?',
    of: 'files',
    input: table,
    does: readTables('the files'),
  },
  'tables.reactions': {
    question: 'Which table holds the reactions?',
    of: 'rows',
    input: table,
    does: readTables('the reactions'),
  },
  'tables.edits': {
    question: 'Which table holds the earlier versions of messages?',
    of: 'rows',
    input: table,
    does: readTables('the earlier versions'),
  },
  'tables.ignored': {
    question: 'May these tables stay unread?',
    of: 'rows',
    input: text('A list of the tables that may'),
    does: { list: 'Leave {value} unread', nothing: 'Leave none unread' },
  },
  'messages.id': {
    question: 'What tells one message from another?',
    of: 'messages',
    input: column('Another column'),
    does: { text: 'Tell messages apart by {value}', template: 'Take rows with the same {columns} as one message' },
  },
  'messages.author': {
    question: 'Who wrote a message?',
    of: 'messages',
    input: column('Another column'),
    does: {
      ...taken('the author'),
      first: 'Take the author from {people}',
      values: 'Take the author from {people}, else nobody',
      constant: 'Name {value} as the author of all messages',
      direction: 'Take one of the two people of the conversation, by what {columns} says',
    },
  },
  'messages.conversation': {
    question: 'Which conversation does a message belong to?',
    of: 'messages',
    input: column('Another column'),
    does: {
      ...taken('the conversation'),
      between: 'Take the people in {columns} as a conversation of their own',
      constant: 'Put all messages into one conversation, {value}',
    },
    words: { '{:file}': 'Take each file as a conversation' },
  },
  'messages.time.from': {
    question: 'When was a message sent?',
    of: 'messages',
    input: column('Another column'),
    does: taken('the time'),
  },
  'messages.time.format': {
    question: 'How are the times written?',
    of: 'messages',
    input: text('Another way, such as dd/MM/yyyy HH:mm'),
    does: { text: 'Read the times as {value}' },
    words: {
      iso: 'Read the times as year, month and day',
      'unix-s': 'Read the times as seconds since 1970',
      'unix-ms': 'Read the times as milliseconds since 1970',
      'unix-us': 'Read the times as microseconds since 1970',
      'unix-ns': 'Read the times as nanoseconds since 1970',
      'apple-s': 'Read the times as seconds since 2001, as Apple counts them',
      'apple-ns': 'Read the times as nanoseconds since 2001, as Apple counts them',
      pubnub: 'Read the times as ten-millionths of a second since 1970, as PubNub counts them',
      excel: 'Read the times as days since 1900, as Excel counts them',
      julian: 'Read the times as Julian days',
    },
  },
  'messages.text.from': {
    question: 'Which column holds what was written?',
    of: 'messages',
    input: column('Another column'),
    does: taken('the text'),
  },
  'messages.encrypted': {
    question: 'These texts are encrypted: what should become of the messages?',
    of: 'messages',
    input: text('skip or keep'),
    does: {},
    words: { skip: 'Leave these messages out', keep: 'Import the ciphertext as it is' },
  },
  'messages.text.markup': {
    question: 'Are the texts plain words, or do they hold markup such as HTML?',
    of: 'messages',
    input: text('Another markup'),
    does: { values: 'Read each text as {columns} says' },
    words: {
      plain: 'Send the texts as they are, with every sign in them',
      html: 'Read the texts as HTML',
      'html-lines': 'Read the texts as HTML in which line ends count',
      bbcode: 'Read the texts as BBCode',
      markdown: 'Read the texts as Markdown',
      document: 'Read the texts as documents of an editor',
    },
  },
  'messages.kind': {
    question: 'Which rows are lines of the platform, and no messages of people?',
    of: 'messages',
    input: values,
    does: { drop: 'Treat {rows} as lines of the platform', all: 'Treat all rows as messages of people' },
    rows: { one: 'row', many: 'rows', isOfLeavingOut: true },
  },
  'messages.reply': {
    question: 'Is a message that answers another a reply in its thread, or does it quote that message?',
    of: 'messages',
    input: column('Another column'),
    does: {
      text: 'Put such a message into the thread of the one that {value} names',
      nothing: 'Let such a message quote the other',
    },
  },
  'messages.repeated': {
    question: 'What are several rows with the same id?',
    of: 'messages',
    input: text('Another way'),
    does: {},
    words: {
      last: 'Keep the last row of each id, as the newest version',
      joined: 'Make one message of all rows of an id',
      all: 'Send every row as a message of its own',
    },
  },
  'messages.order': {
    question: 'Which of two rows of the same time was written first?',
    of: 'messages',
    input: text('Another order'),
    does: {},
    words: {
      'oldest-first': 'Take the upper row as the earlier one',
      'newest-first': 'Take the lower row as the earlier one',
    },
  },
  'messages.attachments': {
    question: 'Which column holds files?',
    of: 'messages',
    input: text('Other columns'),
    does: { list: 'Attach the files that {columns} names', nothing: 'Attach none' },
  },
  'messages.only': marked,
  'messages.skipWhen': marked,
  'messages.skipWhen.': {
    question: 'Which rows are commands of programs, by how {column} begins?',
    of: 'messages',
    input: values,
    does: { values: 'Leave out the rows that begin so', nothing: 'Send them like all others' },
  },
  'messages.only.': {
    question: 'Which rows are messages to send, by what {column} says?',
    of: 'messages',
    ...sorted({ send: 'Send', one: 'row', many: 'rows', isOfLeavingOut: false }),
  },
  'conversations.only.': {
    question: 'Which conversations should be sent, by what {column} says?',
    of: 'conversations',
    ...sorted({
      send: 'Send',
      one: 'conversation',
      many: 'conversations',
      isOfLeavingOut: true,
      after: ', with all messages in them',
    }),
  },
  'users.only.': {
    question: 'Whose messages should be sent, by what {column} of the people says?',
    of: 'people',
    ...sorted({ send: 'Take', one: 'person', many: 'people', isOfLeavingOut: false }),
  },
  'members.only.': {
    question: 'Who is a member of a conversation, by what {column} says?',
    of: 'people',
    ...sorted({ send: 'Take', one: 'member', many: 'members', isOfLeavingOut: false }),
  },
  'attachments.only.': {
    question: 'Which files should be sent, by what {column} says?',
    of: 'files',
    ...sorted({ send: 'Send', one: 'file', many: 'files', isOfLeavingOut: true }),
  },
  'reactions.only.': {
    question: 'Which reactions should be sent, by what {column} says?',
    of: 'rows',
    ...sorted({ send: 'Send', one: 'reaction', many: 'reactions', isOfLeavingOut: true }),
  },
  'edits.only.': {
    question: 'Which earlier versions count, by what {column} says?',
    of: 'rows',
    ...sorted({ send: 'Read', one: 'version', many: 'versions', isOfLeavingOut: true }),
  },
  'conversations.type': {
    question: 'Who may see which conversation?',
    of: 'conversations',
    input: values,
    does: {
      values: 'Decide by {columns}: {meanings}',
      first: 'Decide by {columns}',
      constant: 'Show every conversation to its members alone',
    },
  },
  'conversations.members': {
    question: 'Who is a member of a conversation?',
    of: 'conversations',
    input: column('A column that lists them'),
    does: {
      text: 'Take the people in {value}, and those who wrote',
      template: 'Take the people in {columns}, and those who wrote',
      nothing: 'Take those who wrote alone',
    },
  },
  'users.name': {
    question: 'Which column holds the name of a person?',
    of: 'people',
    input: column('Another column'),
    does: { ...taken('the name'), nothing: 'Show people by their ids' },
  },
  'users.id': {
    question: 'Which column identifies a person?',
    of: 'people',
    input: column('A column'),
    does: taken('the id'),
  },
  'conversations.id': {
    question: 'Which column identifies a conversation?',
    of: 'conversations',
    input: column('A column'),
    does: taken('the id'),
  },
};

/** For a key that is not here. */
export const wordless: KeyWords = {
  question: 'How should this be read?',
  of: 'rows',
  input: text('Another value'),
  does: { text: 'Take {value}', nothing: 'Take nothing', list: 'Take {value}' },
};
