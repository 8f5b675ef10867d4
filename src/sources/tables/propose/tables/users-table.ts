import type { Reading } from '../../../table-source.ts';
import { count, distinct, type Draft, textsIn } from '../columns.ts';
import type { ColumnFacts, TableFacts } from '../graph/facts.ts';
import { type Edge, type Graph, pointsAt } from '../graph/graph.ts';
import type { TableGroup } from '../graph/groups.ts';
import { areAllNamed, idsOf, tableNamed, type TypedReference } from '../graph/parties.ts';
import { hasLoginsAlone, hasNames, nameIn, namesInRows, type PeopleOf, queryPeople } from './people-query.ts';
import { quoted, sqlText, tableInQuery } from './sql.ts';
import { decidedTable, fileOf, proposeTarget } from './tables.ts';

/**
 * Proposes the table of people: the table that authors refer to, if no other table may hold authors. Asks about several
 * tables, which a query would join.
 */
export function proposeUsersTable(
  graph: Graph,
  groups: readonly TableGroup[],
  messages: TableGroup,
  draft: Draft,
): TableGroup | undefined {
  if (draft.at('tables.users') !== undefined) return decidedTable('users', groups, draft);
  const author = draft.at('messages.author');
  const typed = typedIn(author, messages);
  // Which table each type is of is asked once it is known that the author has a type.
  if (author === undefined && graph.typedPeople(messages)) return undefined;
  if (typed) return askForTypes(graph, messages, typed, draft);
  const parts = partsIn(author, messages, graph);
  if (parts.length > 1)
    return decideQuery(
      queryPeople(parts),
      draft,
      `people of ${parts.map(({ table }) => `"${table.name}"`).join(' and ')}`,
    );
  const edges = edgesOfAuthor(graph, messages, draft);
  const [best] = edges;
  const people = best ? peopleWithProfiles(best, graph) : peopleOfServer(graph, messages, author);
  if (people)
    return decideQuery(queryPeople([people]), draft, `"${(people.names ?? people).table.name}" has their names`);
  if (!best) return askForLookalikes(graph, groups, messages, draft);
  if (readGuests(edges, graph, draft) || (author !== undefined && askForNames(best, graph, draft))) return undefined;
  const others = graph.people.filter((table) => table !== best.to);
  // Every account has a mail address, which is no name for all to see: a table of profiles has names.
  const isNamed = hasNames(best.to) || ![...edges.map(({ to }) => to), ...others].some(hasNames);
  const isWhole =
    isNamed && best.share >= wholeShare && !edges.some(({ to, share }) => to !== best.to && share >= shareMin);
  if (isWhole || others.length === 0)
    return proposeTarget('users', { to: best.to, name: best.column.name }, groups, draft);
  if (author !== undefined) askForOne(edges, others, draft);
  return undefined;
}

/** A person who hides a name behind a login may want that: names in other rows are offered, never taken. */
function askForNames({ to, key }: Edge, graph: Graph, draft: Draft): boolean {
  const names = hasLoginsAlone(to) ? namesInRows(to, graph) : undefined;
  if (!names) return false;
  const { shown } = names.words!;
  draft.choose('tables.users', {
    because: `names in "${to.name}" are those of logins, and "${names.table.name}" has ${shown}`,
    alternatives: [
      {
        value: { query: queryPeople([{ table: to, key, names }]) },
        because: `names are ${shown} of "${names.table.name}"`,
      },
      { value: fileOf(to), because: 'names are as for logins' },
    ],
    isRequired: true,
  });
  return true;
}

const wholeShare = 0.98;
/** Share of the authors that a table must have, which nothing else shows to be that of the people. */
const shareMin = 0.5;

/** Several tables may be those of the authors. */
function askForOne(edges: readonly Edge[], others: readonly TableFacts[], draft: Draft): void {
  const [best] = edges as [Edge];
  const keyOf = (table: TableFacts) => edges.find(({ to }) => to === table)?.key ?? table.key!;
  const all = [...others.filter(({ key }) => key !== undefined), best.to].sort(byNames);
  draft.choose('tables.users', {
    because: `authors are rows of ${edges.map(inWords).join(', ')}; ${others.map(({ name }) => `"${name}"`).join(', ')} may have the others`,
    alternatives: [
      ...edges.map((edge): Reading => ({ value: fileOf(edge.to), because: inWords(edge) })),
      // Tables that most authors refer to come last: more telling evidence next to them counts first, above all a name.
      {
        value: { query: queryPeople(all.map((table) => ({ table, key: keyOf(table) }))) },
        because: `people of ${all.map(({ name }) => name).join(' and ')}`,
      },
    ],
    isRequired: true,
  });
}

