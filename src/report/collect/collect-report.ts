import { listHosts } from '../../checkpoint/staging/attachments.ts';
import { type CheckScope, differingChecks } from '../../checkpoint/repair/verify-results.ts';
import { severities } from '../../mapping/checks/check.ts';
import { lastRun, type RunRow, runById } from '../../checkpoint/base/runs.ts';
import {
  conversationRows,
  differenceRows,
  fileRoles,
  peopleCounts,
  personNames,
  problemGroups,
  storeBytes,
} from '../../checkpoint/reports/report-rows.ts';
import { eachMessage, messagePlace } from '../../checkpoint/base/message-facts.ts';
import { countFollowUps } from '../../checkpoint/staging/follow-ups.ts';
import { countOrphanReplies } from '../../checkpoint/staging/odd-replies.ts';
import { readMeta } from '../../checkpoint/base/meta.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import { statfsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { defaultRules, type Rules } from '../../mapping/rules/rules.ts';
import type { ReportData, ReportGroup } from '../report-data.ts';
import type { Profile } from '../../service/profiles.ts';
import { version } from '../../lib/version.ts';
import { explain } from './explanations.ts';
import { actionsOf, driftOf } from './after-messages.ts';
import { forecastOf } from './forecast.ts';
import { countLosses, lossesOf } from './losses/count-losses.ts';
import { readChanges, readPins } from '../../checkpoint/staging/pins.ts';
import { type CodeCount, Tally } from './tally.ts';

export interface CollectOptions {
  readonly command: string;
  readonly nowMs: number;
  /** Whose books to show; none before anything was planned for one. Without an id where nothing was sent to it yet. */
  readonly destination: { readonly id: number | null; readonly name: string; readonly profile: Profile } | undefined;
  readonly elapsedMs: number | null;
  /** The run to speak of; the destination's latest without it. */
  readonly run?: number;
  /** Whose differences to name: of whole conversations, or of what this verification's filter found. */
  readonly checks?: CheckScope;
  /** The messages added up, where that was done already and nothing changed since. */
  readonly tally?: Tally | undefined;
}

/** Examples of each problem; those of rejects and refusals are chosen by `Tally`. */
const examplesMax = 3;
const conversationsMax = 500;
const authorsMax = 20;
const differencesMax = 50;
const hostsMax = 50;
const differingMax = 50;

/** Everything that a report shows, read from the store. Holds counts per conversation, person and code in memory. */
export function collectReport(store: Store, options: CollectOptions): ReportData {
  const { db } = store;
  const destination = options.destination?.id ?? null;
  const run = options.run === undefined ? lastRun(db, destination) : runById(db, options.run);
  const verify = parseJson<ReportData['verify']>(run?.verify) ?? null;
  const tally = options.tally ?? tallyOf(store, destination);
  const { books } = tally;
  const followUps = countFollowUps(db, destination);
  const placeOf = messagePlace(db, destination);
  const orphans = countOrphanReplies(db);
  const problems = problemGroups(db, examplesMax);
  const toGroups = (groups: ReadonlyMap<string, CodeCount>, severity: ReportGroup['severity']): ReportGroup[] =>
    [...groups.entries()]
      .sort(([, a], [, b]) => b.count - a.count)
      .map(([code, { count, examples }]) => ({
        code,
        ...described(code, severity),
        count,
        examples: examples.map(placeOf),
      }));

  return {
    ...headOf(store, options, run?.id),
    books,
    skipped: toGroups(tally.skipped, 'information'),
    rejected: toGroups(tally.rejected, 'blocks'),
    refused: toGroups(tally.refused, 'blocks'),
    problems: problems
      .map((group) => ({ ...group, ...described(group.code, 'information') }))
      .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || b.count - a.count),
    losses: lossesOf(
      countLosses(store, tally, {
        orphans: orphans.planned,
        found: new Map(problems.map(({ code, count }) => [code, count])),
      }),
      parseJson<Rules>(readMeta(db, 'rules')) ?? defaultRules,
    ),
    files: fileRoles(db),
    people: peopleCounts(db),
    ...conversationsOf(tally, store),
    months: [...tally.months.entries()].sort().map(([month, count]) => ({ month, count })),
    kinds: [...tally.planned.entries()].map(([kind, count]) => ({ kind: factNames[kind] ?? kind, count })),
    contents: contentsOf(tally, orphans),
    authors: authorsOf(tally, store),
    ...hostsOf(store),
    pins: readPins(db) ?? null,
    changedSince: readChanges(db),
    forecast: forecastNow(store, tally, followUps, options),
    ...driftOf(db, destination),
    ...actionsOf(store, destination, options.destination?.profile),
    requests: parseJson<ReportData['requests']>(run?.requests) ?? { import: 0, list: 0, retried: 0, rateLimited: 0 },
    elapsedMs: options.elapsedMs ?? elapsedOf(run),
    verify,
    differingConversations: differingConversations(store, destination, verify, options.checks),
    differences: destination === null ? [] : [...differenceRows(db, destination, differencesMax)],
    stopped: parseJson<ReportData['stopped']>(run?.stopped) ?? null,
  };
}

