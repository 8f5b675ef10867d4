import { type ColumnProfile, count, type Draft } from '../columns.ts';
import type { ColumnFacts, TableFacts } from '../graph/facts.ts';
import type { Graph } from '../graph/graph.ts';
import { typedReferences } from '../graph/parties.ts';
import { namesPerson } from '../graph/people.ts';
import type { TableGroup } from '../graph/groups.ts';
import { type Link, linksTo } from '../graph/links.ts';
import { memberships } from '../graph/roles.ts';
import { quoted, sqlText, tableInQuery } from './sql.ts';

/**
 * Messages that another table marks as deleted, for one person in each of its rows:
 *
 * | table | left out |
 * |---|---|
 * | a row for each receiver, some of them marked: `deleted`, `deleted_at` | messages of which every row is marked |
 * | a row for each deletion: `message_deletions`, `user_actions.action` | messages with one of each member of the conversation |
 */

/** Where tables are looked for. */
export interface Place {
  readonly graph: Graph;
  readonly groups: readonly TableGroup[];
  readonly draft: Draft;
}

/** Joins and conditions that narrow a query of the messages `m`. */
export interface Narrowing {
  /** Ends with a space, or is empty. */
  readonly joins: string;
  readonly where: string;
  readonly because: string;
}

/**
 * Returns ways to leave out messages that are deleted for everyone, the likeliest first. Returns nothing if no other
 * table records deletions.
 */
export function withoutDeleted(table: TableGroup, { graph, groups, draft }: Place): readonly Narrowing[] {
  if (!table.key || table.paths.length > 1) return [];
  return linksTo(table, graph, groups, draft)
    .filter((link) => isOfPeople(link, graph))
    .flatMap((link) => {
      const marks = findMarks(link.table);
      const isRowForAll = marks.some(({ texts, rowCount }) => texts.filter(isMark).length < rowCount);
      if (isRowForAll) return everyRow(table, link, marks);
      return everyMember(table, link, graph);
    });
}

/**
 * Returns whether a table has a row for each person and holds nothing that a person has written or added: a file or a
 * reaction may be deleted alone.
 */
function isOfPeople({ table }: Link, graph: Graph): boolean {
  const typed = typedReferences(table).some(({ name }) => namesPerson(name) || /able$/i.test(name));
  return (
    (personIn(table, graph) !== undefined || typed) &&
    !/file|attach|blob|upload|media|emoji|react|vote|mention|bookmark|star|pin/i.test(table.name) &&
    !table.columns.some(({ shape, name }) => shape === 'text' || shape === 'json' || /emoji|reaction/i.test(name))
  );
}

const personIn = (table: TableFacts, graph: Graph): string | undefined =>
  graph.best(table).find(({ to }) => graph.isPeople(to))?.column.name;

/** Texts that say no; an empty cell does as well. */
const noes = ['0', 'f', 'false', 'n', 'no'] as const;
const isMark = (text: string): boolean => !(noes as readonly string[]).includes(text.toLowerCase());

/** Returns columns that mark some rows as deleted. If there are none, returns those that mark rows as hidden or in the trash. */
function findMarks({ columns }: TableFacts): readonly ColumnProfile[] {
  const marked = columns.map(({ profile }) => profile).filter(({ texts }) => texts.some(isMark));
  const deleted = marked.filter(({ name }) => /delet/i.test(name));
  return deleted.length > 0 ? deleted : marked.filter(({ name }) => /trash|hid|remov/i.test(name));
}

function everyRow(messages: TableGroup, { table, message, only }: Link, marks: readonly ColumnProfile[]): Narrowing[] {
  const isMarked = marks
    .map(({ name }) => `lower(${quoted(name)}) NOT IN (${noes.map(sqlText).join(', ')})`)
    .join(' OR ');
  const id = quoted(message.name);
  const names = marks.map(({ name }) => `"${name}"`).join(' or ');
  return [
    {
      joins: '',
      where:
        `(m.${quoted(messages.key!.name)} IN (SELECT ${id} FROM ${tableInQuery(table)}${writeWhere(only)} GROUP BY ${id} ` +
        `HAVING count(CASE WHEN ${isMarked} THEN 1 END) = count(*))) IS NOT TRUE`,
      because: `without those for which every row in "${table.name}" has ${names}; ${shareOf(marks)} of its rows have`,
    },
  ];
}

const shareOf = (marks: readonly ColumnProfile[]): string => {
  const most = Math.max(...marks.map(({ texts }) => texts.filter(isMark).length));
  return `${count(most)} of ${count(marks[0]!.rowCount)}`;
};