/** A query that follows from what is decided already, and its columns. */
function decideQuery(query: string, draft: Draft, because: string): undefined {
  draft.choose('tables.users', { value: { query }, because });
  for (const column of ['id', 'name', 'email']) draft.choose(`users.${column}`, { value: column, because });
}

/**
 * Asks for the table of people, where no reference leads to one: every table is offered that has most of the authors, or those of them with names.
 * One whose rows another column of the messages names holds something else. As long as no column is the author's, any of them may be.
 */
function askForLookalikes(graph: Graph, groups: readonly TableGroup[], messages: TableGroup, draft: Draft): undefined {
  const author = draft.at('messages.author');
  const taken = new Map(graph.best(messages).map(({ to, column }) => [column.name, to]));
  const used = new Set(textsIn({ ...(draft.at('messages') as object), author: '' }));
  const free = messages.columns.filter(({ name, ids, shape }) =>
    author === undefined
      ? !used.has(name) && !taken.has(name) && name !== messages.key?.name && shape !== 'time' && ids.size > 1
      : name === author && ids.size > 1,
  );
  const found = groups
    .filter((table) => table !== messages && ![...taken].some(([name, to]) => to === table && name !== author))
    .flatMap((to) => {
      const shares = free.map((column) => ({ to, column, share: shareIn(to, column) }));
      const [best] = shares.sort((a, b) => b.share - a.share);
      return best && best.share >= (author === undefined ? wholeShare : shareMin) ? [best] : [];
    })
    .sort((a, b) => b.share - a.share || byNames(a.to, b.to));
  const named = found.filter(({ to }) => hasNames(to));
  const offered = author === undefined || named.length > 0 ? named : found;
  if (offered.length === 0) return undefined;
  const names = [...new Set(offered.map(({ column }) => `"${column.name}"`))].join(' and ');
  draft.choose('tables.users', {
    because: `values of ${names} are ids of ${offered.map(inWords).join(', and of ')}: are these the people?`,
    alternatives: [
      ...offered.map((one) => ({ value: fileOf(one.to), because: inWords(one) })),
      { value: 'none', because: 'if none of these tables holds people' },
    ],
    isRequired: true,
  });
  return undefined;
}

const shareIn = ({ key }: TableFacts, { ids }: ColumnFacts): number =>
  [...ids].filter((id) => key?.ids.has(id)).length / ids.size;

const inWords = ({ to, column, share }: Pick<Edge, 'to' | 'column' | 'share'>): string =>
  `"${to.name}" (${count(Math.round(share * column.ids.size))} of ${count(column.ids.size)} ids)`;

/** Tables of people in which the author's ids are found: those with most of the ids, then those with names. */
function edgesOfAuthor(graph: Graph, messages: TableGroup, draft: Draft): readonly Edge[] {
  const author = draft.at('messages.author');
  const edges = graph.from(messages).filter(({ to }) => graph.isPeople(to));
  const column = typeof author === 'string' ? author : edges[0]?.column.name;
  const own = edges.filter((edge) => edge.column.name === column);
  const isWhole = ({ share }: Edge) => share >= wholeShare;
  return own.sort((a, b) => Number(isWhole(b)) - Number(isWhole(a)) || byNames(a.to, b.to) || b.share - a.share);
}

/** Those with names first. */
const byNames = (a: TableFacts, b: TableFacts): number => Number(hasNames(b)) - Number(hasNames(a));

/** People without names, where each names a row of a table with names, or has one there, by a column that no two rows have alike. */
function peopleWithProfiles({ to: table, key, share }: Edge, graph: Graph): PeopleOf | undefined {
  const isOne = ({ column, share, from, to }: Edge) => column.isUnique && share >= wholeShare && from !== to;
  const there = graph.to(table).find((edge) => isOne(edge) && hasNames(edge.from));
  const own = graph.from(table).find((edge) => isOne(edge) && hasNames(edge.to) && graph.isPeople(edge.to));
  if (hasNames(table) || share < wholeShare || (!there && !own)) return undefined;
  const names = there ?? own!;
  return {
    ...{ table, key },
    names: there
      ? { table: names.from, column: names.column }
      : { table: names.to, column: names.key, by: names.column },
  };
}

