import type { Reading } from '../../../table-source.ts';
import { columnsNamed } from '../aliases.ts';
import { count, type Draft, textsIn } from '../columns.ts';
import { decide } from '../decision.ts';
import { type Candidate, type EvidenceName, explained } from '../evidence.ts';
import type { TableFacts } from '../graph/facts.ts';
import type { Edge, Graph } from '../graph/graph.ts';
import { sharedFile, type TableGroup } from '../graph/groups.ts';
import { linksTo } from '../graph/links.ts';
import { proposeQueries, proposeUnion } from './message-queries.ts';
import { messageCandidates, textColumns } from '../graph/roles.ts';
import { quoted, sqlText, tableInQuery } from './sql.ts';

/** So many points have what may be messages as well: a text, a time, a person and a place, or three of them and the name. */
const rivalPoints = 6;
const shownColumns = 6;

/** Which table holds the messages: as the user says, else the one that has what messages have; where two have it, that is asked. */
export function proposeMessagesTable(
  graph: Graph,
  groups: readonly TableGroup[],
  draft: Draft,
): TableGroup | undefined {
  const decided = decidedTable('messages', groups, draft);
  if (decided !== undefined || draft.at('tables.messages') !== undefined) return decided;
  const [only] = groups;
  if (groups.length === 1) {
    const needsTable = Object.keys(only!.sample.table).length > 0;
    if (needsTable) choose('messages', only!, groups, draft);
    else if (only!.paths.length > 1) nameFiles(only!, draft);
    return only;
  }
  const ranked = messageCandidates(graph) as readonly Candidate<TableGroup>[];
  const [best] = ranked;
  const rivals = ranked.slice(1).filter((one) => isRival(one, best!, graph));
  const margin = decide(ranked).margin;
  if (best && rivals.length === 0 && !best.evidence.includes('hasText')) {
    askWhereTextIs(best.value, graph, groups, draft);
    return undefined;
  }
  const isCertain = best !== undefined && (best.points >= rivalPoints || isWholeMessage(best)) && rivals.length === 0;
  if (isCertain && describeElement(best.value, groups) !== undefined) {
    const queries = proposeQueries(best.value, { graph, groups, draft });
    draft.choose('tables.messages', {
      ...(queries.length === 0
        ? { value: describeElement(best.value, groups), because: describeColumns(best.value) }
        : {
            because: `other tables say more of the rows of "${best.value.name}"`,
            alternatives: [...queries, ...offerReadings(best.value, groups, 'the rows as they are')],
          }),
      isRequired: true,
      explained: [...explainRanks(ranked), `${margin} ahead of the next`],
    });
    return best.value;
  }
  const bound = boundTable(groups, draft);
  if (bound) {
    choose('messages', bound, groups, draft);
    return bound;
  }
  askForMessages({ ranked, rivals, graph, groups, draft });
  return undefined;
}

interface Unclear {
  readonly ranked: readonly Candidate<TableGroup>[];
  readonly rivals: readonly Candidate<TableGroup>[];
  readonly graph: Graph;
  readonly groups: readonly TableGroup[];
  readonly draft: Draft;
}

/** Several tables may hold the messages, or none does for certain. */
function askForMessages({ ranked, rivals, graph, groups, draft }: Unclear): void {
  const [best] = ranked;
  const candidates = best && rivals.length > 0 ? [best, ...rivals] : ranked;
  const offered = candidates.length > 0 ? candidates.map(({ value }) => value) : groups;
  const others = rivals.map(({ value }) => value);
  draft.choose('tables.messages', {
    because:
      ranked.length > 1 ? `${ranked.length} tables have texts and times` : 'no table is for certain that of messages',
    alternatives: [
      ...proposeUnion(ranked, { graph, groups, draft }),
      ...offered
        .slice(0, 10)
        .flatMap((table) => [...proposeQueries(table, { graph, groups, draft }), ...offerReadings(table, groups)]),
      ...(best ? offerBoth(best.value, others, groups) : []),
    ],
    isRequired: true,
    explained: explainRanks(ranked),
  });
}

const explainRanks = (ranked: readonly Candidate<TableGroup>[]): readonly string[] =>
  ranked.map((one) => `${one.points}  ${one.value.name}: ${explained(one)}`);

/** Messages without texts: another table names them, and holds what was written. */
function askWhereTextIs(table: TableGroup, graph: Graph, groups: readonly TableGroup[], draft: Draft): void {
  const queries = linksTo(table, graph, groups, draft).flatMap((link): Reading[] => {
    const [text] = textColumns(link.table).filter(({ shape }) => shape === 'text');
    if (!text || !table.key) return [];
    const only = Object.entries(link.only ?? {}).map(
      ([name, words]) => ` AND t.${quoted(name)} IN (${words.map(sqlText).join(', ')})`,
    );
    const query =
      `SELECT m.*, t.${quoted(text.name)} FROM ${tableInQuery(table)} m ` +
      `LEFT JOIN ${tableInQuery(link.table)} t ON t.${quoted(link.message.name)} = m.${quoted(table.key.name)}${only.join('')}`;
    return [{ value: { query }, because: `the texts are "${text.name}" of "${link.table.name}"` }];
  });
  draft.choose('tables.messages', {
    because: `"${table.name}" has people and times, and no texts`,
    alternatives: [...queries, ...offerReadings(table, groups)],
    isRequired: true,
  });
}

/** The only table with most of the columns that the user has bound already. */
function boundTable(groups: readonly TableGroup[], draft: Draft): TableGroup | undefined {
  const said = new Set(textsIn(draft.at('messages')));
  const counts = groups.map((group) => namesIn(group).filter((name) => said.has(name)).length);
  const most = Math.max(0, ...counts);
  const best = groups.filter((_, index) => counts[index] === most);
  return most > 0 && best.length === 1 ? best[0] : undefined;
}

