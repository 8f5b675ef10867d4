import type { Reading } from '../../../table-source.ts';
import { aliases, columnsNamed, withNames } from '../aliases.ts';
import { type ColumnProfile, count, distinct } from '../columns.ts';
import { isRole } from '../model-roles.ts';
import { type Narrowing, type Place, withoutDeleted } from './deletions.ts';
import { type ColumnFacts, lastWord, letters, singular, type TableFacts } from '../graph/facts.ts';
import { splitWords } from '../../../../model/visibility-words.ts';
import type { Edge, Graph } from '../graph/graph.ts';
import { typedReferences } from '../graph/parties.ts';
import type { TableGroup } from '../graph/groups.ts';
import {
  holdsTexts,
  isOfVersions,
  namesRoom,
  roomBeside,
  textColumns,
  textsByType,
  textsFor,
  typedTexts,
} from '../graph/roles.ts';
import { namesOtherPerson } from '../graph/people.ts';
import { valueText } from '../../bind/value.ts';
import { unfold } from './folded.ts';
import { parseExactJson, type Row } from '../../row.ts';
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
  if (table.paths.length > 1 && table.sample.nameInQuery === undefined) return [];
  const unfolded = unfold(table, graph);
  if (unfolded.length > 0 || !table.key) return unfolded;
  const [rooms, authors] = [findRoom(table, graph) ?? findRoots(table, graph), findAuthors(table, graph)];
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
export function fromAll(table: TableGroup): string {
  if (table.paths.length === 1) return tableInQuery(table);
  const names = namesIn(table).map(quoted).join(', ');
  return `(${table.paths.map((path) => `SELECT ${names} FROM ${quoted(path)}`).join(' UNION ALL ')})`;
}

/** Who wrote, where no column of the messages says it alone; of several ways the likeliest first. */
function findAuthors(table: TableGroup, graph: Graph): readonly Join[] {
  const edges = graph.best(table).filter(({ column }) => column.ids.size > 0);
  const people = edges.filter(({ to }) => graph.isPeople(to));
  if (people.length > 0) return oneOfSeveral(table, people);
  if (graph.typedPeople(table)) return [];
  if (table.columns.some(({ profile }) => isRole(profile))) return findPersonOfRoom(table, graph);
  const member = edges.filter(({ to }) => /particip|member|subscri/i.test(to.name));
  const ways = [...member.flatMap((edge) => authorOfMember(table, edge, graph)), ...linkedAuthors(table, graph)];
  return ways.length > 0 ? ways : edges.flatMap((edge) => authorBySide(table, edge, graph));
}

/** A word for the author that begins no column of a table. */
const wordOfAuthor = (table: TableFacts): string | undefined =>
  ['author', 'sender', 'writer'].find((word) => !namesIn(table).some((name) => name.startsWith(word)));

/** Messages that name a row that says who belongs to the conversation: `participation_id`. */
function authorOfMember(table: TableGroup, edge: Edge, graph: Graph): readonly Join[] {
  const { to, column } = edge;
  const [columns, word] = [findPerson(to, graph), wordOfAuthor(table)];
  if (!columns || word === undefined) return [];
  return [
    {
      columns: Object.entries(columns)
        .map(([part, name]) => `, p.${quoted(name)} AS ${word}_${part}`)
        .join(''),
      join: joinTarget(edge),
      because: `"${to.name}" says who "${column.name}" is`,
    },
  ];
}

