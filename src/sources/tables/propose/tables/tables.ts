import type { Reading } from '../../../table-source.ts';
import { columnsNamed } from '../aliases.ts';
import { count, type Draft, textsIn } from '../columns.ts';
import { decide } from '../decision.ts';
import { type Candidate, type EvidenceName, explained } from '../evidence.ts';
import type { TableFacts } from '../graph/facts.ts';
import type { Graph } from '../graph/graph.ts';
import { sharedFile, type TableGroup } from '../graph/groups.ts';
import { namesIn, proposeQueries } from './message-queries.ts';
import { proposeUnions } from './message-unions.ts';
import { isLikeMessages, isOfRoom, messageCandidates, textColumns } from '../graph/roles.ts';
import type { Place } from './deletions.ts';

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
  const isCertain = best !== undefined && (best.points >= rivalPoints || isWholeMessage(best)) && rivals.length === 0;
  const place = { graph, groups, draft };
  if (isCertain && describeElement(best.value, groups) !== undefined) {
    const queries = proposeQueries(best.value, place);
    const [query] = queries;
    const sole = query?.isEvident && queries.length === 1 ? query : undefined;
    const hasText = textColumns(best.value).length > 0;
    const asTheyAre = hasText || queries.length === 0 ? offerReadings(best.value, groups, 'the rows as they are') : [];
    draft.choose('tables.messages', {
      ...(sole || (queries.length === 0 && hasText)
        ? { value: describeElement(best.value, groups), because: describeColumns(best.value), ...sole }
        : {
            because: hasText
              ? `other tables say more of the rows of "${best.value.name}"`
              : `"${best.value.name}" has people and times, and no texts`,
            alternatives: [...queries, ...asTheyAre],
          }),
      isRequired: true,
      explained: [...explainRanks(ranked), `${decide(ranked).margin} ahead of the next`],
    });
    return hasText ? best.value : undefined;
  }
  const bound = boundTable(groups, draft);
  if (bound) {
    choose('messages', bound, groups, draft);
    return bound;
  }
  askForMessages(ranked, rivals, place);
  return undefined;
}

/** So many tables are offered one by one: a list fits a screen. */
const offeredMax = 6;

/** Several tables may hold the messages, or none does for certain. */
function askForMessages(
  ranked: readonly Candidate<TableGroup>[],
  rivals: readonly Candidate<TableGroup>[],
  place: Place,
): void {
  const { groups, draft } = place;
  const [best] = ranked;
  const candidates = best && rivals.length > 0 ? [best, ...rivals] : ranked;
  const offered = candidates.length > 0 ? candidates.map(({ value }) => value) : withTextsFirst(groups);
  const alike = best && rivals.length > 0 ? offerBoth(best.value, offered.slice(1), groups) : [];
  const more = offered.length - offeredMax;
  // A conversation's own row may be its first message.
  const isRoom = (table: TableFacts) => place.graph.best(best!.value).some(({ to }) => to === table);
  const isAhead = rivals.every(
    ({ value, points }) => points < best!.points && !isRoom(value) && !isLikeMessages(value, place.graph),
  );
  draft.choose('tables.messages', {
    because:
      (ranked.length > 1
        ? `${ranked.length} tables have texts and times`
        : 'no table is for certain that of messages') +
      (more > 0 ? `; ${count(more)} more tables may be typed: ${nameTables(offered.slice(offeredMax))}` : ''),
    alternatives: [
      ...offered.slice(0, offeredMax).flatMap((table, index) => {
        const queries = proposeQueries(table, place);
        const isMissing = queries.length > 0 && textColumns(table).length === 0;
        const unions = index === 0 && alike.length === 0 ? proposeUnions(candidates, place) : [];
        const alone = isMissing ? [] : offerReadings(table, groups);
        return [...queries, ...(isAhead ? [...alone, ...unions] : [...unions, ...alone])];
      }),
      ...alike,
    ],
    isRequired: true,
    explained: explainRanks(ranked),
  });
}

/** Tables with texts first, and the larger before the smaller. */
export const withTextsFirst = (groups: readonly TableGroup[]): readonly TableGroup[] => {
  const size = (table: TableGroup) => table.sample.rows.length + (textColumns(table).length > 0 ? 1e6 : 0);
  return [...groups].sort((a, b) => size(b) - size(a));
};

const namedMax = 12;

/** Names of tables, as many as a line holds. */
function nameTables(tables: readonly TableGroup[]): string {
  const more = tables.length > namedMax ? `, … (${count(tables.length - namedMax)} more)` : '';
  return `${tables
    .slice(0, namedMax)
    .map(({ name }) => name)
    .join(', ')}${more}`;
}

const explainRanks = (ranked: readonly Candidate<TableGroup>[]): readonly string[] =>
  ranked.map((one) => `${one.points}  ${one.value.name}: ${explained(one)}`);

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
  const rooms = graph.best(best.value).map(({ to }) => to);
  if (rooms.some((room) => isOfRoom(one.value, room, graph))) return false;
  if (rooms.includes(one.value)) {
    const texts = columnsNamed(namesIn(one.value), 'text body message content msg question description');
    if (texts.length === 0) return false;
    if (texts.some((name) => !/description/i.test(name)) && has('hasText') && has('hasTime')) return true;
  }
  if (isAlike(one.value, best.value) || isLikeMessages(one.value, graph)) return true;
  const isWhole = has('hasText') && has('hasTime') && (has('hasAuthor') || !best.evidence.includes('hasAuthor'));
  return isWhole && (one.points >= best.points - 1 || (one.points >= rivalPoints && !has('namedOtherThan')));
}

/** Returns whether two tables have the same columns, such as an archive, notes or drafts next to the messages. */
const isAlike = (one: TableFacts, other: TableFacts): boolean =>
  namesIn(one).length > 3 && JSON.stringify(namesIn(one)) === JSON.stringify(namesIn(other));

/** A text, a time, a person and a place: whatever it is called. */
const isWholeMessage = ({ evidence }: Candidate<unknown>): boolean =>
  (['hasText', 'hasTime', 'hasAuthor', 'hasPlace'] as const).every((name) => evidence.includes(name));

/** Returns one reading for files of one pattern, or one for each file if the pattern would match other files. */
function offerReadings(table: TableGroup, groups: readonly TableGroup[], because = describeColumns(table)) {
  const value = describeElement(table, groups);
  const each = table.paths.map((path) => ({ ...fileOf(table), file: path }));
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
  edge: { readonly to: TableFacts; readonly name: string } | undefined,
  groups: readonly TableGroup[],
  draft: Draft,
): TableGroup | undefined {
  const decided = decidedTable(kind, groups, draft);
  if (decided !== undefined || draft.at(`tables.${kind}`) !== undefined || !edge) return decided;
  const table = edge.to as TableGroup;
  choose(kind, table, groups, draft, `"${edge.name}" of the messages names its rows`);
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

export const fileOf = ({ sample }: TableFacts) => ({ file: sample.path, ...sample.table });

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
