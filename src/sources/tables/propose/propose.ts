import { countOf } from '../../../lib/text/count.ts';
import type { Proposal, AnswerFault } from '../../table-source.ts';
import type { RowReader, TableSample, Row } from '../row.ts';
import { proposeChildren } from './tables/children.ts';
import { asConversation } from './tables/members.ts';
import { templatedRooms } from './tables/templated-rooms.ts';
import { Draft, evidence, textsIn, namesOf } from './columns.ts';
import { proposeConversationType } from './tables/conversation-type.ts';
import { askWhatIsGone } from './tables/gone.ts';
import type { TableFacts } from './graph/facts.ts';
import { Graph } from './graph/graph.ts';
import { groupTables, type TableGroup, withNamedKeys } from './graph/groups.ts';
import { withWholeTables } from './graph/whole-tables.ts';
import { isRead, isUsed } from './graph/links.ts';
import { proposeMessages } from './message/messages.ts';
import { proposeConversations, proposeUsers } from './tables/people.ts';
import { queriedGroups } from './tables/query-rows.ts';
import { Relations } from './graph/relations.ts';
import { askAboutNullsIn } from './message/text.ts';
import {
  choose,
  decidedTable,
  fileOf,
  matches,
  proposeMessagesTable,
  proposeTarget,
  withTextsFirst,
} from './tables/tables.ts';
import { proposeUsersTable } from './tables/users-table.ts';
import { askWhoseConversations } from './visible/tenants.ts';
import type { Role } from '../roles.ts';
import { aliases, withNames } from './aliases.ts';
import { withRows } from './rows-looked-at.ts';
import { nearestName } from '../../../lib/text/nearest-name.ts';
import { lookBeside } from './beside.ts';
import { namesIn, type Section } from './bound-columns.ts';

/** Where all rows of the tables are. */
export interface WholeTables<Table> {
  readonly reader: RowReader<Table>;
  /** The export: what is found in it is remembered as long as this is. */
  readonly of: object;
}

/**
 * Proposes how to bind these tables, with the evidence for it: values that refer to rows of other tables, and values
 * that look like times, texts and people. Names only affect the ranking. Keeps the user's decisions and takes them into
 * account. `options` holds what is certain. If something is not certain, the option is missing, and the finding lists
 * readings, or none if the data cannot show any.
 *
 * @param options The `source:` section so far, unparsed.
 * @param whole For tables of which the samples are a part.
 */
export async function proposeBindings<Table>(
  samples: readonly TableSample[],
  options: Readonly<Record<string, unknown>>,
  whole?: WholeTables<Table>,
): Promise<Proposal> {
  const draft = new Draft(options);
  const nulls = Array.isArray(options.nulls) ? options.nulls.map(String) : ['\\N', 'NULL'];
  const seen = groupTables(samples, nulls, (path) => saidRole(path, options.tables));
  const groups = withNamedKeys(whole ? await withWholeTables(seen, whole.reader, { of: whole.of, nulls }) : seen);
  const queried = await queriedGroups(samples, groups, draft, nulls);
  const graph = new Graph(withQueried(groups, queried, draft), saidTables(groups, queried, draft));
  const messages = queried.get('messages') ?? proposeMessagesTable(graph, groups, draft);
  const query = draft.at('tables.messages.query');
  // The rows of a query have columns of their own.
  if (typeof query === 'string' && new Draft(options).at('tables.messages') === undefined)
    return await proposeByQuery(samples, { options, query, found: draft.findings }, whole);
  askAboutNullsOfQuery(groups, draft, nulls);
  const relations = new Relations(graph, messages);
  if (messages) proposeMessages(messages.sample, draft, nulls, relations);
  const users =
    queried.get('users') ??
    (messages && groups.length > 1 ? proposeUsersTable(graph, groups, messages, draft) : undefined);
  const conversations =
    queried.get('conversations') ?? (messages && proposeConversationsTable(graph, groups, messages, draft));
  if (users) proposeUsers({ rows: users.sample.rows, nulls, key: keyOfUsers(graph, messages, users, draft) }, draft);
  if (messages) proposeChildren(graph, groups, { messages, conversations }, draft);
  if (messages && conversations) {
    proposeConversationType(conversations, draft);
    chooseConversationId(conversations, { graph, messages, draft });
    proposeConversations({ rows: conversations.sample.rows, nulls, key: conversations.key?.profile }, draft);
    askWhatIsGone('conversations', conversations, draft);
  }
  if (messages) askWhoseConversations(graph, { messages, conversations, users }, draft);
  const others = groups.filter((table) => !isRead(table, draft) && !isDecided(table, groups, draft));
  const unread = others.filter((table) => !isUsed(table, draft));
  if (groups.length > 1) nameUnused(unread, draft);
  const findFaults = (kind: 'messages' | 'users' | 'conversations', table: TableGroup | undefined) =>
    answeredColumnFaults(kind, options[kind], takeRows(samples, table));
  const known: Readonly<Record<string, TableGroup | undefined>> = { messages, users, conversations };
  const findTable = (role: string) => known[role] ?? queried.get(role as Role) ?? decidedTable(role, groups, draft);
  const tables = { graph, all: groups, find: findTable, options: draft.options, nulls };
  return {
    options: draft.options,
    ...(messages && {
      beside: lookBeside(
        graph,
        { messages, conversations, users, usersSaid: options.users, unread, others },
        draft,
        nulls,
      ),
    }),
    findings: inOrder(draft.findings).map((finding) => withRows(finding, tables)),
    faults: [
      ...findFaults('messages', messages),
      ...findFaults('users', users),
      ...findFaults('conversations', conversations),
    ],
  };
}

