import { type ColumnChoice, type ColumnProfile, count, distinct } from '../columns.ts';

/** Share of the rows of one file that may be equal by accident. */
const copiesShare = 0.05;
/** Shorter texts come again by themselves. */
const lettersMin = 8;

/**
 * Rows that say the same at the same time: a table with a row for each mailbox, folder or reader, or a file that is an excerpt of another. Asked,
 * because each of them would be sent.
 *
 * @param id The column of their own ids, if there is one.
 * @returns Whether it is asked.
 */
export function askAboutCopies(columns: ColumnChoice, id: ColumnProfile | undefined): boolean {
  const { draft, rows } = columns;
  const text = draft.columnAt('messages.text');
  const time = draft.columnAt('messages.time');
  if (draft.at('messages.id') !== undefined || text === undefined || time === undefined) return false;
  const said = placeAndAuthor(columns);
  const telling = rows.filter((row) => String(row.get(text) ?? '').trim().length >= lettersMin);
  const groups = Map.groupBy(telling, (row) =>
    JSON.stringify([...said, time, text].map((name) => row.get(name) ?? null)),
  );
  const isCopied = (group: readonly (typeof rows)[number][]) =>
    id === undefined ? group.length > 1 : new Set(group.map((row) => row.get(id.name))).size > 1;
  const copied = [...groups.values()].filter(isCopied);
  const copies = copied.reduce((sum, { length }) => sum + length, 0);
  const more = copies - copied.length;
  const areOfFiles = copied.some((group) => new Set(group.map(({ location }) => location.path)).size > 1);
  if (more === 0 || (!areOfFiles && more < rows.length * copiesShare)) return false;
  const withoutText = new Set(
    [...groups.keys()].map((key) => JSON.stringify((JSON.parse(key) as unknown[]).slice(0, -1))),
  );
  const isTelling = said.length > 1 && withoutText.size === groups.size;
  const template = [...said, time, ...(isTelling ? [] : [text])].map((name) => `{${name}}`).join(' ');
  draft.choose('messages.id', {
    because: `${count(copies)} of ${count(rows.length)} rows are copies of ${count(copied.length)} messages: they say the same at the same time, ${areOfFiles ? 'in several files' : 'but for some columns'}`,
    alternatives: [
      {
        value: { template },
        because: `each of the ${count(copied.length)} is sent once; ${count(more)} copies are left out`,
      },
      {
        value: id?.name ?? { template: `{${columns.names.find((name) => isOfRow(columns.profile(name))) ?? time}}` },
        because: 'each is a message of its own',
      },
    ],
    isRequired: true,
  });
  return true;
}

/** Columns that say where a message is and who wrote it, as far as that is decided: the two people of a pair as well. */
const placeAndAuthor = ({ draft }: ColumnChoice): readonly string[] => {
  const between = draft.at('messages.conversation.between');
  const said = [
    draft.at('messages.conversation'),
    ...(Array.isArray(between) ? between : []),
    draft.at('messages.author'),
  ];
  return [...new Set(said.filter((name) => typeof name === 'string'))];
};

/** Whether every row has a value of its own there. */
const isOfRow = (profile: ColumnProfile): boolean => distinct(profile).length === profile.rowCount;
