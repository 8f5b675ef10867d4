import { asks, outside, runs, sets } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

const badList = (section: string, what: string, those: string, example: string): SourceCode =>
  decision(
    `bad-${section}`,
    `Lists of ${what} that cannot be read`,
    `The column of the ${what} begins like JSON and is not; the ${what} are left out.`,
    {
      about: 'message',
      question: `Which column has the ${those}, and how?`,
      options: [
        asks(`Name the column of the ${what}`, `source.messages.${section}`, example),
        outside('Correct the rows'),
      ],
      otherwise: `the message is sent without the ${what}`,
    },
  );

/** Codes for problems found while binding rows of tables, in any format. */
export const tablesCodes: readonly SourceCode[] = [
  note(
    'column-renamed',
    'Columns with another name in queries',
    'SQL does not distinguish capital letters, so the second of two such names is called otherwise in queries.',
    'Use the name that the finding gives in source.tables.',
  ),
  badRow(
    'conversation-unclear',
    'Messages whose conversation may be left out',
    'The mapping leaves some conversations out (source.conversations.only or skipWhen), and some rows of their table cannot be read. A message whose conversation is in none of the other rows is not sent.',
    'Correct those rows, or the name of the column, and plan again: other findings name them.',
  ),
  note(
    'child-row-incomplete',
    'Rows of members, files and reactions that say too little',
    'The row lacks the id of its parent, or its content: a person, an address, an emoji.',
    'Correct the row, or its section in the mapping: "only" or "skipWhen" leave such rows out by rule.',
  ),
  note(
    'child-row-unused',
    'Files, reactions and edits of messages that were not read',
    'The rows name messages that are not among those read: they were left out, could not be read, or are not in the export. Counted when all files of messages are read.',
    'Nothing, if their messages are gone. If most rows of the table are counted here, correct "message" in the section of the mapping.',
  ),
  note(
    'member-role-not-migrated',
    'Roles of members',
    'Members have a role in their conversation other than owner, admin, moderator and member, and become members without rights.',
    'Translate the roles in the mapping: source.members.role: { from: COLUMN, values: { WORD: admin } }.',
  ),
  note(
    'member-left',
    'People who left a conversation, without the time',
    'Rows of members say that the person left (source.members.leftAt), by a flag or by a time that cannot be read. The person is no member.',
    'Nothing, or name a column with the time.',
  ),
  decision(
    'file-not-bound',
    'Rows without text, with a file that the mapping does not name',
    'The row has neither text nor a file that the mapping reads, so it is invalid as blank. A column that the mapping does not read seems to have a file.',
    {
      about: 'message',
      question: 'Which column has the files of these rows?',
      options: [
        asks('Name the column of the files', 'source.messages.attachments', '[{ url: photo_url }]'),
        sets('Leave {count} out', { 'messages.empty': 'skip' }),
      ],
      otherwise: 'the rows are invalid as blank',
      keepsBack: true,
    },
  ),
  note(
    'left-out',
    'Rows left out by the mapping',
    "Rows of people, conversations, members, files and reactions that the mapping's skipWhen or only leaves out, counted per file. Rows of messages are skipped, by the name of the condition.",
    'Nothing, if that is what you meant.',
  ),
  decision(
    'missing-column',
    'Columns that the file does not have',
    'The mapping names a column that the file does not have.',
    {
      about: 'file',
      question: 'Which column is meant by a name that the file does not have?',
      options: [runs('Look at the columns again, and choose', 'init EXPORT')],
      otherwise: 'the rows are read without it, and are invalid if they need it',
    },
  ),
  note(
    'shortened-id',
    'Ids that a spreadsheet has cut',
    'A spreadsheet has cut digits off this id (1.23E+17). They cannot be recovered.',
    'Export the table again without opening it in a spreadsheet.',
  ),
  decision(
    'author-unbound',
    'Tables without authors',
    'The mapping does not say which column names the author, so all messages are by one unknown person.',
    {
      about: 'file',
      question: 'Who wrote these messages?',
      options: [
        asks('Name the column of the authors', 'source.messages.author', 'user_id'),
        asks('Name the one person who wrote them all', 'source.messages.author', '{ constant: Ada }'),
      ],
      otherwise: 'all messages are sent in the name of one unknown person',
    },
  ),
  badRow(
    'missing-conversation',
    'Rows without a conversation',
    'The column of the conversation is empty.',
    'Correct the row, or the mapping (source.messages.conversation).',
  ),
  badRow(
    'missing-time',
    'Rows without a time',
    'The column of the time is empty.',
    'Correct the row, or the mapping (source.messages.time).',
  ),
  badRow(
    'unknown-markup',
    'Rows with unknown markup',
    'The column that says how the text is written has a word that the mapping does not translate.',
    'Translate it in the mapping (source.messages.text.markup.values), or say what all others are (otherwise).',
  ),
  note(
    'unknown-text-part',
    'Parts of texts that have no place',
    'The text is a document of an editor, with a part such as a poll or a drawing of the application. Words in it are sent, and nothing else of it.',
    'Nothing, or bind what it shows with source.messages.custom or attachments, if a column has it.',
  ),
  badRow(
    'unclear-visibility',
    'Rows of which it is not known who saw them',
    'The column that says whether agents alone saw a row has a word that the mapping does not translate, or nothing. It may be a note for agents.',
    'Translate it in the mapping (source.messages.internal.values), or say what all others are (otherwise). For empty cells: internal: { first: [is_private, { constant: visible }] }.',
  ),
  badRow(
    'repeated-id',
    'Rows with the id of another one',
    'A row before it in the file has the same id and another text. The first one counts.',
    'Say in source.messages.repeated what rows of one id are: last, joined or all.',
  ),
  decision(
    'order-contradicted',
    'Rows in another order than the mapping says',
    'Messages of one time keep the order of the rows in the file, or the opposite one: the mapping says which, and the times or ids of the file say the other.',
    {
      about: 'file',
      question: 'Do the newest messages come first in the file, or the oldest?',
      options: [
        sets('Read the file as one with the newest messages first', { 'source.messages.order': 'newest-first' }),
        sets('Read the file as one with the oldest messages first', { 'source.messages.order': 'oldest-first' }),
      ],
      otherwise: 'messages of one time are sent in the order that the mapping says',
    },
  ),
  badList('attachments', 'files', 'files of a message', '[{ url: photo_url }]'),
  decision('unknown-conversation-type', 'Types of conversations that are not known', 'The type is taken as private.', {
    about: 'conversation',
    question: 'Which conversations were open to everybody?',
    options: [asks('Translate the types', 'source.conversations.type', '{ from: kind, values: { room: public } }')],
    otherwise: 'it is taken as private',
  }),
  decision(
    'name-from-mail',
    'Names made of mail addresses',
    'The row of the person has no name, or a mail address in its place. Everybody who sees the person at the destination sees it.',
    {
      about: 'person',
      question: 'May everybody see names that are made of mail addresses?',
      options: [
        asks(
          'Name the column of the names, or make one of several',
          'source.users.name',
          '{ template: "{first_name} {last_name}" }',
        ),
        asks('Name another table of people, such as one of profiles', 'source.tables.users', '{ table: profiles }'),
      ],
      otherwise:
        'the part before the @, or the whole address where it is the name, becomes the public name of the person',
    },
  ),
  note(
    'unknown-role',
    'Roles that are not known',
    'The role of the person is left out.',
    'Translate it in the mapping with { from, values }.',
  ),
  badList('reactions', 'reactions', 'reactions to a message', '{ list: reactions }'),
  note(
    'bad-edit-time',
    'Edits with a broken time',
    'The time of the edit does not have the format that the mapping says: the message counts as edited, without a time.',
    'Correct source.messages.edited in the mapping, or the row.',
  ),
  note(
    'shortened-reference',
    'Replies and quotes with an id that a spreadsheet has cut',
    'A spreadsheet has cut digits off the id of the other message (1.23E+17): the link is left out.',
    'Export the table again without opening it in a spreadsheet; or nothing: the message is sent without the link.',
  ),
];
