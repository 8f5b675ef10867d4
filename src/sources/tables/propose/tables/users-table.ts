import type { Reading } from '../../../table-source.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import { count, type Draft } from '../columns.ts';
import { type ColumnFacts, letters, singular, type TableFacts } from '../graph/facts.ts';
import { splitWords } from '../../../../model/visibility-words.ts';
import type { Edge, Graph } from '../graph/graph.ts';
import type { TableGroup } from '../graph/groups.ts';
import type { Relations } from '../graph/relations.ts';
import { quoted, sqlText, tableInQuery } from './sql.ts';
import { decidedTable, proposeTarget } from './tables.ts';

/**
 * Proposes the table of people: the table that authors refer to, if no other table may hold authors. Asks about several
 * tables, which a query would join.
 */
export function proposeUsersTable(
  graph: Graph,
  groups: readonly TableGroup[],
  messages: TableGroup,
  relations: Relations,
  draft: Draft,
): TableGroup | undefined {
  if (draft.at('tables.users') !== undefined) return decidedTable('users', groups, draft);
  const typed = relations.typedSender(draft.at('messages.author'));
  if (typed) return askForTypes(draft, graph.tables, [...new Set(typed.type.profile.texts)]);
  const authors = edgesOfAuthor(graph, messages, draft);
  const [best] = authors;
  if (!best) return askForLookalikes(graph, groups, messages, draft);
  const others = graph.people.filter((table) => table !== best.to);
  const keyOf = (table: TableFacts) => authors.find(({ to }) => to === table)?.key ?? table.key!;
  // Every account has a mail address, which is no name for all to see: a table of profiles has names.
  const named = [...authors.map(({ to }) => to), ...others].filter(hasNames);
  const isNamed = named.length === 0 || hasNames(best.to);
  const isWhole = isNamed && best.share >= 0.98 && !authors.some(({ to, share }) => to !== best.to && share >= 0.5);
  if (isWhole || others.length === 0)
    return proposeTarget('users', { to: best.to, name: best.column.name }, groups, draft);
  draft.choose('tables.users', {
    because: `authors are rows of ${authors.map(inWords).join(', ')}${others.length > 0 ? `; ${others.map(({ name }) => `"${name}"`).join(', ')} may have the others` : ''}`,
    alternatives: [
      ...authors.map((edge): Reading => ({ value: fileOf(edge.to as TableGroup), because: inWords(edge) })),
      // Tables that most authors refer to come last: more telling evidence next to them counts first, above all a name.
      union([...others.filter(({ key }) => key !== undefined), best.to].sort(byNames), undefined, keyOf),
    ],
    isRequired: true,
  });
  return undefined;
}

/** Share of the authors that a table must have, which nothing else shows to be that of the people. */
const shareMin = 0.5;

/**
 * Asks for the table of people, where no reference leads to one: every table is offered that has most of the authors, or those of them with names.
 * One whose rows another column of the messages names holds something else.
 */
function askForLookalikes(graph: Graph, groups: readonly TableGroup[], messages: TableGroup, draft: Draft): undefined {
  const author = messages.columns.find(({ name }) => name === draft.at('messages.author'));
  if (!author || author.ids.size < 2) return undefined;
  const isOther = (table: TableGroup) =>
    table === messages || graph.best(messages).some(({ to, column }) => to === table && column !== author);
  const shareOf = ({ key }: TableGroup) => [...author.ids].filter((id) => key?.ids.has(id)).length / author.ids.size;
  const all = groups
    .filter((table) => !isOther(table) && shareOf(table) >= shareMin)
    .sort((a, b) => shareOf(b) - shareOf(a));
  const found = all.some(hasNames) ? all.filter(hasNames) : all;
  if (found.length === 0) return undefined;
  const shares = found.map(
    (table) => `"${table.name}" (${count(shareOf(table) * author.ids.size)} of ${count(author.ids.size)} ids)`,
  );
  draft.choose('tables.users', {
    because: `values of "${author.name}" are ids of ${shares.join(', and of ')}: are these the people?`,
    alternatives: [
      ...found.map((table, index) => ({ value: fileOf(table), because: shares[index]! })),
      { value: 'none', because: 'if none of these tables holds people' },
    ],
    isRequired: true,
  });
  return undefined;
}

