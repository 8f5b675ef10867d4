import type { Reading } from '../../../table-source.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import { count, distinct } from '../columns.ts';
import type { Candidate } from '../evidence.ts';
import { isRole } from '../model-roles.ts';
import { type Narrowing, type Place, withoutDeleted } from './deletions.ts';
import { type ColumnFacts, lastWord, singular, type TableFacts } from '../graph/facts.ts';
import { splitWords } from '../../../../model/visibility-words.ts';
import type { Edge, Graph } from '../graph/graph.ts';
import { typedReferences } from '../graph/parties.ts';
import type { TableGroup } from '../graph/groups.ts';
import {
  holdsTexts,
  isOfVersions,
  namesOtherPerson,
  roomBeside,
  textColumns,
  textsFor,
  typedTexts,
} from '../graph/roles.ts';
import { valueText } from '../../bind/value.ts';
import { quoted, sqlText, tableInQuery } from './sql.ts';

/** Queries that give messages as one table, where several tables hold what belongs to them. */

/** Columns that another table adds to the messages `m`. */
interface Join {
  /** Begins with a comma. */
  readonly columns: string;
  /** Ends with a space. */
  readonly join: string;
  readonly because: string;
  readonly isEvident?: true;
}

/**
 * The messages of a table with their texts, authors and conversations where other tables say them, and without those that are deleted for
 * everybody.
 */
export function proposeQueries(table: TableGroup, place: Place): readonly Reading[] {
  const { graph } = place;
  if (!table.key || (table.paths.length > 1 && table.sample.nameInQuery === undefined)) return [];
  const [rooms, authors] = [findRoom(table, graph), findAuthors(table, graph)];
  const always = (authors.length > 0 ? authors : [undefined]).map((author) =>
    [author, rooms].filter((join) => join !== undefined),
  );
  const texts = findTexts(table, graph);
  const own = texts.length === 0 || textColumns(table).length > 0;
  const joined = [...(own ? always : []), ...texts.flatMap((text) => always.map((others) => [text, ...others]))];
  const narrowed = [...withoutDeleted(table, place), undefined];
  return joined
    .flatMap((joins) => narrowed.map((narrowing) => ({ joins, narrowing })))
    .filter(({ joins, narrowing }) => joins.length > 0 || narrowing !== undefined)
    .map(({ joins, narrowing }) => makeReading(table, joins, narrowing));
}

function makeReading(table: TableGroup, joins: readonly Join[], narrowing?: Narrowing): Reading {
  const query =
    `SELECT m.*${joins.map(({ columns }) => columns).join('')} FROM ${fromAll(table)} m ` +
    joins.map(({ join }) => join).join('') +
    (narrowing ? `${narrowing.joins}WHERE ${narrowing.where}` : '');
  const because = [...joins, ...(narrowing ? [narrowing] : [])].map((part) => part.because).join('; ');
  const isEvident = narrowing === undefined && joins.every((one) => one.isEvident);
  return { value: { query: query.trim() }, because, ...(isEvident && { isEvident }) };
}

/** A table in a query: all parts of one that is kept in several. */
function fromAll(table: TableGroup): string {
  if (table.paths.length === 1) return tableInQuery(table);
  const names = namesIn(table).map(quoted).join(', ');
  return `(${table.paths.map((path) => `SELECT ${names} FROM ${quoted(path)}`).join(' UNION ALL ')})`;
}

/** Who wrote, where no column of the messages says it alone; of several ways the likeliest first. */
function findAuthors(table: TableGroup, graph: Graph): readonly Join[] {
  const edges = graph.best(table).filter(({ column }) => column.ids.size > 0);
  const people = edges.filter(({ to }) => graph.isPeople(to));
  if (people.length > 0) return oneOfSeveral(table, people);
  if (table.columns.some(({ profile }) => isRole(profile))) return findPersonOfRoom(table, graph);
  const member = edges.filter(({ to }) => /particip|member|subscri/i.test(to.name));
  const ways = [...member.flatMap((edge) => authorOfMember(table, edge, graph)), ...linkedAuthors(table, graph)];
  return ways.length > 0 ? ways : edges.flatMap((edge) => authorBySide(table, edge, graph));
}

/** A word for the author that begins no column of a table. */
const wordOfAuthor = (table: TableFacts): string | undefined =>
  ['author', 'sender', 'writer'].find((word) => !namesIn(table).some((name) => name.startsWith(word)));

