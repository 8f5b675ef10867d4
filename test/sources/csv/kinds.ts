import { type Kinds, inner, replace, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  unreadContent: 'Cells with a structure are those of JSON: the binding of rows is the same',
  nestedRows: [
    {
      where: 'list in a cell',
      sample: 'several-files',
      edits: [
        replace('messages-2024.csv', 'edited_at\n', 'edited_at,replies\n'),
        replace('messages-2024.csv', 'First,0,,\n', `First,0,,,"[{""text"":""${inner}""}]"\n`),
      ],
    },
  ],
  partialExports: 'A table has rows alone',
  messageNames: 'A mapping says what the author is: a name of each message is bound as the author',
  sameNames: [
    {
      by: 'the column with the id',
      sample: 'several-files',
      edits: [replace('rooms.csv', 'General', shared), replace('rooms.csv', 'Old things', shared)],
    },
  ],
  overlaps: [
    {
      sample: 'several-files',
      changed: 'the text',
      after: [replace('messages-2024.csv', 'Answer,1,,2024-03-01T12:00:00Z', 'Answers,1,,2024-03-01T15:00:00Z')],
    },
    {
      sample: 'two-people',
      changed: 'the text',
      isUndated: true,
      after: [replace('export.csv', 'Ids with a colon', 'Ids with two')],
    },
  ],
};
