import { type ColumnChoice, type ColumnProfile, count } from '../columns.ts';

/** Share of the rows of one file that may be equal by accident. */
const copiesShare = 0.05;
/** Shorter texts come again by themselves. */
const lettersMin = 8;

/**
 * Rows with ids of their own that say the same at the same time: a table with a row for each reader, or a file that is an excerpt of
 * another. Asked, because each of them would be sent.
 *
 * @returns Whether it is asked.
 */
export function askAboutCopies(columns: ColumnChoice, id: ColumnProfile): boolean {
  const { draft, rows } = columns;
  const text = columnAt(columns, 'messages.text');
  const time = columnAt(columns, 'messages.time');
  const place = draft.at('messages.conversation');
  if (draft.at('messages.id') !== undefined || text === undefined || time === undefined) return false;
  const said = [place, draft.at('messages.author')].filter((name) => typeof name === 'string');
  const groups = new Map<string, (typeof rows)[number][]>();
  for (const row of rows) {
    if (String(row.get(text) ?? '').trim().length < lettersMin) continue;
    const key = JSON.stringify([...said, time, text].map((name) => row.get(name) ?? null));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const isCopied = (group: readonly (typeof rows)[number][]) => new Set(group.map((row) => row.get(id.name))).size > 1;
  const copied = [...groups.values()].filter(isCopied);
  const more = copied.reduce((sum, { length }) => sum + length - 1, 0);
  const areOfFiles = copied.some((group) => new Set(group.map(({ location }) => location.path)).size > 1);
  if (more === 0 || (!areOfFiles && more < rows.length * copiesShare)) return false;
  const withoutText = new Set(
    [...groups.keys()].map((key) => JSON.stringify((JSON.parse(key) as unknown[]).slice(0, -1))),
  );
  const isTelling = said.length === 2 && withoutText.size === groups.size;
  const template = [...said, time, ...(isTelling ? [] : [text])].map((name) => `{${name}}`).join(' ');
  draft.choose('messages.id', {
    because: `${count(more)} of ${count(rows.length)} rows say what another row says at the same time, ${areOfFiles ? 'in several files' : 'but for some columns'}, with ids of their own`,
    alternatives: [
      { value: { template }, because: 'they are the same message: it is sent once' },
      { value: id.name, because: 'each is a message of its own' },
    ],
    isRequired: true,
  });
  return true;
}

function columnAt({ draft }: ColumnChoice, key: string): string | undefined {
  const value = draft.at(key);
  const name = typeof value === 'string' ? value : draft.at(`${key}.from`);
  return typeof name === 'string' ? name : undefined;
}
