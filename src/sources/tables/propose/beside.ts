import type { BesideReading } from '../../../model/reading-result.ts';
import { namesIn, type Section } from './bound-columns.ts';
import { type ColumnProfile, type Draft, textsIn } from './columns.ts';
import type { ColumnFacts, TableFacts } from './graph/facts.ts';
import { type Edge, type Graph, namesPerson, pointsAt } from './graph/graph.ts';
import type { TableGroup } from './graph/groups.ts';
import { isHarmless } from './visible/sorters.ts';
import { isHarmlessFlag } from './visible/unclear.ts';

interface ReadTables {
  readonly messages: TableFacts;
  readonly conversations: TableFacts | undefined;
  /** Tables that nothing reads. */
  readonly unread: readonly TableGroup[];
}

/** Values of a column that sorts rows. */
const splitMin = 2;
const splitMax = 50;
/** Values of one that may say in which conversation a message was. */
const roomsMin = 4;

/** Signs against how these tables are read: found in their samples, however the reading was decided. */
export function lookBeside(graph: Graph, { messages, conversations, unread }: ReadTables, draft: Draft): BesideReading {
  const used = usedColumns('messages', draft);
  const isFree = ({ name, profile }: ColumnFacts) =>
    !used.has(name) && !name.startsWith('$') && profile.texts.length > 0;
  const edges = new Map(graph.best(messages).map((edge) => [edge.column.name, edge]));
  const free = messages.columns.filter(
    (column) => isFree(column) && !namesSomebody(column, edges.get(column.name), graph),
  );
  const isKnown = (to: TableFacts) => to === messages || to === conversations;
  return {
    rivals: unread
      .filter((table) => table !== messages && isLikeMessages(table, graph))
      .map(({ name, parts }) => ({
        table: name,
        rows: parts.some(({ isAtLeast }) => isAtLeast) ? null : parts.reduce((sum, { rows }) => sum + rows, 0),
      })),
    splits: [
      ...free.flatMap((column) => splitBy(column, edges.get(column.name), isKnown)),
      ...(conversations ? splitsOfRooms(graph, conversations, messages, draft) : []),
    ],
    rooms: free
      .filter(
        ({ shape, ids, profile, isUnique }) =>
          isId(shape) && !isUnique && ids.size >= roomsMin && ids.size * 2 <= profile.texts.length,
      )
      .filter(({ name }) => !isHarmless(name) && !isHarmlessFlag(name))
      .map(({ name, ids }) => ({ column: name, values: ids.size })),
    shared: sharedIds(graph, messages, draft),
  };
}

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
  if (isHarmless(name) || isHarmlessFlag(name) || /count|length|duration/i.test(name)) return [];
  return [{ column: name, values, to: edge?.to.name ?? null }];
}

/** Columns of conversations that name rows of a table of their own: a tenant, a shop. */
function splitsOfRooms(
  graph: Graph,
  conversations: TableFacts,
  messages: TableFacts,
  draft: Draft,
): BesideReading['splits'] {
  const used = usedColumns('conversations', draft);
  return graph.best(conversations).flatMap(({ column, to }): BesideReading['splits'] => {
    const { name, profile } = column;
    const isOther =
      to === messages || to === conversations || graph.isPeople(to) || used.has(name) || namesPerson(name);
    const values = new Set(profile.texts).size;
    return isOther || isHarmless(name) || !comesAgain(profile, values)
      ? []
      : [{ column: `${conversations.name}.${name}`, values, to: to.name }];
  });
}

/** Two words at least in a third of the rows, a time, and two columns of people. */
function isLikeMessages(table: TableGroup, graph: Graph): boolean {
  const people = new Set(
    graph
      .from(table)
      .filter(({ to }) => graph.isPeople(to))
      .map(({ column }) => column.name),
  );
  for (const { name, shape } of table.columns) if (isId(shape) && namesPerson(name)) people.add(name);
  const isWritten = ({ shape, profile: { texts } }: ColumnFacts) =>
    shape === 'text' && texts.filter((text) => /\S\s+\S/.test(text)).length * 3 >= texts.length;
  return people.size > 1 && table.columns.some(({ shape }) => shape === 'time') && table.columns.some(isWritten);
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
  const ids = [...first.column.ids].filter((id) => first.key.ids.has(id) && second.key.ids.has(id)).length;
  return ids === 0 ? [] : [{ tables: [first.to.name, second.to.name], ids }];
}
