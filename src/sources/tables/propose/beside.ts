import type { BesideReading } from '../../../model/reading-result.ts';
import { valueText } from '../bind/value.ts';
import { aliases, withNames } from './aliases.ts';
import { namesIn, rowsThatAreRead, type Section } from './bound-columns.ts';
import { splitWords } from '../../../model/visibility-words.ts';
import { type ColumnProfile, distinct, type Draft, textsIn } from './columns.ts';
import { type ColumnFacts, isNameOf, type TableFacts, tableFacts } from './graph/facts.ts';
import { type Edge, type Graph, pointsAt } from './graph/graph.ts';
import { namesPerson } from './graph/people.ts';
import type { TableGroup } from './graph/groups.ts';
import { isLikeMessages, isOfRoom } from './graph/roles.ts';
import { isHarmless } from './visible/sorters.ts';
import { isHarmlessFlag } from './visible/unclear.ts';

interface ReadTables {
  readonly messages: TableFacts;
  readonly conversations: TableFacts | undefined;
  readonly users: TableFacts | undefined;
  /** The section `users` without what is proposed. */
  readonly usersSaid: unknown;
  /** Tables that nothing reads or ignores. */
  readonly unread: readonly TableGroup[];
  /** With those that are ignored. */
  readonly others: readonly TableGroup[];
}

/** Values of a column that sorts rows. */
const splitMin = 2;
const splitMax = 50;
/** Values of one that may say in which conversation a message was. */
const roomsMin = 4;
/** Ids that two tables share. */
const sharedMax = 10_000;

/** Signs against how these tables are read: found in their samples, however the reading was decided. */
export function lookBeside(graph: Graph, tables: ReadTables, draft: Draft, nulls: readonly string[]): BesideReading {
  const { messages, conversations, users, usersSaid, unread, others } = tables;
  const used = usedColumns('messages', draft);
  const isFree = ({ name, profile }: ColumnFacts) =>
    !used.has(name) && !name.startsWith('$') && profile.texts.length > 0 && !numbersRows(messages, name, draft);
  const edges = new Map(graph.best(messages).map((edge) => [edge.column.name, edge]));
  const read = (section: 'messages' | 'conversations', { sample, name }: TableFacts) =>
    tableFacts({ ...sample, rows: rowsThatAreRead(draft.at(section), sample.rows, nulls) }, name, nulls).columns;
  const free = read('messages', messages).filter(
    (column) => isFree(column) && !namesSomebody(column, edges.get(column.name), graph),
  );
  const isKnown = (to: TableFacts) => to === messages || to === conversations;
  const people = unread.filter((table) => graph.isPeople(table));
  return {
    rivals: unread
      .filter((table) => table !== messages && isLikeMessages(table, graph))
      .filter((table) => !conversations || !isOfRoom(table, conversations, graph))
      .map(({ name, parts }) => ({
        table: name,
        rows: parts.some(({ isAtLeast }) => isAtLeast) ? null : parts.reduce((sum, { rows }) => sum + rows, 0),
      })),
    splits: [
      ...free.flatMap((column) => splitBy(column, edges.get(column.name), isKnown)),
      ...(conversations
        ? splitsOfRooms(graph, conversations, { messages, columns: read('conversations', conversations) }, draft)
        : []),
    ],
    rooms: [
      ...free
        .filter(
          ({ shape, ids, profile, isUnique }) =>
            isId(shape) && !isUnique && ids.size >= roomsMin && ids.size * 2 <= profile.texts.length,
        )
        .filter(({ name }) => !isHarmless(name) && !isHarmlessFlag(name))
        .map(({ name, ids }) => ({ column: name, table: null, values: ids.size })),
      ...roomsElsewhere(graph, messages, others),
    ],
    shared: [...sharedIds(graph, messages, draft), ...typedIds(graph, messages, draft)].slice(0, 1),
    people: users ? [] : people.map(({ name }) => name),
    names: [...(users ? [users] : []), ...people].flatMap((table) => unreadNames(table, usersSaid)),
  };
}