/** Messages that name a row that says who belongs to the conversation: `participation_id`. */
function authorOfMember(table: TableGroup, { to, column, key }: Edge, graph: Graph): readonly Join[] {
  const [columns, word] = [findPerson(to, graph), wordOfAuthor(table)];
  if (!columns || word === undefined) return [];
  return [
    {
      columns: Object.entries(columns)
        .map(([part, name]) => `, p.${quoted(name)} AS ${word}_${part}`)
        .join(''),
      join: `LEFT JOIN ${tableInQuery(to)} p ON p.${quoted(key.name)} = m.${quoted(column.name)} `,
      because: `"${to.name}" says who "${column.name}" is`,
    },
  ];
}

/** A table that names nearly every message once, and a person next to it. */
const linkedAuthors = (table: TableGroup, graph: Graph): readonly Join[] =>
  graph.to(table).flatMap(({ from, column, key }): readonly Join[] => {
    const person = graph.best(from).find(({ to, column: own }) => graph.isPeople(to) && !namesOtherPerson(own.name));
    const isOfAll = column.isUnique && [...key.ids].filter((id) => column.ids.has(id)).length >= key.ids.size * 0.9;
    if (!person || !isOfAll || from === table || holdsTexts(from)) return [];
    const { name } = person.column;
    return [
      {
        columns: `, p.${quoted(name)}${isTaken(name, table) ? ` AS ${wordOfAuthor(table) ?? 'person'}_id` : ''}`,
        join: `LEFT JOIN ${tableInQuery(from)} p ON p.${quoted(column.name)} = m.${quoted(key.name)} `,
        because: `"${from.name}" says who wrote each`,
      },
    ];
  });

/** Pairs of a conversation's people that are offered. */
const pairsMax = 6;

/** A column of two values that says which of a conversation's people wrote: `from_buyer`, where a conversation has a buyer and a seller. */
function authorBySide(table: TableGroup, { to, column, key }: Edge, graph: Graph): readonly Join[] {
  const word = wordOfAuthor(table);
  const people = graph.best(to).filter((edge) => graph.isPeople(edge.to) && !namesOtherPerson(edge.column.name));
  const [side] = table.columns.filter(isSide).sort((a, b) => Number(isOfAuthor(b)) - Number(isOfAuthor(a)));
  if (!side || word === undefined || graph.isPeople(to) || to === table || people.length < 2) return [];
  const values = distinct(side.profile).toSorted().toReversed();
  const pairs = people.flatMap((one) => people.filter((other) => other !== one).map((other) => [one, other] as const));
  const tells = ([one]: (typeof pairs)[number]) => splitWords(side.name).includes(splitWords(one.column.name)[0]!);
  return pairs
    .toSorted((a, b) => Number(tells(b)) - Number(tells(a)))
    .slice(0, pairsMax)
    .map((pair) => {
      const when = (what: (edge: Edge) => string) =>
        `CASE m.${quoted(side.name)} ${pair.map((edge, index) => `WHEN ${sqlText(values[index]!)} THEN ${what(edge)}`).join(' ')} END`;
      const ids = when((edge) => `p.${quoted(edge.column.name)}`);
      const said = pair.map((edge, index) => `${values[index]!}: "${edge.column.name}"`).join(', ');
      return {
        columns: `${typeOf(pair, word, when)}, ${ids} AS ${word}_id`,
        join: `LEFT JOIN ${tableInQuery(to)} p ON p.${quoted(key.name)} = m.${quoted(column.name)} `,
        because: `"${side.name}" says who of "${to.name}" wrote (${said})`,
      };
    });
}

/** People of several tables need a word for their table next to their number. */
const typeOf = (of: readonly Edge[], word: string, when: (what: (edge: Edge) => string) => string): string =>
  new Set(of.map(({ to }) => to)).size > 1 ? `, ${when(({ to }) => sqlText(to.name))} AS ${word}_type` : '';

const isSide = ({ shape, profile, ids, name }: ColumnFacts): boolean =>
  distinct(profile).length === 2 &&
  profile.texts.length === profile.rowCount &&
  shape !== 'time' &&
  [...ids].every((id) => id.length <= sideLengthMax) &&
  !/read|seen|delet|edit|deliver|hidden|status/i.test(name);

const sideLengthMax = 20;

const isOfAuthor = ({ name }: ColumnFacts): boolean => /from|send|author|by|side|role|party|who|direction/i.test(name);

