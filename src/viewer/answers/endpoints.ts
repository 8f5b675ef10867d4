import type { ListedGroup, Overview, Summary } from '../../sandbox/overview.ts';
import { buildExcerpts } from './excerpts.ts';
import { messagePage, repliesTo } from './messages.ts';
import type {
  Comparison,
  ConversationDetails,
  ConversationPage,
  ConversationRow,
  GroupRow,
  GroupsPage,
  PeoplePage,
  Place,
  RunState,
  SearchPage,
  ViewerState,
} from '../shapes.ts';

export interface Shown {
  /** Undefined if the messages are not on this machine, or not yet. */
  readonly overview: () => Overview | undefined;
  /** The import that is shown, if there is one. */
  readonly run?: (() => RunState) | undefined;
  /** The muid of the message that was made of the row at a place of the export. */
  readonly muidAt?: ((place: string) => string | undefined) | undefined;
  /** The row of the export that a message was made of. */
  readonly before?: ((muid: string) => Promise<Comparison['before']>) | undefined;
}

/** Answers a request; returns undefined if nothing has that name. */
type Endpoint = (overview: Overview, search: URLSearchParams, shown: Shown) => unknown;

/** By the last part of the path: `/viewer/data/conversations`. */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  conversations: (overview, search): ConversationPage => {
    const { rows, next } = overview.summaries.list({
      search: searchText(search, 'search'),
      kind: parseKind(search.get('kind')),
      of: search.get('as') || undefined,
      after: searchText(search, 'after'),
      count: parseCount(search, 'count', 50, 200),
    });
    const shown = conversationRows(overview, rows);
    const people = overview.persons.named(shown.map(({ lastSender }) => lastSender));
    return { rows: shown, next, people, totals: overview.summaries.totals() };
  },
  conversation: (overview, search) => {
    const summary = findSummary(overview, search);
    return summary && buildDetails(overview, summary);
  },
  messages: (overview, search) => {
    const summary = findSummary(overview, search);
    if (!summary) return undefined;
    const count = parseCount(search, 'count', 60, 200);
    const from = search.has('from') ? parseCount(search, 'from', 0, summary.count) : Math.max(0, summary.count - count);
    return messagePage(overview, summary, from, count);
  },
  place: findPlace,
  /** The same for text that may not be a key: it has an answer even if nothing is found. */
  lookup: (overview, search, shown) => ({ place: findPlace(overview, search, shown) ?? null }),
  replies: (overview, search) => {
    const row = overview.history.find(searchText(search, 'message'));
    return row && repliesTo(overview, row);
  },
  search: (overview, search): SearchPage => {
    const text = searchText(search, 'text').trim();
    const before = parseCount(search, 'before', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    const within = findSummary(overview, search);
    if (text === '') return { hits: [], next: null, people: {} };
    const { ids, next } = overview.search({ text, conversation: within?.number, before, count: 30 });
    const hits = buildExcerpts(overview, overview.history.byIds(ids).reverse()).map((excerpt) => ({
      ...excerpt,
      title: overview.summaries.named(excerpt.conversation)?.title ?? '',
    }));
    const people = overview.persons.named(hits.map(({ sender }) => sender));
    return { hits, next: next === null ? null : String(next), people };
  },
  people: (overview, search): PeoplePage =>
    overview.persons.list(
      searchText(search, 'search'),
      searchText(search, 'after'),
      parseCount(search, 'count', 50, 200),
    ),
  groups: (overview, search): GroupsPage => {
    const { rows, next } = overview.groups.list({
      search: searchText(search, 'search').trim(),
      of: search.get('as') || undefined,
      after: searchText(search, 'after'),
      count: parseCount(search, 'count', 50, 200),
    });
    return { rows: rows.map(groupRow), next };
  },
  message: async (overview, search, { before }): Promise<Comparison | undefined> => {
    const row = overview.history.find(searchText(search, 'message'));
    if (!row) return undefined;
    const made = row.muid === null || !before ? null : await before(row.muid);
    return { stored: overview.answered([row])[0]!, before: made };
  },
};