/** Whether no two rows of a conversation have one value of a column, as with numbers that begin again in each: of conversations that have several rows. */
function numbersRows({ sample: { rows } }: TableFacts, name: string, draft: Draft): boolean {
  const place = draft.at('messages.conversation');
  if (typeof place !== 'string') return false;
  const distinct = (...names: readonly string[]) =>
    new Set(rows.map((row) => JSON.stringify(names.map((one) => valueText(row.get(one)))))).size;
  return distinct(place) * 2 <= rows.length && distinct(place, name) === rows.length;
}

/** A table that nothing reads, whose rows name a message and a row of a table that is neither people nor messages: they may say where it was. */
const roomsElsewhere = (graph: Graph, messages: TableFacts, others: readonly TableGroup[]): BesideReading['rooms'] =>
  others.flatMap((table) => {
    const edges = graph.best(table);
    const ofMessage = edges.find(({ to, isNamed, isProven }) => to === messages && (isNamed || isProven));
    const room = edges.find(
      ({ to, column }) => to !== messages && to !== table && column !== ofMessage?.column && !graph.isPeople(to),
    );
    if (!ofMessage || !room || isHarmless(room.column.name)) return [];
    const { name, ids, profile } = room.column;
    return comesAgain(profile, ids.size) ? [{ column: name, table: table.name, values: ids.size }] : [];
  });

/** Columns with names of people that the mapping does not read. */
function unreadNames(table: TableFacts, said: unknown): readonly string[] {
  const used = new Set(textsIn(said).flatMap((text) => text.match(/[^{}]+/g) ?? []));
  const named = withNames(table.columns, aliases.user.name);
  const isName = (column: ColumnFacts, { texts } = column.profile) =>
    texts.length > 0 &&
    (named.includes(column) || texts.filter((text) => fullName.test(text)).length * 2 > texts.length);
  return table.columns
    .filter((column) => !used.has(column.name) && isName(column))
    .map(({ name }) => `${table.name}.${name}`);
}

const fullName = /^\p{Lu}[\p{L}.'’-]*(?: \p{L}[\p{L}.'’-]*){1,3}$/u;

/** Columns that the mapping reads, sorts by or names in a query. */
function usedColumns(section: Section, draft: Draft): ReadonlySet<string> {
  const bound = Object.entries((draft.at(section) ?? {}) as object);
  const names = bound.flatMap(([key, value]) => [...namesIn(section, key, value), ...textsIn(value)]);
  const sorted = bound
    .filter(([key]) => key === 'only' || key === 'skipWhen')
    .flatMap(([, rules]) => Object.keys(Object(rules)));
  const query = draft.at(`tables.${section}.query`);
  const inQuery = typeof query === 'string' ? (query.match(/\w+/g) ?? []) : [];
  return new Set([...names, ...sorted, ...inQuery]);
}

const namesSomebody = ({ name }: ColumnFacts, edge: Edge | undefined, graph: Graph): boolean =>
  (edge !== undefined && graph.isPeople(edge.to)) || namesPerson(name) || /uid$/i.test(name);

const isId = (shape: ColumnFacts['shape']): boolean => shape === 'number' || shape === 'long-id' || shape === 'word';

const comesAgain = ({ texts }: ColumnProfile, values: number): boolean =>
  values >= splitMin && values <= splitMax && values * 2 <= texts.length;

/** A column whose few values come again, unless its name says that they are no more than what everybody may know of a message. */
function splitBy(
  { name, profile, shape }: ColumnFacts,
  edge: Edge | undefined,
  isKnown: (to: TableFacts) => boolean,
): BesideReading['splits'] {
  const values = new Set(profile.texts).size;
  if (!comesAgain(profile, values) || !(isId(shape) || shape === 'flag') || (edge && isKnown(edge.to))) return [];
  if (isHarmless(name) || isHarmlessFlag(name) || profile.texts.every(isAddress) || /count|length|duration/i.test(name))
    return [];
  return [{ column: name, values, to: edge?.to.name ?? null }];
}

