import type { Reading } from '../../../table-source.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import type { Candidate } from '../evidence.ts';
import { type Narrowing, type Place, withoutDeleted } from './deletions.ts';
import type { TableFacts } from '../graph/facts.ts';
import { splitWords } from '../../../../model/visibility-words.ts';
import { type Graph, typedReferences } from '../graph/graph.ts';
import type { TableGroup } from '../graph/groups.ts';
import { quoted, sqlText, tableInQuery } from './sql.ts';

/** Queries that give messages as one table, where several tables hold what belongs to them. */

/** The messages of a table without those that are deleted for everybody, and with their authors where another table says who they are. */
export function proposeQueries(table: TableGroup, place: Place): readonly Reading[] {
  const author = findAuthor(table, place.graph);
  const narrowed = withoutDeleted(table, place).map((one) => makeReading(table, author, one));
  return author ? [...narrowed, makeReading(table, author)] : narrowed;
}

function makeReading(table: TableGroup, author: Author | undefined, narrowing?: Narrowing): Reading {
  const query =
    `SELECT m.*${author?.columns ?? ''} FROM ${tableInQuery(table)} m ${author?.join ?? ''}` +
    (narrowing ? `${narrowing.joins}WHERE ${narrowing.where}` : '');
  const because = [author?.because, narrowing?.because].filter((reason) => reason !== undefined).join('; ');
  return { value: { query: query.trim() }, because };
}

interface Author {
  /** Begins with a comma. */
  readonly columns: string;
  readonly join: string;
  readonly because: string;
}

/** Who wrote, where messages name a row that says who belongs to the conversation: `participation_id`. */
function findAuthor(table: TableGroup, graph: Graph): Author | undefined {
  const edges = graph.best(table);
  if (edges.some(({ to }) => graph.isPeople(to))) return undefined;
  const isMember = /particip|member|subscri/i;
  for (const { to, column, key } of edges.filter((edge) => isMember.test(edge.to.name))) {
    const columns = findPerson(to, graph);
    const word = ['author', 'sender', 'writer'].find((one) => !namesIn(table).some((name) => name.startsWith(one)));
    if (!columns || word === undefined) continue;
    return {
      columns: Object.entries(columns)
        .map(([part, name]) => `, p.${quoted(name)} AS ${word}_${part}`)
        .join(''),
      join: `LEFT JOIN ${tableInQuery(to)} p ON p.${quoted(key.name)} = m.${quoted(column.name)} `,
      because: `"${to.name}" says who "${column.name}" is`,
    };
  }
  return undefined;
}

/** The columns that name a person: an id, or a type and an id. */
function findPerson(table: TableFacts, graph: Graph): Readonly<Record<string, string>> | undefined {
  const [typed] = typedReferences(table);
  if (typed) return { type: typed.type.name, id: typed.id.name };
  const person = graph.best(table).find(({ to }) => graph.isPeople(to));
  return person && { id: person.column.name };
}

const namesIn = ({ columns }: TableFacts): readonly string[] => columns.map(({ name }) => name);

/** Tables whose messages are read together, each with columns of its own. */
const unionMax = 4;

/**
 * Direct messages and those of groups in tables of their own: all rows with the columns of all. Those that say the same are one; ids begin with
 * the word of their table where two may be the same. Not where rows of one may be deleted: there each table has readings of its own.
 */
export function proposeUnion(candidates: readonly Candidate<TableGroup>[], place: Place): readonly Reading[] {
  const tables = candidates
    .filter(({ evidence }) => isMessages.every((name) => evidence.includes(name)))
    .map(({ value }) => value)
    .filter((table) => table.key !== undefined && table.paths.length === 1);
  const headers = new Set(tables.map((table) => JSON.stringify(namesIn(table))));
  const isFew = tables.length >= 2 && tables.length <= unionMax && headers.size === tables.length;
  if (!isFew || tables.some((table) => withoutDeleted(table, place).length > 0)) return [];
  const [first] = tables as [TableGroup];
  const renamed = tables.map((table) => new Map(namesIn(table).map((name) => [commonName(name, table, first), name])));
  const names = [...new Set(renamed.flatMap((columns) => [...columns.keys()]))];
  const isIdOf = ownIds(tables, place.graph);
  const selects = tables.map((table, index) => {
    const columns = names.map((name) => {
      const own = renamed[index]!.get(name);
      const value = own === undefined ? 'NULL' : isIdOf(own, table) ? prefixed(own, table, tables) : quoted(own);
      return value === quoted(name) ? value : `${value} AS ${quoted(name)}`;
    });
    return `SELECT ${columns.join(', ')} FROM ${tableInQuery(table)}`;
  });
  const because = `all messages of ${tables.map(({ name }) => `"${name}"`).join(' and ')}`;
  return [{ value: { query: selects.join(' UNION ALL ') }, because }];
}

const isMessages = ['namedMessages', 'hasText', 'hasTime'] as const;

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

/** Returns the name of a column in the first table: the same name, or the name of the column with the same meaning. */
function commonName(name: string, table: TableGroup, first: TableGroup): string {
  if (table === first || namesIn(first).includes(name)) return name;
  if (name === table.key!.name) return first.key!.name;
  const { author, time, text, recipient } = aliases.message;
  for (const list of [author, time, text, recipient]) {
    const [[ours], [theirs]] = [columnsNamed(namesIn(first), list), columnsNamed(namesIn(table), list)];
    if (theirs === name && ours !== undefined && !namesIn(table).includes(ours)) return ours;
  }
  return name;
}
