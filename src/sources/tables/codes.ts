import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

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
  decision(
    'child-row-incomplete',
    'Rows of members, files and reactions that say too little',
    'The row lacks the id of its parent, or its content: a person, an address, an emoji.',
    {
      about: 'nothing',
      options: [
        'Correct the row, or its section in the mapping.',
        'Leave such rows out with "only" or "skipWhen" of their section.',
      ],
      otherwise: 'the row is left out',
    },
  ),
  decision(
    'child-row-unused',
    'Files, reactions and edits of messages that were not read',
    'The rows name messages that are not among those read: they were left out, could not be read, or are not in the export. Counted when all files of messages are read.',
    {
      about: 'nothing',
      options: [
        'Correct "message" in the section of the mapping, if most rows of the table are counted here.',
        'Let it be so, if their messages are gone.',
      ],
      otherwise: 'the rows are left out',
    },
  ),
  note(
    'member-role-not-migrated',
    'Roles of members',
    'Members other than the owner have a role in their conversation, for which there is no place.',
    'Nothing, or give the roles in the new system.',
  ),
  decision(
    'file-not-bound',
    'Rows without text, with a file that the mapping does not name',
    'The row has neither text nor a file that the mapping reads, so it is invalid as blank. A column that the mapping does not read seems to have a file.',
    {
      about: 'message',
      options: [
        'Name the column that the finding names with source.messages.attachments: [{ url: COLUMN }].',
        'Let it be so, if the column holds no files.',
      ],
      otherwise: 'the rows are invalid as blank',
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
      about: 'nothing',
      options: ['Correct its name in the mapping.', 'Take it out of the mapping.'],
      otherwise: 'the rows are read without it, and are invalid if they need it',
    },
  ),
  decision(
    'shortened-id',
    'Ids that a spreadsheet has cut',
    'A spreadsheet has cut digits off this id (1.23E+17). They cannot be recovered.',
    {
      about: 'message',
      options: ['Export the table again without opening it in a spreadsheet.', 'Accept that these rows stay behind.'],
      otherwise: 'the rows are invalid, because their ids are unknown',
    },
  ),
  decision(
    'author-unbound',
    'Tables without authors',
    'The mapping does not say which column names the author, so all messages are by one unknown person.',
    {
      about: 'file',
      options: [
        'Name the column with source.messages.author.',
        'Say { constant: NAME } there, if one person wrote them all.',
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
      options: ['Set source.messages.order in the mapping: newest-first or oldest-first.', 'Let it be so.'],
      otherwise: 'messages of one time are sent in the order that the mapping says',
    },
  ),
  decision(
    'bad-attachments',
    'Lists of files that cannot be read',
    'The column of the files begins like JSON and is not; the files are left out.',
    {
      about: 'message',
      options: ['Correct the row.', 'Correct source.messages.attachments in the mapping.'],
      otherwise: 'the message is sent without the files',
    },
  ),
  decision('unknown-conversation-type', 'Types of conversations that are not known', 'The type is taken as private.', {
    about: 'nothing',
    options: ['Translate it in the mapping with { from, values }.', 'Let it be private.'],
    otherwise: 'it is taken as private',
  }),
  decision(
    'name-from-mail',
    'Names made of mail addresses',
    'The row of the person has no name, or a mail address in its place. Everybody who sees the person at the destination sees it.',
    {
      about: 'person',
      options: [
        'Name the column of the names with source.users.name, or make one of several: { template: "{first_name} {last_name}" }.',
        'Name another table of people with source.tables.users, such as one of profiles.',
        'Let it be so, if everybody may see these names.',
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
  decision(
    'bad-reactions',
    'Lists of reactions that cannot be read',
    'The column of the reactions begins like JSON and is not; the reactions are left out.',
    {
      about: 'message',
      options: ['Correct the row.', 'Correct source.messages.reactions in the mapping.'],
      otherwise: 'the message is sent without the reactions',
    },
  ),
  note(
    'bad-edit-time',
    'Edits with a broken time',
    'The time of the edit does not have the format that the mapping says: the message counts as edited, without a time.',
    'Correct source.messages.edited in the mapping, or the row.',
  ),
  decision(
    'shortened-reference',
    'Replies and quotes with an id that a spreadsheet has cut',
    'A spreadsheet has cut digits off the id of the other message (1.23E+17): the link is left out.',
    {
      about: 'message',
      options: ['Export the table again without opening it in a spreadsheet.', 'Accept that the link is lost.'],
      otherwise: 'the message is sent without the link',
    },
  ),
];