const saidTables = (groups: readonly TableGroup[], queried: ReadonlyMap<string, TableGroup>, draft: Draft) => ({
  users: queried.get('users') ?? decidedTable('users', groups, draft),
  conversations: decidedTable('conversations', groups, draft),
});

function chooseConversationId(conversations: TableGroup, known: Parameters<typeof asConversation>[2]): void {
  const { graph, messages, draft } = known;
  const room = draft.at('messages.conversation');
  const edge = graph.best(messages).find(({ column, to }) => column.name === room && to === conversations);
  const key = edge?.key ?? conversations.key;
  if (!key) return;
  const value = asConversation(key.name, conversations, known);
  draft.choose('conversations.id', { value, because: evidence(key.profile), isRequired: true });
}

async function proposeByQuery<Table>(
  samples: readonly TableSample[],
  { options, query, found }: { readonly options: object; readonly query: string; readonly found: Draft['findings'] },
  whole: WholeTables<Table> | undefined,
): Promise<Proposal> {
  const tables = { ...('tables' in options && (options.tables as object)), messages: { query } };
  const proposal = await proposeBindings(samples, { ...options, tables }, whole);
  return { ...proposal, findings: [...found, ...proposal.findings] };
}

/** Texts that may mean "none" in the tables that the query of the messages reads. */
function askAboutNullsOfQuery(groups: readonly TableGroup[], draft: Draft, nulls: readonly string[]): void {
  const query = draft.at('tables.messages.query');
  if (typeof query !== 'string') return;
  askAboutNullsIn({ read: groups.filter(({ name }) => query.includes(name)), all: groups }, draft, nulls);
}

/** With the results of queries, in the place of the tables that they take messages from. */
function withQueried(
  groups: readonly TableGroup[],
  queried: ReadonlyMap<string, TableGroup>,
  draft: Draft,
): readonly TableGroup[] {
  const [messages, users] = [queried.get('messages'), queried.get('users')];
  const tables = users ? [...groups, users] : groups;
  if (!messages) return tables;
  const query = String(draft.at('tables.messages.query'));
  const names = new Set(messages.columns.map(({ name }) => name));
  // A table of members has some of the columns as well, and is none of them; nor is one whose rows several messages name.
  const isSource = ({ name: own, columns, key }: TableGroup) => {
    const shared = columns.filter(({ name }) => names.has(name)).length;
    const isRoom = messages.columns.some(({ name, isUnique, isFilled }) => name === key?.name && isFilled && !isUnique);
    return (
      own === messages.name || (query.includes(own) && shared * 2 > Math.max(columns.length, names.size) && !isRoom)
    );
  };
  return [...tables.filter((group) => !isSource(group)), messages];
}

/** The table of conversations: the one that the messages name rows of. */
function proposeConversationsTable(
  graph: Graph,
  groups: readonly TableGroup[],
  messages: TableGroup,
  draft: Draft,
): TableGroup | undefined {
  const said = textsIn(draft.at('messages.conversation'));
  const columns = said.flatMap((text) => [text, ...[...text.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!)]);
  const edge = graph.best(messages).find(({ column, to }) => columns.includes(column.name) && !graph.isPeople(to));
  const [templated] = templatedRooms(messages, draft, graph);
  const room = edge ? { to: edge.to, name: edge.column.name } : templated;
  const length = ({ sample }: TableGroup) => String(sample.table.list ?? '').length;
  const [around] = room
    ? []
    : groups.filter((group) => standsAround(group, messages)).toSorted((a, b) => length(b) - length(a));
  if (around && draft.at('tables.conversations') === undefined) {
    choose('conversations', around, groups, draft, 'its rows contain the lists of messages');
    return around;
  }
  if (!room) askForConversations(graph, messages, draft);
  return proposeTarget('conversations', room, groups, draft);
}

/** Ids of so few conversations are in every table. */
const roomsMin = 3;