/** Lists files that are read as one table: the user may know that one of them is part of another. */
function nameFiles({ paths }: TableGroup, draft: Draft): void {
  const more = paths.length > shownColumns ? ` and ${count(paths.length - shownColumns)} more` : '';
  draft.findings.push({
    key: 'tables',
    because: `${count(paths.length)} files of the same columns are read as one: ${paths.slice(0, shownColumns).join(', ')}${more}`,
    alternatives: [],
    isRequired: false,
  });
}

function isRival(one: Candidate<TableGroup>, best: Candidate<TableGroup>, graph: Graph): boolean {
  const has = (name: EvidenceName) => one.evidence.includes(name);
  // Rooms have topics and titles. Only a description next to a person and a time may be the first message.
  const isRoom = graph.best(best.value).some(({ to }) => to === one.value);
  if (isRoom && columnsNamed(namesIn(one.value), 'text body message content msg description question').length === 0)
    return false;
  if (isAlike(one.value, best.value)) return true;
  const isWhole = has('hasText') && has('hasTime') && (has('hasAuthor') || has('hasPlace'));
  return isWhole && (one.points >= best.points - 1 || (one.points >= rivalPoints && !has('namedOtherThan')));
}

/** Returns whether two tables have the same columns, such as an archive, notes or drafts next to the messages. */
const isAlike = (one: TableFacts, other: TableFacts): boolean =>
  namesIn(one).length > 3 && JSON.stringify(namesIn(one)) === JSON.stringify(namesIn(other));

const namesIn = ({ columns }: TableFacts): readonly string[] => columns.map(({ name }) => name);

/** A text, a time, a person and a place: whatever it is called. */
const isWholeMessage = ({ evidence }: Candidate<unknown>): boolean =>
  (['hasText', 'hasTime', 'hasAuthor', 'hasPlace'] as const).every((name) => evidence.includes(name));

/** Returns one reading for files of one pattern, or one for each file if the pattern would match other files. */
function offerReadings(table: TableGroup, groups: readonly TableGroup[], because = describeColumns(table)) {
  const value = describeElement(table, groups);
  const each = table.paths.map((path) => ({ file: path, ...table.sample.table }));
  return (value === undefined ? each : [value]).map((one) => ({ value: one, because }));
}

/** Files of the same columns as one table, where one pattern takes in all of them. */
function offerBoth(best: TableGroup, rivals: readonly TableGroup[], groups: readonly TableGroup[]): readonly Reading[] {
  const alike = [best, ...rivals.filter((rival) => isAlike(rival, best))];
  const paths = alike.flatMap((table) => table.paths);
  const file =
    alike.length < 2
      ? undefined
      : sharedFile(
          paths,
          groups.flatMap((group) => group.paths),
        );
  if (file === undefined) return [];
  return [
    {
      value: { file, ...best.sample.table },
      because: `all of them, as one table: ${paths.slice(0, shownColumns).join(', ')}`,
    },
  ];
}

/** The table that a column names rows of becomes that of people or conversations. */
export function proposeTarget(
  kind: 'users' | 'conversations',
  edge: Edge | undefined,
  groups: readonly TableGroup[],
  draft: Draft,
): TableGroup | undefined {
  const decided = decidedTable(kind, groups, draft);
  if (decided !== undefined || draft.at(`tables.${kind}`) !== undefined || !edge) return decided;
  const table = edge.to as TableGroup;
  choose(kind, table, groups, draft, `"${edge.column.name}" of the messages names its rows`);
  return table;
}

export function choose(
  kind: string,
  table: TableGroup,
  groups: readonly TableGroup[],
  draft: Draft,
  because = describeColumns(table),
): void {
  const value = describeElement(table, groups);
  if (value !== undefined) draft.choose(`tables.${kind}`, { value, because, isRequired: kind === 'messages' });
  else draft.choose(`tables.${kind}`, { because, alternatives: offerReadings(table, groups), isRequired: true });
}

const describeElement = ({ paths, sample }: TableGroup, groups: readonly TableGroup[]) => {
  const file = sharedFile(
    paths,
    groups.flatMap((group) => group.paths),
  );
  return file === undefined ? undefined : { file, ...sample.table };
};

const describeColumns = ({ paths, sample, columns }: TableFacts & { readonly paths: readonly string[] }): string =>
  `${paths.length === 1 ? `"${sample.path}"` : `${count(paths.length)} files`} with ${columns
    .slice(0, shownColumns)
    .map(({ name }) => name)
    .join(', ')}`;

/** The table that the user has named. */
export function decidedTable(kind: string, groups: readonly TableGroup[], draft: Draft): TableGroup | undefined {
  const file = draft.at(`tables.${kind}.file`);
  if (typeof file !== 'string') return undefined;
  const list = draft.at(`tables.${kind}.list`);
  const isIt = ({ paths, sample }: TableGroup) =>
    paths.some((path) => matches(file, path)) && (list === undefined || list === (sample.table.list ?? ''));
  return groups.find(isIt);
}

/** `*` stands for anything but a slash, `**` for anything. */
export function matches(pattern: string, path: string): boolean {
  if (pattern === path) return true;
  const parts = pattern.split(/(\*\*\/?|[*?])/).map((part) => {
    if (part.startsWith('**')) return '.*';
    return part === '*' ? '[^/]*' : part === '?' ? '[^/]' : part.replace(/[\\^$.+()[\]{}|/]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 'su').test(path);
}