const inWords = ({ to, column, share }: Edge): string =>
  `"${to.name}" (${count(Math.round(share * column.ids.size))} of ${count(column.ids.size)} ids)`;

const fileOf = ({ sample }: TableGroup) => ({ file: sample.path, ...sample.table });

/** Tables of people in which the author's ids are found, those with names first, then those with most of the ids. */
function edgesOfAuthor(graph: Graph, messages: TableGroup, draft: Draft): readonly Edge[] {
  const author = draft.at('messages.author');
  const edges = graph.from(messages).filter(({ to }) => graph.isPeople(to));
  const column = typeof author === 'string' ? author : edges[0]?.column.name;
  return edges.filter((edge) => edge.column.name === column).sort((a, b) => byNames(a.to, b.to) || b.share - a.share);
}

/** Those with names first. */
const byNames = (a: TableFacts, b: TableFacts): number => Number(hasNames(b)) - Number(hasNames(a));

function hasNames({ columns }: TableFacts): boolean {
  const { name, firstName, handle } = aliases.user;
  const named = columnsNamed(
    columns.map((column) => column.name),
    `${name} ${firstName} ${handle}`,
  );
  return columns.some(
    ({ name: own, profile, shape }) => named.includes(own) && profile.texts.length > 0 && shape !== 'e-mail',
  );
}

/** `User` and `Contact` as types: a row of each table under a name of its own, such as the author's template makes. */
function askForTypes(draft: Draft, tables: readonly TableFacts[], types: readonly string[]): undefined {
  const found = types.flatMap((type) => {
    const own = letters(singular(splitWords(type).at(-1) ?? ''));
    const table = tables.find(
      ({ name, key }) => key !== undefined && letters(splitWords(name).map(singular).join('')).endsWith(own),
    );
    return table ? [{ type, table }] : [];
  });
  const joined = union(
    found.map(({ table }) => table),
    found.map(({ type }) => type),
  );
  draft.choose('tables.users', {
    because: `the author's type has ${types.map((type) => JSON.stringify(type)).join(', ')}: people of ${count(types.length)} tables`,
    alternatives: found.length > 0 ? [{ ...joined, ...(found.length === types.length && { isEvident: true }) }] : [],
    isRequired: true,
  });
  return undefined;
}

/** Names of columns that name bots and companies. */
const otherNames = 'title label company companyname organisation organization';

/** People of several tables as one: id, name and e-mail address of each. */
function union(
  tables: readonly TableFacts[],
  types: readonly string[] | undefined,
  keyOf: (table: TableFacts) => ColumnFacts = ({ key }) => key!,
): Reading {
  const selects = tables.map((table, index) => {
    const names = table.columns.map(({ name }) => name);
    const named = (list: string) => columnsNamed(names, list)[0];
    const { name, handle, email } = aliases.user;
    const column = (found: string | undefined, as: string) =>
      `${found === undefined ? 'NULL' : quoted(found)} AS ${as}`;
    const key = quoted(keyOf(table).name);
    const id = types ? `${sqlText(`${types[index]!}:`)} || ${key} AS id` : `${key} AS id`;
    const before = types ? [] : tables.slice(0, index);
    const where = before.map(
      (other, at) =>
        `${at === 0 ? ' WHERE' : ' AND'} ${key} NOT IN (SELECT ${quoted(keyOf(other).name)} FROM ${tableInQuery(other)})`,
    );
    return `SELECT ${id}, ${column(named(name) ?? named(handle) ?? named(otherNames), 'name')}, ${column(named(email), 'email')} FROM ${tableInQuery(table)}${where.join('')}`;
  });
  return {
    value: { query: selects.join(' UNION ALL ') },
    because: `people of ${tables.map(({ name }) => name).join(' and ')}`,
  };
}