/** Asks for the table of conversations where nothing but ids says it: each that has all of those in the messages, and few others. */
function askForConversations(graph: Graph, messages: TableGroup, draft: Draft): void {
  const column = messages.columns.find(({ name }) => name === draft.at('messages.conversation'));
  if (column === undefined || column.ids.size < roomsMin) return;
  const isOfMessages = (table: TableFacts) => graph.from(table).some(({ to }) => to === messages);
  const hasNames = ({ columns }: TableFacts) => withNames(columns, aliases.conversation.name).length > 0;
  const found = graph
    .tablesWith([...column.ids])
    .filter((table) => table !== messages && !graph.isPeople(table) && !isOfMessages(table) && hasNames(table))
    .filter(({ key }) => key!.ids.size <= column.ids.size * 2);
  if (found.length === 0) return;
  draft.choose('tables.conversations', {
    because: `all ids of "${column.name}" are in ${found.map(({ name }) => `"${name}"`).join(' and in ')}`,
    alternatives: [
      ...found.map((table) => ({ value: fileOf(table), because: `"${table.name}" has all of them` })),
      { value: 'none', because: 'if none of these tables describes conversations' },
    ],
    isRequired: true,
  });
}

/** The column by which messages name people. */
function keyOfUsers(graph: Graph, messages: TableGroup | undefined, users: TableGroup, draft: Draft) {
  const author = draft.at('messages.author');
  const edge = messages && graph.from(messages).find(({ to, column }) => to === users && column.name === author);
  return (edge?.key ?? users.key)?.profile;
}

/** Returns whether the lists of messages are inside the rows of this table, as with rooms. */
function standsAround({ sample, key }: TableGroup, { sample: inner }: TableGroup): boolean {
  const list = String(sample.table.list ?? '');
  return key !== undefined && sample.path === inner.path && String(inner.table.list ?? '').startsWith(`${list}/*/`);
}

/** Returns the role that the user has given a file: `messages` if `tables.messages` names it. */
function saidRole(path: string, tables: unknown): string {
  const isIt = ([, table]: readonly [string, unknown]) => {
    if (Array.isArray(table)) return table.includes(path);
    const { file } = (table ?? {}) as { file?: unknown };
    return typeof file === 'string' && matches(file, path);
  };
  return Object.entries((tables ?? {}) as object).find(isIt)?.[0] ?? '';
}

/** Files may have columns of their own: all of them are looked at. */
const takeRows = (samples: readonly TableSample[], table: TableGroup | undefined) =>
  table?.paths.length === 0
    ? table.sample.rows
    : samples.filter(({ path }) => table?.paths.includes(path)).flatMap(({ rows }) => rows);

/** Which file is what comes before which column is what. */
const inOrder = (findings: Proposal['findings']): Proposal['findings'] => [
  ...findings.filter(({ key }) => key.startsWith('tables.')),
  ...findings.filter(({ key }) => !key.startsWith('tables.')),
];

/** Tables that nothing reads are named, with what they hold. */
function nameUnused(unused: readonly TableGroup[], draft: Draft): void {
  const isOpen = draft.findings.some(({ key, alternatives }) => key === 'tables.ignored' && alternatives.length > 0);
  if (unused.length === 0 || isOpen || draft.at('tables.messages') === undefined) return;
  const parts = (unused.length > unusedMax ? withTextsFirst(unused) : unused).flatMap((table) => table.parts);
  const shown = parts
    .slice(0, unusedMax)
    .map(({ name, rows, isAtLeast }) => `${name} (${isAtLeast ? 'at least ' : ''}${countOf(rows, 'row')})`);
  const more = parts.length > shown.length ? [countOf(parts.length - shown.length, 'more table')] : [];
  draft.findings.push({
    key: 'tables',
    because: `not read: ${[...shown, ...more].join(', ')}`,
    alternatives: [],
    isRequired: false,
  });
}

/** Tables that are named one by one: a database of hundreds fits a screen. */
const unusedMax = 12;

const isDecided = (table: TableGroup, groups: readonly TableGroup[], draft: Draft): boolean =>
  ['messages', 'users', 'conversations', 'members', 'attachments', 'reactions', 'edits'].some(
    (kind) => decidedTable(kind, groups, draft) === table,
  );

/** Columns that the user's own bindings name and the table does not have, with the name that was probably meant. */
function answeredColumnFaults(section: Section, decided: unknown, rows: readonly Row[]): readonly AnswerFault[] {
  if (typeof decided !== 'object' || decided === null || rows.length === 0) return [];
  const known = namesOf(rows);
  const isFixed = rows[0]!.names().join('\n') === rows.at(-1)!.names().join('\n');
  return Object.entries(decided).flatMap(([key, value]) =>
    namesIn(section, key, value).flatMap((name): AnswerFault[] => {
      if (known.includes(name) || rows.some((row) => row.get(name) !== undefined)) return [];
      const meant = nearestName(name, known);
      // Rows of JSON may have fields that no row of the sample has.
      if (!isFixed && meant === undefined) return [];
      const instead = meant === undefined ? '.' : `; did you mean ${JSON.stringify(meant)}?`;
      const columns = known.slice(0, 30).map((column) => JSON.stringify(column));
      return [
        {
          key: `${section}.${key}`,
          reason: `There is no column ${JSON.stringify(name)}${instead} The columns are ${columns.join(', ')}`,
        },
      ];
    }),
  );
}
