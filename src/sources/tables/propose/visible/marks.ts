import { readFlag } from '../../../../model/visibility-words.ts';
import { valueText } from '../../bind/value.ts';
import { aliases } from '../aliases.ts';
import { type ColumnChoice, type ColumnProfile, count, mostly } from '../columns.ts';

const names = aliases.message;

/** Threads and quotes: an answer looks the same in both, unless two columns are named for them. */
export function proposeLinks(columns: ColumnChoice): void {
  const { draft } = columns;
  columns.choose('messages.quote', columns.candidatesInside(names.quote));
  const said = { reply: draft.at('messages.reply'), quote: draft.at('messages.quote') };
  const reply = columns.candidatesInside(names.reply)[0] ?? findLinks(columns);
  if (!reply) return;
  columns.use(reply.name);
  const { chained, links, isKnown } = findChains(columns, reply);
  // Ids of mails, or of another system: they name no row.
  if (!isKnown && rowsAreAll(columns)) return;
  const seen = `"${reply.name}" names another message in ${count(links)} of ${count(reply.rowCount)} rows; ${
    chained > 0
      ? `${count(chained)} of these answer an answer, which threads do not know`
      : 'none of these answers an answer'
  }`;
  const words = { quote: 'each quotes that message', reply: 'they are in its thread' };
  const take = (key: 'reply' | 'quote') =>
    draft.choose(`messages.${key}`, { value: reply.name, because: `${seen}; ${words[key]}` });
  // If the column is not a thread, it is a quote, and the other way round.
  if (said.reply === undefined && said.quote !== undefined) take('reply');
  else if (isNothing(said.reply) || (said.reply === undefined && chained > 0)) take('quote');
  else if (said.reply === undefined)
    draft.choose('messages.reply', {
      because: seen,
      // Neither takes anything away from anybody.
      alternatives: [
        { value: reply.name, because: words.reply, isHarmless: true },
        { value: { constant: '' }, because: words.quote, isHarmless: true },
      ],
    });
}

const linkNames = /repl|quot|parent|answer|respon|refer|thread|root|antwort|zitat/i;
/** So many links in so many conversations meet no ids of messages by accident. */
const linksMin = 10;
const roomsMin = 3;

/** A column under any name whose values are ids of other messages of the same conversation. */
function findLinks(columns: ColumnChoice): ColumnProfile | undefined {
  const { rows, draft } = columns;
  const [id, room] = [draft.at('messages.id'), draft.at('messages.conversation')];
  if (typeof id !== 'string' || room === undefined) return undefined;
  const roomIn = (row: (typeof rows)[number]) => (typeof room === 'string' ? valueText(row.get(room)) : '');
  const roomOf = new Map(rows.map((row) => [valueText(row.get(id)), roomIn(row)]));
  return columns.unused.find(({ name, texts, rowCount }) => {
    if (name === id || texts.length === 0 || (texts.length === rowCount && !texts.includes('0'))) return false;
    const linked = rows.filter((row) => ![undefined, '0', ...columns.nulls].includes(valueText(row.get(name))));
    const isLink = (row: (typeof rows)[number]) => {
      const to = valueText(row.get(name));
      return to !== valueText(row.get(id)) && roomOf.has(to) && roomOf.get(to) === roomIn(row);
    };
    const isTelling = linked.length >= linksMin && new Set(linked.map(roomIn)).size >= roomsMin;
    return linked.length > 0 && (linkNames.test(name) || isTelling) && linked.every(isLink);
  });
}

const isNothing = (binding: unknown): boolean =>
  typeof binding === 'object' && binding !== null && 'constant' in binding && binding.constant === '';

/** Rows that name another message, and those of them that name one which does so itself. */
function findChains({ rows, draft, nulls, names }: ColumnChoice, { name }: ColumnProfile) {
  const id = draft.at('messages.id');
  const parentOf = (row: (typeof rows)[number]) => {
    const text = valueText(row.get(name))?.trim() ?? '';
    return text === '' || text === '0' || nulls.includes(text) ? undefined : text;
  };
  const idOf = (row: (typeof rows)[number]) => (typeof id === 'string' ? valueText(row.get(id)) : undefined);
  const linked = rows.filter((row) => parentOf(row) !== undefined && parentOf(row) !== idOf(row));
  const answers = new Set(linked.map(idOf));
  const parents = new Set(linked.map(parentOf));
  // Another column than the id may be the one that is named.
  const isKnown = (row: (typeof rows)[number]) =>
    names.some((column) => column !== name && parents.has(valueText(row.get(column))));
  return {
    links: linked.length,
    chained: linked.filter((row) => answers.has(parentOf(row)!)).length,
    isKnown: rows.some(isKnown),
  };
}

/** A part of the rows may lack those that others name. */
const rowsAreAll = ({ rows }: ColumnChoice): boolean => rows.length < 1000;

/** Names of what a database touches for any reason: a reaction, a mark of reading. */
const touched = /updat|modif|chang/i;

/** Proposes the column for edits: one that is named for them. */
export function proposeEdited(columns: ColumnChoice): void {
  columns.choose(
    'messages.edited',
    columns.candidates(names.edited, ({ name }) => !touched.test(name)),
  );
}

/** A flag, or the time of pinning. Other values may say where something is pinned. */
export function proposePinned(columns: ColumnChoice): void {
  const isMark = (profile: ColumnProfile) =>
    mostly(profile, (text) => readFlag(text) !== undefined || text.replace(/\D/g, '').length >= 8);
  columns.choose('messages.pinned', columns.candidates(names.pinned, isMark));
}