/** Columns of people of several tables, of which a row has one, and 0 in the others. */
function oneOfSeveral(table: TableGroup, people: readonly Edge[]): readonly Join[] {
  const own = people.filter(({ column }) => !namesOtherPerson(column.name));
  const word = wordOfAuthor(table);
  const named = table.sample.rows.map(
    (row) => own.filter(({ column }) => column.ids.has(valueText(row.get(column.name)) ?? '')).length,
  );
  const isOne = named.every((count) => count < 2) && named.filter(Boolean).length * 2 > named.length;
  const hasZero = own.some(({ column, key }) => column.profile.texts.includes('0') && !key.ids.has('0'));
  if (word === undefined || !isOne || !hasZero || new Set(own.map(({ to }) => to)).size < 2) return [];
  const when = (what: (edge: Edge) => string) =>
    `CASE ${own.map((edge) => `WHEN m.${quoted(edge.column.name)} NOT IN ('0', '') THEN ${what(edge)}`).join(' ')} END`;
  const ids = when(({ column }) => `m.${quoted(column.name)}`);
  const names = own.map(({ column, to }) => `"${column.name}" (of "${to.name}")`).join(' or ');
  return [{ columns: `${typeOf(own, word, when)}, ${ids} AS ${word}_id`, join: '', because: `${names} wrote each` }];
}

/** Whom the model talks to, if only the conversation says it. */
function findPersonOfRoom(table: TableGroup, graph: Graph): readonly Join[] {
  for (const { to, column, key } of graph.best(table)) {
    const person = graph.best(to).find((edge) => graph.isPeople(edge.to) && !namesOtherPerson(edge.column.name));
    if (to === table || !person) continue;
    const own = person.column.name;
    const name = namesIn(table).includes(own) ? `person_${own}` : own;
    return [
      {
        columns: `, p.${quoted(own)}${name === own ? '' : ` AS ${quoted(name)}`}`,
        join: `LEFT JOIN ${tableInQuery(to)} p ON p.${quoted(key.name)} = m.${quoted(column.name)} `,
        because: `"${own}" of "${to.name}" is the person who talks to the model`,
        isEvident: true,
      },
    ];
  }
  return [];
}

/** The columns that name a person: an id, or a type and an id. */
function findPerson(table: TableFacts, graph: Graph): Readonly<Record<string, string>> | undefined {
  const [typed] = typedReferences(table);
  if (typed) return { type: typed.type.name, id: typed.id.name };
  const person = graph.best(table).find(({ to }) => graph.isPeople(to));
  return person && { id: person.column.name };
}

/** In which conversation a message is, or who received it, where another table says it. */
function findRoom(table: TableGroup, graph: Graph): Join | undefined {
  const found = roomBeside(table, graph);
  if (!found) return undefined;
  const { link, column, isRoom } = found;
  const from = tableInQuery(link.from);
  const [message, id] = [link.column.name, column.name].map(quoted) as [string, string];
  const join = (rows: string) => `JOIN (SELECT ${rows}) r ON r.message = m.${quoted(link.key.name)} `;
  if (!isRoom) {
    const name = isTaken('recipients', table) ? 'recipient_ids' : 'recipients';
    return {
      columns: `, r.${name}`,
      join: `LEFT ${join(`${message} AS message, group_concat(${id}, ',') AS ${name} FROM ${from} GROUP BY 1`)}`,
      because: `"${link.from.name}" says who received each`,
    };
  }
  const lost = table.isCut ? 0 : [...table.key!.ids].filter((one) => !link.column.ids.has(one)).length;
  const left = lost === 0 ? '' : `; ${count(lost)} of ${count(table.key!.ids.size)} are in none, and left out`;
  return {
    columns: `, r.${id}`,
    join: join(`DISTINCT ${message} AS message, ${id} FROM ${from}`),
    because: `"${link.from.name}" says in which conversation each is${left}`,
  };
}

/** Names of columns that number the rows of one message. */
const numbering =
  'versionno versionnumber versionnum version revisionno revisionnumber revision partno partnumber position sortorder ordinal sequence seq idx index rank sort';

/** The texts of messages in tables of their own, the likeliest first. */
function findTexts(table: TableGroup, graph: Graph): readonly Join[] {
  const own = textColumns(table);
  const isWhole = own.some(({ profile }) => profile.texts.length >= profile.rowCount * 0.9);
  if (isWhole) return [];
  const typed = own.length === 0 ? joinTypedTexts(table, graph) : [];
  // Next to texts, versions are the older ones.
  const links = textsFor(table, graph).filter(({ from }) => own.length === 0 || !isOfVersions(from));
  return [...links.flatMap((link) => joinTexts(table, link)), ...typed];
}