/** People whom authors name by an address at a server: `ada@chat.example.org` is "ada" of the table. */
function peopleOfServer(graph: Graph, messages: TableFacts, author: unknown): PeopleOf | undefined {
  const { ids } = messages.columns.find(({ name }) => name === author) ?? {};
  const servers = Map.groupBy(ids ?? [], (id) => /@[^@/]+$/.exec(id)?.[0] ?? '');
  const [[suffix, own] = ['', []]] = [...servers].sort((a, b) => b[1].length - a[1].length);
  const isOf = ({ key }: TableFacts) => own.every((id) => key?.ids.has(id.slice(0, -suffix.length)));
  const table = own.length > 1 && suffix !== '' ? graph.tables.find((one) => hasNames(one) && isOf(one)) : undefined;
  return table && { table, key: table.key!, suffix };
}

/** @returns Whether some authors are guests with negative numbers. It is asked whose they are if the other ids are in both tables. */
function readGuests(edges: readonly Edge[], graph: Graph, draft: Draft): boolean {
  const ways = edges.flatMap((edge) => {
    const guests = edge.share >= wholeShare ? guestsIn(edge, graph) : undefined;
    return guests ? [{ edge, of: [{ table: edge.to, key: edge.key }, guests] }] : [];
  });
  const sure = ways.filter(({ edge }) => ways.length === 1 || pointsAt(edge.column.name, edge.to.name));
  if (ways.length === 0) return false;
  const sayGuests = ({ edge, of }: (typeof ways)[number]) =>
    `negative numbers in "${edge.column.name}" are ids of "${of[1]!.table.name}"`;
  if (sure.length === 1) decideQuery(queryPeople(sure[0]!.of), draft, sayGuests(sure[0]!));
  else
    draft.choose('tables.users', {
      because: 'negative numbers are ids of guests',
      alternatives: ways.map((way) => ({ value: { query: queryPeople(way.of) }, because: sayGuests(way) })),
      isRequired: true,
    });
  return true;
}

/** Guests whose ids are negative among those of authors: -5 is number 5 of another table. */
function guestsIn({ to, column: { ids, profile } }: Edge, graph: Graph): PeopleOf | undefined {
  const others = [...new Set(profile.texts)].filter((id) => /^-\d+$/.test(id) && !to.key?.ids.has(id));
  const table = graph.people.find(
    (one) => one !== to && one.key !== undefined && others.every((id) => one.key!.ids.has(id.slice(1))),
  );
  return ids.size > 0 && others.length > 0 && table ? { table, key: table.key!, prefix: '-' } : undefined;
}

/** A part of an author's expression: rows of one table under a word of their own. */
interface AuthorPart {
  readonly prefix: string | undefined;
  readonly column: string;
}

/** `{ first: [agent_id, { template: "visitor:{chat_id}" }] }` names two tables. */
function partsIn(author: unknown, messages: TableFacts, graph: Graph): readonly PeopleOf[] {
  if (typeof author === 'string') return tablesAround(author, messages, graph);
  const first = (author as { readonly first?: unknown } | undefined)?.first;
  const parts = (Array.isArray(first) ? first : []).flatMap((part: unknown): AuthorPart[] => {
    const [text = ''] = textsIn((part as { from?: unknown }).from ?? part);
    const found = /^(.*?)\{([^{}]+)\}$/.exec(text);
    return found ? [{ prefix: found[1]!, column: found[2]! }] : [{ prefix: undefined, column: text }];
  });
  const people = parts.flatMap(({ prefix, column }): PeopleOf[] => {
    const edge = graph.edgeOf(messages, column);
    return edge ? [{ table: edge.to, key: edge.key, ...(prefix !== undefined && { prefix }) }] : [];
  });
  const tables = new Set(people.map(({ table }) => table));
  return tables.size === parts.length ? people : [];
}

