import { splitWords } from '../../../../model/visibility-words.ts';
import type { Reading } from '../../../table-source.ts';
import { aliases, columnsNamed, withNames } from '../aliases.ts';
import type { Candidate } from '../evidence.ts';
import type { Graph } from '../graph/graph.ts';
import type { TableGroup } from '../graph/groups.ts';
import { textColumns } from '../graph/roles.ts';
import { type Place, withoutDeleted } from './deletions.ts';
import { fromAll, namesIn } from './message-queries.ts';
import { quoted, sqlText } from './sql.ts';

/** Tables whose messages are read together, each with columns of its own. */
const unionMax = 4;

/**
 * Messages of several tables: all of them together, and the first with each of the others. Not where rows of one may be deleted: there each
 * table has readings of its own.
 */
export function proposeUnions(candidates: readonly Candidate<TableGroup>[], place: Place): readonly Reading[] {
  const isRead = ({ evidence, value: { key, paths, sample } }: Candidate<TableGroup>) =>
    evidence.includes('hasText') && key && (paths.length === 1 || sample.nameInQuery !== undefined);
  const tables = candidates
    .filter(isRead)
    .map(({ value }) => value)
    .filter((table) => textColumns(table).length > 0 && withoutDeleted(table, place).length === 0)
    .slice(0, unionMax);
  const [first, ...others] = tables;
  if (!first || others.length === 0) return [];
  const pairs = others.length > 1 ? others.map((other) => [first, other]) : [];
  // The fewest tables first: rows of a third table can be sent later.
  return [...pairs, tables].map((some) => unite(some, place.graph));
}

/**
 * All rows with the columns of all. Columns that say the same are one; ids begin with the word of their table where two may be the same. Rows of
 * an archive that are in the other table as well are one; a row of a conversation is its first message.
 */
function unite(tables: readonly TableGroup[], graph: Graph): Reading {
  const [first] = tables as [TableGroup];
  const renamed = tables.map((table) => commonNames(table, first, graph));
  const names = [...new Set(renamed.flatMap((columns) => [...columns.keys()]))];
  const areAlike = new Set(tables.map((table) => JSON.stringify(namesIn(table)))).size === 1;
  const isIdOf = areAlike ? () => false : ownIds(tables, graph);
  const selects = tables.map((table, index) => {
    const columns = names.map((name) => {
      const own = renamed[index]!.get(name);
      const isId = own !== undefined && (own !== table.key!.name || name === first.key!.name) && isIdOf(own, table);
      const value = own === undefined ? 'NULL' : isId ? prefixed(own, table, tables) : quoted(own);
      return value === quoted(name) ? value : `${value} AS ${quoted(name)}`;
    });
    return `SELECT ${columns.join(', ')} FROM ${fromAll(table)}`;
  });
  const because = `all messages of ${tables.map(({ name }) => `"${name}"`).join(' and ')}`;
  return { value: { query: selects.join(areAlike ? ' UNION ' : ' UNION ALL ') }, because };
}

/** Says of a column whether its ids are those of messages, and may be ids of another table as well. */
function ownIds(tables: readonly TableGroup[], graph: Graph) {
  const areDifferent = tables.every(({ key }) => key!.shape === 'long-id') && !haveSameIds(tables);
  const isLink = (name: string, table: TableGroup) =>
    columnsNamed([name], `${aliases.message.reply} ${aliases.message.quote}`).length > 0 ||
    graph.best(table).some(({ column, to }) => to === table && column.name === name);
  return (name: string, table: TableGroup): boolean =>
    !areDifferent && (name === table.key!.name || isLink(name, table));
}

const haveSameIds = (tables: readonly TableGroup[]): boolean =>
  tables.some((table, index) =>
    tables.slice(index + 1).some(({ key }) => [...key!.ids].some((id) => table.key!.ids.has(id))),
  );

/** An id behind the word of its table; none stays none. */
function prefixed(name: string, table: TableGroup, tables: readonly TableGroup[]): string {
  const words = new Set(tables.map(shortName));
  const value = `${sqlText(`${words.size === tables.length ? shortName(table) : table.name}:`)} || ${quoted(name)}`;
  return name === table.key!.name ? value : `CASE WHEN ${quoted(name)} NOT IN ('0', 0) THEN ${value} END`;
}

/** `private` of `private_messages`. */
const shortName = ({ name }: TableGroup): string =>
  splitWords(name)
    .filter((word) => !/^(?:messages?|msgs?|chats?)$/.test(word))
    .join('_') || name;

/** The columns of a table by their names in the first one: the same name, or that of the column with the same meaning. */
function commonNames(table: TableGroup, first: TableGroup, graph: Graph): ReadonlyMap<string, string> {
  const names = namesIn(table);
  if (table === first) return new Map(names.map((name) => [name, name]));
  const [theirs, ours] = [table, first].map((one) => meaningsIn(one, graph)) as [Meanings, Meanings];
  const called = new Map(
    Object.entries(theirs).flatMap(([meaning, name]) => {
      const own = ours[meaning as keyof Meanings];
      return name !== undefined && own !== undefined && !names.includes(own) ? [[name, own] as const] : [];
    }),
  );
  const room = graph.best(first).find(({ to }) => to === table);
  return new Map([
    ...(room ? [[room.column.name, table.key!.name] as const] : []),
    ...names.map((name) => [called.get(name) ?? name, name] as const),
  ]);
}

type Meanings = Readonly<Record<'id' | 'author' | 'time' | 'text' | 'recipient', string | undefined>>;

function meaningsIn(table: TableGroup, graph: Graph): Meanings {
  const named = (list: string, columns = table.columns) => withNames(columns, list)[0]?.name;
  const { author, time, text, recipient } = aliases.message;
  const times = table.columns.filter(({ shape }) => shape === 'time');
  return {
    id: table.key!.name,
    author: named(author) ?? graph.persons(table)[0]?.column.name,
    time: named(time, times),
    text: named(text) ?? textColumns(table)[0]?.name,
    recipient: named(recipient),
  };
}