function joinTexts(table: TableGroup, { from, column, key }: Edge): readonly Join[] {
  const texts = textColumns(from).filter(({ name }) => name !== from.key?.name && name !== column.name);
  const isMark = ({ name, shape }: ColumnFacts) =>
    shape === 'flag' || /delet|remov|event|kind|type|state|status/i.test(name);
  const marks = from.columns.filter((one) => !texts.includes(one) && isMark(one) && one.shape !== 'time');
  const isNamed = texts.some(({ name }) => columnsNamed([name], aliases.message.text).length > 0);
  const columns = [...texts, ...marks].map(({ name }, index) => {
    const own = isTaken(name, table) ? `${singular(lastWord(from.name))}_${name}` : name;
    const called = index === 0 && !isNamed ? nameOfText(table) : own;
    return `, t.${quoted(name)}${called === name ? '' : ` AS ${quoted(called)}`}`;
  });
  const join = (of: string) => `LEFT JOIN ${of} t ON t.${quoted(column.name)} = m.${quoted(key.name)}`;
  const shown = texts.map(({ name }) => `"${name}"`).join(' or ');
  const because = `the texts are ${shown} of "${from.name}"`;
  if (distinct(column.profile).length === column.profile.texts.length)
    return [{ columns: columns.join(''), join: `${join(tableInQuery(from))} `, because }];
  const by = orderBy(from);
  const rank = `row_number() OVER (PARTITION BY ${quoted(column.name)} ORDER BY ${by} DESC) AS nth`;
  const newest: Join = {
    columns: columns.join(''),
    join: `${join(`(SELECT *, ${rank} FROM ${tableInQuery(from)})`)} AND t.nth = 1 `,
    because: `${because}: of several rows for a message the newest, by ${by}`,
  };
  const { name } = texts[0]!;
  const called = nameOfText(table);
  const lines = `group_concat(${quoted(name)}, char(10) ORDER BY ${by}) AS ${called}`;
  const whole: Join = {
    columns: `, t.${called}`,
    join: `${join(`(SELECT ${quoted(column.name)}, ${lines} FROM ${tableInQuery(from)} GROUP BY 1)`)} `,
    because: `the text is "${name}" of all rows of "${from.name}" for a message, one below the other, by ${by}`,
  };
  return isOfVersions(from) || /version|revision/i.test(by) ? [newest, whole] : [whole, newest];
}

const isTaken = (name: string, table: TableFacts): boolean =>
  namesIn(table).some((other) => other.toLowerCase() === name.toLowerCase());

const nameOfText = (table: TableFacts): string => (isTaken('text', table) ? 'message_text' : 'text');

/** By which column the rows for one message are in order: a number, else a time, else as they are. */
function orderBy({ columns, key }: TableFacts): string {
  const [number] = columnsNamed(
    columns.filter(({ shape }) => shape === 'number').map(({ name }) => name),
    numbering,
  );
  const time = columns.find(({ shape, isFilled }) => shape === 'time' && isFilled);
  const [name, isNumber] = number ? [number, true] : time ? [time.name, false] : [key?.name, key?.shape === 'number'];
  return name === undefined ? 'rowid' : isNumber ? `CAST(${quoted(name)} AS INTEGER)` : quoted(name);
}

/** Texts in the tables whose rows a type and an id name. */
function joinTypedTexts(table: TableGroup, graph: Graph): readonly Join[] {
  const found = typedTexts(table, graph).map((one) => ({ ...one, text: textColumns(one.table)[0]!.name }));
  if (found.length === 0) return [];
  const texts = found.map(({ text }, index) => `t${index}.${quoted(text)}`);
  const joins = found.map(({ table: one, type, id, word }, index) => {
    const isOne = `t${index}.${quoted(one.key!.name)} = m.${quoted(id.name)}`;
    return `LEFT JOIN ${tableInQuery(one)} t${index} ON ${isOne} AND m.${quoted(type.name)} = ${sqlText(word)} `;
  });
  const shown = found.map(({ table: one, text }) => `"${text}" of "${one.name}"`).join(', ');
  return [
    {
      columns: `, ${texts.length > 1 ? `coalesce(${texts.join(', ')})` : texts[0]} AS ${nameOfText(table)}`,
      join: joins.join(''),
      because: `the texts are ${shown}, by what "${found[0]!.type.name}" says`,
    },
  ];
}

const namesIn = ({ columns }: TableFacts): readonly string[] => columns.map(({ name }) => name);

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
    ...names.map((name) => [called.get(name) ?? name, name] as const),
    ...(room && !names.includes(room.column.name) ? [[room.column.name, table.key!.name] as const] : []),
  ]);
}

type Meanings = Readonly<Record<'id' | 'author' | 'time' | 'text' | 'recipient', string | undefined>>;

function meaningsIn(table: TableGroup, graph: Graph): Meanings {
  const named = (list: string, columns = table.columns) =>
    columnsNamed(
      columns.map(({ name }) => name),
      list,
    )[0];
  const { author, time, text, recipient } = aliases.message;
  const person = graph.best(table).find(({ to, column }) => graph.isPeople(to) && !namesOtherPerson(column.name));
  return {
    id: table.key!.name,
    author: named(author) ?? person?.column.name,
    time: named(
      time,
      table.columns.filter(({ shape }) => shape === 'time'),
    ),
    text: named(text) ?? textColumns(table)[0]?.name,
    recipient: named(recipient),
  };
}