const isAddress = (text: string): boolean => /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=.*:.*:)[\da-f:]+)$/i.test(text);

/** Columns of conversations that name rows of a table of their own: a tenant, a shop. */
function splitsOfRooms(
  graph: Graph,
  conversations: TableFacts,
  { messages, columns }: Pick<TableFacts, 'columns'> & { readonly messages: TableFacts },
  draft: Draft,
): BesideReading['splits'] {
  const used = usedColumns('conversations', draft);
  return graph.best(conversations).flatMap(({ column: { name }, to }): BesideReading['splits'] => {
    const profile = columns.find((column) => column.name === name)?.profile;
    const isOther =
      to === messages || to === conversations || graph.isPeople(to) || used.has(name) || namesPerson(name);
    if (profile === undefined || isOther || isHarmless(name)) return [];
    const values = new Set(profile.texts).size;
    return comesAgain(profile, values) ? [{ column: `${conversations.name}.${name}`, values, to: to.name }] : [];
  });
}

/** Tables of people in which the authors' ids are found, where neither a key nor a name says in which they belong. */
function sharedIds(graph: Graph, messages: TableFacts, draft: Draft): BesideReading['shared'] {
  const author = draft.at('messages.author');
  const isDeclared = messages.sample.declared?.references.some(({ column }) => column === author);
  if (typeof author !== 'string' || isDeclared || draft.at('tables.users.query') !== undefined) return [];
  const found = graph.from(messages).filter(({ column, to }) => column.name === author && graph.isPeople(to));
  const [first, second] = found;
  if (!first || !second || found.filter(({ to }) => pointsAt(author, to.name)).length === 1) return [];
  // Long ids do not meet by accident, and a profile that is named by its account is no second person.
  const isOne = (one: Edge, other: Edge) =>
    graph.from(one.to).some(({ column, to }) => column === one.key && to === other.to);
  if (first.key.shape === 'long-id' || isOne(first, second) || isOne(second, first)) return [];
  const ids = [...first.column.ids].filter((id) => first.key.ids.has(id) && second.key.ids.has(id)).slice(0, sharedMax);
  return ids.length === 0 ? [] : [{ tables: [first.to.name, second.to.name], ids }];
}

/** Ids of authors that come with the names of two tables, in a column next to them that nothing reads: `sender_party`, `sendable_type`. */
function typedIds(graph: Graph, messages: TableFacts, draft: Draft): BesideReading['shared'] {
  const author = draft.at('messages.author');
  if (typeof author !== 'string') return [];
  const stem = splitWords(author)[0];
  const { rows } = messages.sample;
  return messages.columns.flatMap(({ name, shape, profile }): BesideReading['shared'] => {
    if (name === author || !isId(shape) || !(profile.texts.length > 0)) return [];
    const named = distinct(profile).flatMap((word) => {
      const table = graph.tables.find((one) => one !== messages && isNameOf(word, one));
      return table ? [[word, table] as const] : [];
    });
    const tables = new Map(named);
    const isOfAuthor = splitWords(name)[0] === stem || named.every(([, table]) => graph.isPeople(table));
    if (tables.size < 2 || tables.size > splitMax || !isOfAuthor) return [];
    const words = new Map<string, Set<string>>();
    for (const row of rows) {
      const [id, word] = [String(row.get(author) ?? ''), String(row.get(name) ?? '')];
      if (id !== '' && tables.has(word)) words.set(id, (words.get(id) ?? new Set()).add(word));
    }
    const twice = [...words].filter(([, { size }]) => size > 1);
    const [one, other] = [...(twice[0]?.[1] ?? [])].map((word) => tables.get(word)!.name);
    return one === undefined || other === undefined || one === other
      ? []
      : [{ tables: [one, other], ids: twice.map(([id]) => id).slice(0, sharedMax) }];
  });
}