export function buildState({ overview, run }: Shown): ViewerState {
  const found = overview();
  return {
    newest: String(found?.summaries.newest ?? 0),
    totals: found?.summaries.totals() ?? null,
    run: run?.() ?? null,
  };
}

function findPlace(overview: Overview, search: URLSearchParams, { muidAt }: Shown): Place | undefined {
  const summary = findSummary(overview, search);
  const id = summary && search.has('seconds') ? overview.history.atTime(summary, parseSeconds(search)) : undefined;
  const row =
    id === undefined ? findMessage(overview, searchText(search, 'message'), muidAt) : overview.history.byIds([id])[0];
  const number = row && overview.history.conversationNumber(row.id);
  if (!row || number === undefined) return undefined;
  const position = overview.history.countBefore(number, row.id);
  return { conversation: row.conversationId, id: String(row.id), position };
}

/** Finds a message by muid, by id, or by the location of its row in the export. */
function findMessage({ history }: Overview, key: string, muidAt: Shown['muidAt']) {
  const found = history.find(key);
  // To look a place up takes the store a while.
  if (found || !/:\d{1,15}$|#\//.test(key)) return found;
  const muid = muidAt?.(key);
  return muid === undefined ? undefined : history.find(muid);
}

const findSummary = ({ summaries }: Overview, search: URLSearchParams): Summary | undefined =>
  summaries.named(searchText(search, 'conversation'));

function conversationRows(overview: Overview, rows: readonly Summary[]): ConversationRow[] {
  const found = overview.history.byIds(rows.map(({ lastId }) => lastId));
  const lasts = new Map(buildExcerpts(overview, found).map((excerpt) => [excerpt.id, excerpt]));
  return rows.map(({ name, sides, title, count, lastAt, lastId }) => {
    const last = lasts.get(String(lastId));
    return {
      id: name,
      kind: sides.startsWith('#') ? 'group' : 'user',
      title,
      count,
      lastAt,
      lastText: last?.text ?? '',
      lastSender: last?.isSaid ? last.sender : '',
    };
  });
}

const groupRow = ({ guid, group, ...written }: ListedGroup): GroupRow => ({
  guid,
  name: String(group.name ?? guid),
  access: String(group.type ?? 'public'),
  description: String(group.description ?? ''),
  members: group.membersCount,
  ...written,
});

function buildDetails(overview: Overview, summary: Summary): ConversationDetails {
  const [row] = conversationRows(overview, [summary]);
  const firstAt = overview.history.byIds([summary.firstId])[0]?.sentAt ?? summary.lastAt;
  if (row!.kind === 'group') {
    const guid = summary.sides.slice(1);
    const { description, type } = overview.groups.find(guid) ?? {};
    return {
      ...row!,
      firstAt,
      ...(description !== undefined && { description: String(description) }),
      ...(type !== undefined && { access: String(type) }),
      ...overview.persons.listMembers(guid),
    };
  }
  const uids = [...new Set(summary.sides.split(' '))];
  const known = overview.persons.named(uids);
  const members = uids.map((uid) => ({ uid, name: uid, ...known[uid], scope: 'participant' }));
  return { ...row!, firstAt, members, memberCount: members.length };
}

/** Longer ones are cut: nothing is called so. */
const searchText = (search: URLSearchParams, name: string): string => (search.get(name) ?? '').slice(0, 1_000);

const parseKind = (kind: string | null) => (kind === 'group' || kind === 'user' ? kind : undefined);

/** Returns a whole number from 0 to `max`; the default if there is none. */
function parseCount(search: URLSearchParams, name: string, otherwise: number, max: number): number {
  const given = search.get(name) ?? '';
  return /^\d{1,16}$/.test(given) ? Math.min(Number(given), max) : otherwise;
}

function parseSeconds(search: URLSearchParams): number {
  const given = search.get('seconds') ?? '';
  return /^-?\d{1,12}$/.test(given) ? Number(given) : 0;
}
