import type { Reading } from '../../../table-source.ts';
import { valueText } from '../../bind/value.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct } from '../columns.ts';
import { type TableFacts, lastWord, singular } from '../graph/facts.ts';
import { comesAgain, isPlain } from '../graph/identities.ts';
import type { Relations } from '../graph/relations.ts';

/** Conversations that a second column explains: the type of an id, or the message that an answer belongs to. */

const wordsMax = 6;
const personWord = /^(?:user|users|direct|dm|im|single|personal|person|private|c2c|p2p|one|onetoone|friend|buddy)$/i;
const roomWords = /^(?:group|groups|room|channel|team|public|muc|space|topic|c2g|conversation|chat)$/i;

/** `commentable_type` and `commentable_id`; `conv_type` and `target`, where one type means a person and another a room. */
export function typedReadings(columns: ColumnChoice, relations: Relations, author: unknown): readonly Reading[] {
  const free = columns.unused.filter((one) => one.name !== author && one.texts.length === one.rowCount && isPlain(one));
  const types = free.filter((one) => distinct(one).length > 1 && distinct(one).length <= wordsMax);
  const found = types.flatMap((type) =>
    free
      .filter((id) => id !== type && comesAgain(id, 2))
      .flatMap((id) => byType(partsOf(columns, relations, type, id), { type, id, author })),
  );
  const named = relations.typedPlaces().map(({ type, id }) => ({ type: type.profile, id: id.profile }));
  const isFound = ({ id }: Typed) => found.some(({ because }) => because.includes(`"${id.name}"`));
  return [...found, ...named.filter((one) => !isFound(one)).map((one) => eachType(one))].slice(0, 3);
}

interface Typed {
  readonly type: ColumnProfile;
  readonly id: ColumnProfile;
}

/** Rows of one type. */
interface Part {
  readonly word: string;
  /** The only table that has all of their ids. */
  readonly to: TableFacts | undefined;
  readonly isPerson: boolean;
}

/** An id behind its type. */
export const eachType = ({ type, id }: Typed, what = 'conversation'): Reading => ({
  value: { template: `{${type.name}}:{${id.name}}` },
  because: `types ${distinct(type).slice(0, 4).join(', ')}: the same number is another ${what} in each`,
  isEvident: true,
});

/** None if one table has the ids of all types: then the type says nothing of them. */
function partsOf(columns: ColumnChoice, relations: Relations, type: ColumnProfile, id: ColumnProfile): readonly Part[] {
  if (relations.tableOf(distinct(id)) !== undefined) return [];
  const ids = Map.groupBy(columns.rows, (row) => valueText(row.get(type.name))?.trim() ?? '');
  return [...ids].map(([word, rows]) => {
    const to = relations.tableOf(new Set(rows.map((row) => valueText(row.get(id.name)) ?? '')), word);
    return { word, to, isPerson: to === undefined ? personWord.test(word) : relations.isPeople(to) };
  });
}

function byType(
  parts: readonly Part[],
  { type, id, author }: Typed & { readonly author: unknown },
): readonly Reading[] {
  const [people, rooms] = [parts.filter(({ isPerson }) => isPerson), parts.filter(({ isPerson }) => !isPerson)];
  const isKnown = ({ to, word }: Part) => to !== undefined || personWord.test(word) || roomWords.test(word);
  const tables = new Set(parts.flatMap(({ to }) => to ?? []));
  if (rooms.length === 0 || !parts.every(isKnown)) return [];
  if (people.length === 0) return tables.size > 1 ? [eachType({ type, id })] : [];
  if (author === undefined) return [];
  const sort = ({ word, to }: Part) =>
    (to && singular(lastWord(to.name))) || (/^[a-z]\w*$/i.test(word) ? word : 'room');
  const first = [
    { when: { [type.name]: people.map(({ word }) => word) }, take: { between: [author, id.name] } },
    ...rooms.map((part) => ({ when: { [type.name]: [part.word] }, take: { template: `${sort(part)}:{${id.name}}` } })),
  ];
  const words = parts.map((part) => `${part.word}: ${part.isPerson ? 'a person' : `a ${sort(part)}`}`);
  return [
    {
      value: { first },
      because: `"${type.name}" says of what "${id.name}" is an id: ${words.join(', ')}`,
      isEvident: true,
    },
  ];
}

/** Names of columns that name the message that a row belongs to or answers. */
const linkNames = /parent|root|thread|top|reply|replied|respon|answer|origin|refer|in_?re|first|start/i;

/** The first message of a thread as the conversation of all in it, where rows name that message. */
export function rootReadings(
  columns: ColumnChoice,
  relations: Relations,
  id: ColumnProfile | undefined,
): readonly Reading[] {
  if (!id) return [];
  const ids = new Set(id.texts);
  return columns.unused
    .filter((one) => one.name !== id.name && !isInAll(one) && isLink(one, ids, relations))
    .flatMap((one) => {
      const parents = new Map(columns.rows.map((row) => [valueText(row.get(id.name)), valueText(row.get(one.name))]));
      const isRoot = (parent: string) => [undefined, '0', parent].includes(parents.get(parent));
      const links = distinct(one).filter((text) => text !== '0');
      // An answer to an answer names no root: a query finds it.
      if (!links.every(isRoot)) return [];
      const because = `"${one.name}" names the first of ${count(links.length)} threads; a message that names none begins one`;
      return [{ value: { first: [withoutZero(one), id.name] }, because }];
    });
}

/** Then each row has a conversation by it alone. */
const isInAll = ({ texts, rowCount }: ColumnProfile): boolean => texts.length === rowCount && !texts.includes('0');

const withoutZero = ({ name, texts }: ColumnProfile) =>
  texts.includes('0') ? { from: name, values: { 0: '' } } : name;

function isLink({ name, texts }: ColumnProfile, ids: ReadonlySet<string>, relations: Relations): boolean {
  const edge = relations.edgeOf(name);
  if (edge && edge.to !== edge.from) return false;
  const links = texts.filter((text) => text !== '0');
  const isNamed =
    columnsNamed([name], `${aliases.message.reply} ${aliases.message.quote}`).length > 0 || linkNames.test(name);
  const isDeclared = edge?.isProven === true;
  return (isNamed || isDeclared) && links.length > 1 && links.every((text) => ids.has(text));
}