/** Tables that have the long ids of a column among them, each id in one: `sender_id` is of a doctor or of a patient. */
function tablesAround(author: string, messages: TableFacts, { tables }: Graph): readonly PeopleOf[] {
  const ids = [...(messages.columns.find(({ name }) => name === author)?.ids ?? [])];
  const has = ({ key }: TableFacts, id: string) => key!.ids.has(id);
  const found = tables.filter(
    (table) => table !== messages && table.key?.shape === 'long-id' && ids.some((id) => has(table, id)),
  );
  const areApart = ids.every((id) => found.filter((table) => has(table, id)).length === 1);
  return areApart ? found.map((table) => ({ table, key: table.key! })) : [];
}

/** The type and the id in a template of both. */
function typedIn(author: unknown, { columns }: TableFacts): Pick<TypedReference, 'type' | 'id'> | undefined {
  const template = (author as { readonly template?: unknown } | undefined)?.template;
  const names = /^\{([^{}]+)\}:\{([^{}]+)\}$/.exec(typeof template === 'string' ? template : '');
  const [type, id] = [1, 2].map((at) => columns.find(({ name }) => name === names?.[at]));
  return type && id ? { type, id } : undefined;
}

/** Ways of saying which table each type is of. */
const waysMax = 6;

/** `User` and `Contact` as types: a row of each table under a name of its own, such as the author's template makes. */
function askForTypes(
  graph: Graph,
  messages: TableFacts,
  typed: Pick<TypedReference, 'type' | 'id'>,
  draft: Draft,
): undefined {
  const words = distinct(typed.type.profile);
  const others = graph.tables.filter((table) => table !== messages);
  const named = words.map((word) => tableNamed(word, others));
  const left = graph.people.filter((table) => table.key !== undefined && !named.includes(table));
  const has = (table: TableFacts, word: string) =>
    [...idsOf(messages, typed, word)].every((id) => table.key!.ids.has(id));
  const ways = words.reduce<readonly (readonly (TableFacts | undefined)[])[]>(
    (before, word, index) =>
      before.flatMap((way) => {
        const own = named[index] ? [named[index]] : left.filter((table) => !way.includes(table) && has(table, word));
        return (own.length > 0 ? own : [undefined]).map((table) => [...way, table]);
      }),
    [[]],
  );
  const nameless = (way: readonly unknown[]) => words.filter((_, index) => way[index] === undefined);
  const readings = ways.slice(0, waysMax).flatMap((way) => {
    const described = queryTyped(graph, messages, typed, nameless(way));
    return readingOf(words, way, described);
  });
  const shown = words.map((word) => JSON.stringify(word)).join(', ');
  const because = `the author's type has ${shown}: people of ${count(words.length)} tables`;
  const [sole] = readings;
  if (sole && areAllNamed(messages, typed, others)) decideQuery(sole.value.query, draft, because);
  else draft.choose('tables.users', { because, alternatives: readings, isRequired: true });
  return undefined;
}

/** A query of people of several types in one table, such as that of members: their type, their id and their name. */
function queryTyped(
  graph: Graph,
  messages: TableFacts,
  { type, id }: Pick<TypedReference, 'type' | 'id'>,
  words: readonly string[],
): readonly string[] {
  const has = ({ columns }: TableFacts, name: string) => columns.some((column) => column.name === name);
  const table = graph.tables.find(
    (one) => one !== messages && has(one, type.name) && has(one, id.name) && hasNames(one),
  );
  if (!table || words.length === 0) return [];
  const [word, number] = [quoted(type.name), quoted(id.name)];
  return [
    `SELECT ${word} || ':' || ${number} AS id, max(${nameIn(table)}) AS name, NULL AS email FROM ${tableInQuery(table)} ` +
      `WHERE ${word} IN (${words.map(sqlText).join(', ')}) GROUP BY ${word}, ${number}`,
  ];
}

function readingOf(
  words: readonly string[],
  way: readonly (TableFacts | undefined)[],
  described: readonly string[],
): readonly { readonly value: { readonly query: string }; readonly because: string }[] {
  const found = way.flatMap((table, index) => (table ? [{ table, key: table.key!, prefix: `${words[index]!}:` }] : []));
  if (found.length + described.length === 0) return [];
  const because = way.map((table, index) => `${words[index]!}: ${table ? `"${table.name}"` : 'no table'}`).join(', ');
  const query = [...(found.length > 0 ? [queryPeople(found)] : []), ...described].join(' UNION ALL ');
  return [{ value: { query }, because }];
}