/** A table that names nearly every message once, and a person next to it. */
const linkedAuthors = (table: TableGroup, graph: Graph): readonly Join[] =>
  graph.to(table).flatMap(({ from, column, key }): readonly Join[] => {
    const [person] = graph.persons(from);
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

/** The rows `p` that a column of the messages names. */
const joinTarget = ({ to, column, key }: Edge): string =>
  `LEFT JOIN ${tableInQuery(to)} p ON p.${quoted(key.name)} = m.${quoted(column.name)} `;

/** Pairs of a conversation's people that are offered. */
const pairsMax = 6;

/** A person whom a column of a conversation names. */
type Person = Pick<Edge, 'column' | 'to'>;

/** A column of messages, and whom of their conversation each of its values means. */
interface Sides {
  readonly side: ColumnFacts;
  readonly people: readonly (readonly [value: string, person: Person])[];
}

/** A column that says which of a conversation's people wrote: `from_buyer`, where a conversation has a buyer and a seller. */
function authorBySide(table: TableGroup, edge: Edge, graph: Graph): readonly Join[] {
  const { to } = edge;
  const word = wordOfAuthor(table);
  if (word === undefined || graph.isPeople(to) || to === table) return [];
  const named = table.columns.map((side) => ({ side, people: namedInRoom(side, to, graph) }));
  const clear = named.filter(({ people }) => people.length > 1).slice(0, 1);
  return (clear.length > 0 ? clear : pairSides(table, graph.persons(to))).map(({ side, people }) => {
    const when = (what: (person: Person) => string) =>
      `CASE m.${quoted(side.name)} ${people.map(([value, one]) => `WHEN ${sqlText(value)} THEN ${what(one)}`).join(' ')} END`;
    const ids = when((person) => `p.${quoted(person.column.name)}`);
    const said = people.map(([value, one]) => `${value}: "${one.column.name}"`).join(', ');
    const tables = people.map(([, person]) => person);
    return {
      columns: `${typeOf(tables, word, when)}, ${ids} AS ${word}_id`,
      join: joinTarget(edge),
      because: `"${side.name}" says who of "${to.name}" wrote (${said})`,
    };
  });
}

/** Values that are names of columns of the conversation, which name people or whoever else takes part: `buyer` and `buyer_id`. */
function namedInRoom(side: ColumnFacts, room: TableFacts, graph: Graph): Sides['people'] {
  const words = distinct(side.profile);
  if (!side.isFilled || words.length > sidesMax) return [];
  return words.flatMap((word) => {
    const isNamed = ({ name }: ColumnFacts) => letters(name).replace(/(?:id|no|uuid)$/, '') === letters(word);
    const column = room.columns.find((one) => one !== room.key && isNamed(one));
    const known = column && graph.best(room).find((edge) => edge.column === column)?.to;
    const tables = known ? [known] : column ? graph.tablesWith([...column.ids]) : [];
    return column && tables.length === 1 ? [[word, { column, to: tables[0]! }] as const] : [];
  });
}

/** Two sides, the platform and a helper. */
const sidesMax = 4;

/** A column of two values, each of which may mean each of the people. */
function pairSides(table: TableGroup, people: readonly Edge[]): readonly Sides[] {
  const [side] = table.columns.filter(isSide).sort((a, b) => Number(isOfAuthor(b)) - Number(isOfAuthor(a)));
  if (!side) return [];
  const values = distinct(side.profile).toSorted().toReversed();
  const pairs = people.flatMap((one) => people.filter((other) => other !== one).map((other) => [one, other] as const));
  const tells = ([one]: (typeof pairs)[number]) => splitWords(side.name).includes(splitWords(one.column.name)[0]!);
  return pairs
    .toSorted((a, b) => Number(tells(b)) - Number(tells(a)))
    .slice(0, pairsMax)
    .map((pair) => ({ side, people: pair.map((edge, index) => [values[index]!, edge] as const) }));
}

/** People of several tables need a word for their table next to their number. */
const typeOf = (of: readonly Person[], word: string, when: (what: (person: Person) => string) => string): string =>
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
  for (const edge of graph.best(table)) {
    const { to } = edge;
    const [person] = graph.persons(to);
    if (to === table || !person) continue;
    const own = person.column.name;
    const name = namesIn(table).includes(own) ? `person_${own}` : own;
    return [
      {
        columns: `, p.${quoted(own)}${name === own ? '' : ` AS ${quoted(name)}`}`,
        join: joinTarget(edge),
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

/**
 * The first message of the thread of each, where answers name the message before them and nothing names a conversation. A message in a circle
 * of answers, which has no first, begins one.
 */
function findRoots(table: TableGroup, graph: Graph): Join | undefined {
  const { key } = table;
  const edges = graph.best(table);
  const isOther = ({ to }: Edge) => to !== table && !graph.isPeople(to);
  if (!key || namesRoom(table) || edges.some(isOther) || graph.persons(table).length > 1) return undefined;
  const isLink = (column: ColumnFacts) =>
    (edges.some((edge) => edge.to === table && edge.column === column) || isReply(column.name)) &&
    [...column.ids].every((one) => key.ids.has(one));
  const link = table.columns.find((column) => column !== key && column.ids.size > 0 && isLink(column));
  const both = (row: Row) => [valueText(row.get(key.name)), link && valueText(row.get(link.name))] as const;
  const parents = new Map(table.sample.rows.map(both));
  const isAnswer = (one: string) => ![undefined, '0', one].includes(parents.get(one));
  if (!link || ![...link.ids].some(isAnswer)) return undefined;
  const [id, parent, from] = [quoted(key.name), quoted(link.name), fromAll(table)];
  const name = isTaken('root_id', table) ? 'first_of_thread' : 'root_id';
  const begins = `SELECT ${id}, ${id} FROM ${from} WHERE ${parent} IS NULL OR ${parent} = ${id} OR ${parent} NOT IN (SELECT ${id} FROM ${from})`;
  const follows = `SELECT n.${id}, chain.root FROM chain JOIN ${from} n ON n.${parent} = chain.id AND n.${id} <> chain.id`;
  return {
    columns: `, coalesce(r.root, m.${id}) AS ${name}`,
    join: `LEFT JOIN (WITH RECURSIVE chain(id, root) AS (${begins} UNION ALL ${follows}) SELECT id, root FROM chain) r ON r.id = m.${id} `,
    because: `"${link.name}" names the message before: "${name}" is the first of each thread`,
    isEvident: true,
  };
}

const isReply = (name: string): boolean =>
  columnsNamed([name], `${aliases.message.reply} ${aliases.message.quote}`).length > 0;

/** Names of columns that number the rows of one message. */
const numbering =
  'versionno versionnumber versionnum version revisionno revisionnumber revision partno partnumber position sortorder ordinal sequence seq idx index rank sort';

/** Whether all texts are JSON, and most of them a text in quotes: others are objects with words and their format. */
function isJsonInQuotes({ texts }: ColumnProfile): boolean {
  const values = texts.map(parseExactJson);
  return values.filter((value) => typeof value === 'string').length * 2 > values.length && !values.includes(undefined);
}

function wordsOfJson({ name, profile: { texts } }: ColumnFacts, table: TableFacts): Join {
  const keys = texts.flatMap((text) => Object.keys(text.startsWith('{') ? Object(parseExactJson(text)) : {}));
  const [key = 'text'] = columnsNamed([...new Set(keys)], aliases.message.text);
  const own = `m.${quoted(name)}`;
  const value = (path: string) => `json_extract(${own}, ${sqlText(path)})`;
  const words = `WHEN json_type(${own}) = 'text' THEN ${value('$')} ELSE ${value(`$.${key}`)}`;
  return {
    columns: `, CASE WHEN NOT json_valid(${own}) THEN ${own} ${words} END AS ${nameOfText(table)}`,
    join: '',
    because: `"${name}" is JSON: texts in quotes, and objects with "${key}"`,
    isEvident: true,
  };
}

/** The texts of messages in tables of their own, the likeliest first. */
function findTexts(table: TableGroup, graph: Graph): readonly Join[] {
  const own = textColumns(table);
  const quotedWords = own.find(({ profile }) => isJsonInQuotes(profile));
  if (quotedWords) return [wordsOfJson(quotedWords, table)];
  const isWhole = own.some(({ profile }) => profile.texts.length >= profile.rowCount * 0.9);
  if (isWhole) return [];
  // Next to texts, versions are the older ones.
  const links = textsFor(table, graph).filter(({ from }) => own.length === 0 || !isOfVersions(from));
  const isLinked = typedTexts(table, graph).every((one) => links.some(({ from }) => from === one.table));
  const typed = [...joinTextsByType(table, graph), ...(isLinked ? [] : joinTypedTexts(table, graph))];
  return [...links.flatMap((link) => joinTexts(table, link)), ...(own.length === 0 ? typed : [])];
}

function joinTexts(table: TableGroup, { from, column, key, isProven }: Edge): readonly Join[] {
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
    return [
      {
        columns: columns.join(''),
        join: `${join(tableInQuery(from))} `,
        because,
        ...(isProven && { isEvident: true }),
      },
    ];
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
  const numbers = columns.filter(({ shape }) => shape === 'number');
  const time = columns.find(({ shape, isFilled }) => shape === 'time' && isFilled);
  const by = withNames(numbers, numbering)[0] ?? time ?? key;
  return by === undefined ? 'rowid' : by.shape === 'number' ? `CAST(${quoted(by.name)} AS INTEGER)` : quoted(by.name);
}

const joinTextsByType = (table: TableGroup, graph: Graph): readonly Join[] =>
  textsByType(table, graph).map(({ table: one, by: { type, id }, own, word }) => {
    const { name } = textColumns(one)[0]!;
    const [isOf, of] = own ? [`m.${quoted(own.type.name)}`, own.id] : [sqlText(word), table.key!];
    return {
      columns: `, t.${quoted(name)} AS ${nameOfText(table)}`,
      join: `LEFT JOIN ${tableInQuery(one)} t ON t.${quoted(type.name)} = ${isOf} AND t.${quoted(id.name)} = m.${quoted(of.name)} `,
      because: `the texts are "${name}" of "${one.name}"`,
    };
  });

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

export const namesIn = ({ columns }: TableFacts): readonly string[] => columns.map(({ name }) => name);
