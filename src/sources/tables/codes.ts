import type { SourceCode } from '../kit/codes.ts';

/** Codes for problems found while binding rows of tables, in any format. */
export const tablesCodes: readonly SourceCode[] = [
  {
    code: 'column-renamed',
    severity: 'information',
    title: 'Columns with another name in queries',
    explanation:
      'SQL does not distinguish capital letters, so the second of two such names is called otherwise in queries.',
    remedy: 'Use the name that the finding gives in source.tables.',
  },
  {
    code: 'conversation-unclear',
    severity: 'blocks',
    title: 'Messages whose conversation may be left out',
    explanation:
      'The mapping leaves some conversations out (source.conversations.only or skipWhen), and some rows of their table cannot be read. A message whose conversation is in none of the other rows is not sent.',
    remedy: 'Correct those rows, or the name of the column, and plan again: other findings name them.',
  },
  {
    code: 'child-row-incomplete',
    severity: 'decision',
    title: 'Rows of members, files and reactions that say too little',
    explanation: 'The row lacks the id of its parent, or its content: a person, an address, an emoji.',
    about: 'nothing',
    options: [
      'Correct the row, or its section in the mapping.',
      'Leave such rows out with "only" or "skipWhen" of their section.',
    ],
    otherwise: 'the row is left out',
  },
  {
    code: 'child-row-unused',
    severity: 'decision',
    title: 'Files, reactions and edits of messages that were not read',
    explanation:
      'The rows name messages that are not among those read: they were left out, could not be read, or are not in the export. Counted when all files of messages are read.',
    about: 'nothing',
    options: [
      'Correct "message" in the section of the mapping, if most rows of the table are counted here.',
      'Let it be so, if their messages are gone.',
    ],
    otherwise: 'the rows are left out',
  },
  {
    code: 'member-role-not-migrated',
    severity: 'information',
    title: 'Roles of members',
    explanation: 'Members other than the owner have a role in their conversation, for which there is no place.',
    remedy: 'Nothing, or give the roles in the new system.',
  },
  {
    code: 'file-not-bound',
    severity: 'decision',
    title: 'Rows without text, with a file that the mapping does not name',
    explanation:
      'The row has neither text nor a file that the mapping reads, so it is invalid as blank. A column that the mapping does not read seems to have a file.',
    about: 'message',
    options: [
      'Name the column that the finding names with source.messages.attachments: [{ url: COLUMN }].',
      'Let it be so, if the column holds no files.',
    ],
    otherwise: 'the rows are invalid as blank',
  },
  {
    code: 'left-out',
    severity: 'information',
    title: 'Rows left out by the mapping',
    explanation:
      "Rows that the mapping's skipWhen or only leaves out, counted per file. They are not among the messages read.",
    remedy: 'Nothing, if that is what you meant.',
  },
  {
    code: 'missing-column',
    severity: 'decision',
    title: 'Columns that the file does not have',
    explanation: 'The mapping names a column that the file does not have.',
    about: 'nothing',
    options: ['Correct its name in the mapping.', 'Take it out of the mapping.'],
    otherwise: 'the rows are read without it, and are invalid if they need it',
  },
  {
    code: 'shortened-id',
    severity: 'decision',
    title: 'Ids that a spreadsheet has cut',
    explanation: 'A spreadsheet has cut digits off this id (1.23E+17). They cannot be recovered.',
    about: 'message',
    options: ['Export the table again without opening it in a spreadsheet.', 'Accept that these rows stay behind.'],
    otherwise: 'the rows are invalid, because their ids are unknown',
  },
  {
    code: 'author-unbound',
    severity: 'decision',
    title: 'Tables without authors',
    explanation: 'The mapping does not say which column names the author, so all messages are by one unknown person.',
    about: 'file',
    options: [
      'Name the column with source.messages.author.',
      'Say { constant: NAME } there, if one person wrote them all.',
    ],
    otherwise: 'all messages are sent in the name of one unknown person',
  },
  {
    code: 'older-version',
    severity: 'information',
    title: 'Older versions below the latest',
    explanation:
      'The row has the id of a row above it and an earlier time: it is an older version, and the mapping keeps the last.',
    remedy: 'Nothing, if the rows are an edit history; else set source.messages.repeated in the mapping.',
  },
  {
    code: 'missing-conversation',
    severity: 'blocks',
    title: 'Rows without a conversation',
    explanation: 'The column of the conversation is empty.',
    remedy: 'Correct the row, or the mapping (source.messages.conversation).',
  },
  {
    code: 'missing-time',
    severity: 'blocks',
    title: 'Rows without a time',
    explanation: 'The column of the time is empty.',
    remedy: 'Correct the row, or the mapping (source.messages.time).',
  },
  {
    code: 'unknown-markup',
    severity: 'blocks',
    title: 'Rows with unknown markup',
    explanation: 'The column that says how the text is written has a word that the mapping does not translate.',
    remedy: 'Translate it in the mapping (source.messages.text.markup.values), or say what all others are (otherwise).',
  },
  {
    code: 'unclear-visibility',
    severity: 'blocks',
    title: 'Rows of which it is not known who saw them',
    explanation:
      'The column that says whether agents alone saw a row has a word that the mapping does not translate, or nothing. It may be a note for agents.',
    remedy:
      'Translate it in the mapping (source.messages.internal.values), or say what all others are (otherwise). For empty cells: internal: { first: [is_private, { constant: visible }] }.',
  },
  {
    code: 'order-contradicted',
    severity: 'decision',
    title: 'Rows in another order than the mapping says',
    explanation:
      'Messages of one time keep the order of the rows in the file, or the opposite one: the mapping says which, and the times or ids of the file say the other.',
    about: 'file',
    options: ['Set source.messages.order in the mapping: newest-first or oldest-first.', 'Let it be so.'],
    otherwise: 'messages of one time are sent in the order that the mapping says',
  },
  {
    code: 'bad-attachments',
    severity: 'decision',
    title: 'Lists of files that cannot be read',
    explanation: 'The column of the files begins like JSON and is not; the files are left out.',
    about: 'message',
    options: ['Correct the row.', 'Correct source.messages.attachments in the mapping.'],
    otherwise: 'the message is sent without the files',
  },
  {
    code: 'unknown-conversation-type',
    severity: 'decision',
    title: 'Types of conversations that are not known',
    explanation: 'The type is taken as private.',
    about: 'nothing',
    options: ['Translate it in the mapping with { from, values }.', 'Let it be private.'],
    otherwise: 'it is taken as private',
  },
  {
    code: 'unknown-role',
    severity: 'information',
    title: 'Roles that are not known',
    explanation: 'The role of the person is left out.',
    remedy: 'Translate it in the mapping with { from, values }.',
  },
  {
    code: 'bad-reactions',
    severity: 'decision',
    title: 'Lists of reactions that cannot be read',
    explanation: 'The column of the reactions begins like JSON and is not; the reactions are left out.',
    about: 'message',
    options: ['Correct the row.', 'Correct source.messages.reactions in the mapping.'],
    otherwise: 'the message is sent without the reactions',
  },
  {
    code: 'bad-edit-time',
    severity: 'information',
    title: 'Edits with a broken time',
    explanation:
      'The time of the edit does not have the format that the mapping says: the message counts as edited, without a time.',
    remedy: 'Correct source.messages.edited in the mapping, or the row.',
  },
  {
    code: 'shortened-reference',
    severity: 'decision',
    title: 'Replies and quotes with an id that a spreadsheet has cut',
    explanation: 'A spreadsheet has cut digits off the id of the other message (1.23E+17): the link is left out.',
    about: 'message',
    options: ['Export the table again without opening it in a spreadsheet.', 'Accept that the link is lost.'],
    otherwise: 'the message is sent without the link',
  },
];