/** Finds tables with a row for each deletion, by their name or by the codes of users' actions. */
function everyMember(messages: TableGroup, link: Link, graph: Graph): readonly Narrowing[] {
  const person = personIn(link.table, graph);
  const said = link.table.columns.find(saysDeleted);
  if (said) {
    const where = { [said.name]: [...new Set(said.profile.texts)].filter((word) => deletion.test(word)) };
    const isOfAll = person !== undefined && findMembers(messages, graph) !== undefined;
    const everybody = isOfAll ? [ofEveryMember(messages, link, { person, graph, where })] : [];
    return [ofAnybody(messages, link, where), ...everybody];
  }
  if (person === undefined) return [];
  if (deletion.test(link.table.name)) return [ofEveryMember(messages, link, { person, graph })];
  const codes = link.table.columns.find(isOfActions);
  const words = [...new Set(codes?.profile.texts)];
  return words.map((word) => ofEveryMember(messages, link, { person, graph, where: { [codes!.name]: [word] } }));
}

const deletion = /delet|trash|hid|remov/i;
const actionsMax = 5;

const isOfActions = ({ name, profile }: ColumnFacts): boolean =>
  /(?:^|_)action(?:_?type)?$/i.test(name) && new Set(profile.texts).size <= actionsMax;

/** A type of actions, of which one is a deletion. */
const saysDeleted = ({ name, profile }: ColumnFacts): boolean =>
  /(?:^|_)(?:action|event|kind|type)(?:_?type)?$/i.test(name) &&
  new Set(profile.texts).size <= actionsMax &&
  profile.texts.some((text) => deletion.test(text));

/** A deletion by one person may be for that person alone: then the others lose it as well, until it is sent. */
function ofAnybody(messages: TableGroup, { table, message, only }: Link, where: Conditions): Narrowing {
  const rows = `SELECT ${quoted(message.name)} FROM ${tableInQuery(table)}${writeWhere({ ...only, ...where })}`;
  return {
    joins: '',
    where: `(m.${quoted(messages.key!.name)} IN (${rows})) IS NOT TRUE`,
    because: `without those that somebody has deleted, as "${table.name}" says`,
  };
}

interface Deleting {
  readonly person: string;
  readonly graph: Graph;
  /** Rows that are deletions, if not all are. */
  readonly where?: Conditions;
}

type Conditions = Readonly<Record<string, readonly string[]>>;

function ofEveryMember(
  messages: TableGroup,
  { table, message, only }: Link,
  { person, graph, where }: Deleting,
): Narrowing {
  const found = findMembers(messages, graph);
  const gone = peopleFor(table, message.name, person, { ...only, ...where });
  const all = found && peopleFor(found.table, found.room.name, found.user);
  const rows = Object.entries(where ?? {}).map(([name, words]) => ` with "${name}" ${words.join(', ')}`);
  return {
    joins:
      `LEFT JOIN ${gone} gone ON gone.id = m.${quoted(messages.key!.name)} ` +
      (found ? `LEFT JOIN ${all} everybody ON everybody.id = m.${quoted(found.edge.column.name)} ` : ''),
    where: `coalesce(gone.people, 0) < ${found ? 'max(1, coalesce(everybody.people, 1))' : '1'}`,
    because: `without those that have a row${rows.join('')} in "${table.name}" ${found ? `of each member in "${found.table.name}"` : 'of anybody'}`,
  };
}

/** The table of members of the conversations of messages. */
function findMembers(messages: TableGroup, graph: Graph) {
  const rooms = graph.best(messages).filter(({ to }) => !graph.isPeople(to) && to !== messages);
  return rooms.flatMap((edge) =>
    memberships(graph, edge.to).flatMap(({ value: { user, ...value } }) =>
      typeof user === 'string' ? [{ edge, user, ...value }] : [],
    ),
  )[0];
}

/** How many people a table names for each message or conversation. */
const peopleFor = (table: TableFacts, id: string, person: string, where?: Conditions): string =>
  `(SELECT ${quoted(id)} AS id, count(DISTINCT ${quoted(person)}) AS people FROM ${tableInQuery(table)}${writeWhere(where)} GROUP BY ${quoted(id)})`;

const writeWhere = (conditions: Conditions = {}): string =>
  Object.entries(conditions)
    .map(
      ([name, words], index) =>
        `${index === 0 ? ' WHERE' : ' AND'} ${quoted(name)} IN (${words.map(sqlText).join(', ')})`,
    )
    .join('');