/** What was done, with what, and where. @param run Its number; undefined where there was none. */
const headOf = (store: Store, options: CollectOptions, run: number | undefined) =>
  ({
    version: 1,
    generatedAtMs: options.nowMs,
    chatferryVersion: version,
    command: options.command,
    runId: run === undefined ? null : `r${run}`,
    exports: parseJson<string[]>(readMeta(store.db, 'exports')) ?? [],
    source: readMeta(store.db, 'source') ?? '',
    workspace: readMeta(store.db, 'workspace') ?? '',
    store: basename(store.path),
    destination: options.destination
      ? { name: options.destination.name, profile: options.destination.profile.name }
      : null,
  }) satisfies Partial<ReportData>;

/** What sending the rest will take. */
const forecastNow = (
  store: Store,
  tally: Tally,
  followUps: ReturnType<typeof countFollowUps>,
  options: CollectOptions,
) =>
  forecastOf({
    pending: tally.books.pending + followUps.pending,
    payloadBytes: tally.pendingBytes + followUps.pendingBytes,
    conversations: [...tally.conversations.values()].filter(({ pending }) => pending > 0).length,
    profile: options.destination?.profile,
    nowMs: options.nowMs,
    ...storeSize(store),
  });

function described(code: string, severity: ReportGroup['severity']) {
  const { title, explanation, remedy, severity: own = severity } = explain(code);
  return { severity: own, title, explanation, remedy };
}

/** One pass over every message of the store. */
export function tallyOf({ db }: Store, destination: number | null): Tally {
  const tally = new Tally();
  eachMessage(db, destination, (row) => tally.add(row));
  return tally;
}

function hostsOf({ db }: Store): Pick<ReportData, 'attachmentHostCount' | 'attachmentHosts'> {
  const { hosts, hostCount } = listHosts(db, hostsMax);
  return { attachmentHostCount: hostCount, attachmentHosts: hosts };
}

const storeSize = ({ db, path }: Store) => ({ storeBytes: storeBytes(db), freeBytes: freeBytesOf(path) });

function freeBytesOf(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    // A file system that does not say.
    return null;
  }
}

const elapsedOf = (run: RunRow | undefined) => (run?.ended_at ? run.ended_at - run.started_at : null);

function parseJson<T>(text: string | null | undefined): T | undefined {
  return text === null || text === undefined ? undefined : (JSON.parse(text) as T);
}

const factNames: Readonly<Record<string, string>> = {
  attachments: 'files',
  filesWithoutAddress: 'files without an address',
  reactions: 'reactions',
  replies: 'thread replies',
  broadcasts: 'replies shown in the conversation',
  edited: 'edited messages',
  deleted: 'deleted messages',
  pinned: 'pinned messages',
  mentions: 'mentions',
  quotes: 'quotes',
  bot: 'bot messages',
  system: 'system messages',
  calls: 'calls',
  customEmoji: 'reactions with custom emoji',
  custom: 'messages with platform facts',
  truncated: 'cut texts',
  split: 'split texts',
  rootQuotes: 'replies that quote their root',
  rootsMissing: 'replies whose root is not known',
  trimmed: 'messages with less metadata',
};

function contentsOf(tally: Tally, orphans: { read: number; planned: number }): ReportData['contents'] {
  const { read: found, planned } = tally;
  const contents = [...found].map(([name, read]) => ({
    name: factNames[name] ?? name,
    read,
    planned: planned.get(name) ?? 0,
  }));
  if (orphans.read > 0) contents.push({ name: 'replies without their root', ...orphans });
  return contents.sort((a, b) => b.read - a.read);
}

function conversationsOf(
  tally: Tally,
  store: Store,
): Pick<ReportData, 'conversationCount' | 'plannedConversationCount' | 'conversations'> {
  const conversations = [...listConversations(tally, store, conversationsMax)];
  const plannedConversationCount = [...tally.conversations.values()].filter(({ planned }) => planned > 0).length;
  return { conversationCount: tally.conversations.size, plannedConversationCount, conversations };
}

/** Conversations with their counts, most planned messages first; all of them, or the first. */
export function* listConversations(
  tally: Tally,
  { db }: Store,
  max?: number,
): Generator<ReportData['conversations'][number]> {
  const largest = [...tally.conversations.entries()].sort(([, a], [, b]) => b.planned - a.planned || b.read - a.read);
  const rowOf = conversationRows(db);
  for (const [id, counts] of largest.slice(0, max)) yield { ...rowOf(id), ...counts };
}

/** What stands written down of whole conversations is older than a verification of some messages, and not its result. */
function differingConversations(
  { db }: Store,
  destination: number | null,
  verify: ReportData['verify'],
  scope: CheckScope = 'whole',
): ReportData['differingConversations'] {
  const isOfOthers = scope === 'whole' && (verify?.only !== undefined || verify?.sample !== undefined);
  if (destination === null || isOfOthers) return [];
  const rowOf = conversationRows(db);
  return differingChecks(db, destination, scope, differingMax).map(({ conversation, readAtMs: _, ...counts }) => {
    const { id, name } = rowOf(conversation);
    return { id, name, ...counts };
  });
}

function authorsOf(tally: Tally, { db }: Store): ReportData['authors'] {
  const nameOf = personNames(db);
  return [...tally.authors.entries()]
    .sort(([, a], [, b]) => b - a)
    .slice(0, authorsMax)
    .map(([id, count]) => ({ ...nameOf(id), count }));
}
