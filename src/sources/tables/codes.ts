import type { SourceCode } from '../kit/codes.ts';

/** What binding rows of tables brings up, whatever the format. */
export const tablesCodes: readonly SourceCode[] = [
  {
    code: 'column-not-carried',
    severity: 'information',
    title: 'Columns that are not carried',
    explanation: 'The column, or the field at this path, has values, and the mapping reads nothing from it.',
    remedy: 'Name it in source.messages: what has no field of its own is kept by "custom: { NAME: COLUMN }".',
  },
  {
    code: 'file-not-bound',
    severity: 'decision',
    title: 'Rows without a text whose file no one has named',
    explanation:
      'The row has neither text nor a file that the mapping reads, so it is rejected as blank; a column that the mapping does not read has what looks like a file.',
    remedy: 'Name the column that the finding names with source.messages.attachments: [{ url: COLUMN }].',
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
    remedy: 'Correct its name, or take it out of the mapping.',
  },
  {
    code: 'shortened-id',
    severity: 'decision',
    title: 'Ids that a spreadsheet has cut',
    explanation: 'A spreadsheet has cut digits off this id (1.23E+17): nothing can bring them back.',
    remedy: 'Export the table again without opening it in a spreadsheet.',
  },
  {
    code: 'author-unbound',
    severity: 'decision',
    title: 'Tables without authors',
    explanation: 'The mapping does not say which column names the author, so all messages are by one unknown person.',
    remedy: 'Name the column with source.messages.author, or say { constant: NAME } there if one wrote them all.',
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
    code: 'bad-attachments',
    severity: 'decision',
    title: 'Lists of files that cannot be read',
    explanation: 'The column of the files begins like JSON and is not; the files are left out.',
    remedy: 'Correct the row, or source.messages.attachments in the mapping.',
  },
  {
    code: 'unknown-conversation-type',
    severity: 'decision',
    title: 'Types of conversations that are not known',
    explanation: 'The type is taken as private.',
    remedy: 'Translate it in the mapping with { from, values }.',
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
    remedy: 'Correct the row, or source.messages.reactions in the mapping.',
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
    title: 'Replies and quotes whose id a spreadsheet has cut',
    explanation: 'A spreadsheet has cut digits off the id of the other message (1.23E+17): the link is left out.',
    remedy: 'Export the table again without opening it in a spreadsheet.',
  },
];
