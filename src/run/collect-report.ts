import { differingChecks } from '../checkpoint/conversation-checks.ts';
import { lastRun, type RunRow, runById } from '../checkpoint/runs.ts';
import {
  conversationRows,
  countSubSecondTimes,
  differenceRows,
  fileRoles,
  peopleCounts,
  personNames,
  problemGroups,
} from '../checkpoint/report-rows.ts';
import { countOrphanReplies, eachMessage, messagePlace } from '../checkpoint/message-facts.ts';
import { readMeta } from '../checkpoint/meta.ts';
import type { Store } from '../checkpoint/store.ts';
import { basename } from 'node:path';
import type { Facts } from '../mapping/facts.ts';
import { defaultRules, type Rules } from '../mapping/rules.ts';
import type { ReportData, ReportGroup } from '../report/report-data.ts';
import type { Profile } from '../service/profiles.ts';
import { version } from '../lib/version.ts';
import { explain } from './explanations.ts';
import { lossOf } from './losses.ts';
import { type CodeCount, Tally } from './tally.ts';

export interface CollectOptions {
  readonly command: string;
  readonly nowMs: number;
  /** Whose books to show; none before anything was planned for one. */
  readonly destination: { readonly id: number; readonly name: string; readonly profile: Profile } | undefined;
  readonly elapsedMs: number | null;
  /** The run to speak of; the destination's latest without it. */
  readonly run?: number;
  /** The messages added up, where that was done already and nothing changed since. */
  readonly tally?: Tally | undefined;
}

/** Examples of each problem; those of rejects and refusals are chosen by `Tally`. */
const examplesMax = 3;
const conversationsMax = 500;
const authorsMax = 20;
const differencesMax = 50;
const differingMax = 50;

/** Everything that a report shows, read from the store. Holds counts per conversation, person and code in memory. */
export function collectReport(store: Store, options: CollectOptions): ReportData {
  const { db } = store;
  const destination = options.destination?.id ?? null;
  const run = options.run === undefined ? lastRun(db, destination) : runById(db, options.run);
  const tally = options.tally ?? tallyOf(store, destination);
  const { books } = tally;
  const placeOf = messagePlace(db, destination);
  const toGroups = (groups: ReadonlyMap<string, CodeCount>): ReportGroup[] =>
    [...groups.entries()]
      .sort(([, a], [, b]) => b.count - a.count)
      .map(([code, { count, examples }]) => ({
        code,
        explanation: explain(code),
        count,
        examples: examples.map(placeOf),
      }));
  const requestsLeft = Math.ceil(books.pending / (options.destination?.profile.batchItemsMax ?? 50));
  const ratePerMinute = options.destination?.profile.importsPerMinute ?? null;

  return {
    version: 1,
    generatedAtMs: options.nowMs,
    chatferryVersion: version,
    command: options.command,
    runId: run ? `r${run.id}` : null,
    exports: parseJson<string[]>(readMeta(db, 'exports')) ?? [],
    source: readMeta(db, 'source') ?? '',
    workspace: readMeta(db, 'workspace') ?? '',
    store: basename(store.path),
    destination: options.destination
      ? { name: options.destination.name, profile: options.destination.profile.name }
      : null,
    books,
    skipped: toGroups(tally.skipped),
    rejected: toGroups(tally.rejected),
    refused: toGroups(tally.refused),
    problems: problemGroups(db, examplesMax).map((group) => ({ ...group, explanation: explain(group.code) })),
    losses: lossesOf(tally, store),
    files: fileRoles(db),
    people: peopleCounts(db),
    ...conversationsOf(tally, store),
    months: [...tally.months.entries()].sort().map(([month, count]) => ({ month, count })),
    kinds: [...tally.planned.entries()].map(([kind, count]) => ({ kind: factNames[kind] ?? kind, count })),
    contents: contentsOf(tally, store),
    authors: authorsOf(tally, store),
    forecast: {
      requests: requestsLeft,
      bytes: tally.pendingBytes,
      minutes: ratePerMinute === null ? null : requestsLeft / ratePerMinute,
      ratePerMinute,
    },
    requests: parseJson<ReportData['requests']>(run?.requests) ?? { import: 0, list: 0, retried: 0, rateLimited: 0 },
    elapsedMs: options.elapsedMs ?? elapsedOf(run),
    verify: parseJson<ReportData['verify']>(run?.verify) ?? null,
    differingConversations: destination === null ? [] : differingConversations(store, destination),
    differences: destination === null ? [] : differenceRows(db, destination, differencesMax),
    stopped: parseJson<ReportData['stopped']>(run?.stopped) ?? null,
  };
}

/** One pass over every message of the store. */
export function tallyOf({ db }: Store, destination: number | null): Tally {
  const tally = new Tally();
  eachMessage(db, destination, (row) => tally.add(row));
  return tally;
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
};

function contentsOf(tally: Tally, { db }: Store): ReportData['contents'] {
  const contents = [...tally.read.entries()].map(([name, read]) => ({
    name: factNames[name] ?? name,
    read,
    planned: tally.planned.get(name) ?? 0,
  }));
  const orphans = countOrphanReplies(db);
  if (orphans.read > 0) contents.push({ name: 'replies without their root', ...orphans });
  return contents.sort((a, b) => b.read - a.read);
}

function lossesOf(tally: Tally, { db }: Store): ReportData['losses'] {
  const rules = parseJson<Rules>(readMeta(db, 'rules')) ?? defaultRules;
  const losses = [...tally.planned.entries()].flatMap(([fact, count]) => {
    const loss = lossOf(fact as keyof Facts, rules);
    return loss ? [{ ...loss, count }] : [];
  });
  const silent = Number(readMeta(db, 'silentMembers') ?? 0);
  if (silent > 0) {
    losses.push({
      name: 'silent members',
      count: silent,
      what: 'memberships of people who never wrote in the group',
      becomes:
        'not carried over: the service has no operation here that adds members, so the group may stay invisible to them',
    });
  }
  const subSecond = countSubSecondTimes(db);
  if (subSecond > 0) {
    losses.push({
      name: 'parts of a second',
      count: subSecond,
      what: 'messages whose time is finer than a second',
      becomes: 'cut to whole seconds; their order is kept by sending them in order',
    });
  }
  return losses.sort((a, b) => b.count - a.count);
}

function conversationsOf(tally: Tally, { db }: Store): Pick<ReportData, 'conversationCount' | 'conversations'> {
  const largest = [...tally.conversations.entries()].sort(([, a], [, b]) => b.planned - a.planned || b.read - a.read);
  const rowOf = conversationRows(db);
  return {
    conversationCount: largest.length,
    conversations: largest.slice(0, conversationsMax).map(([id, counts]) => ({ ...rowOf(id), ...counts })),
  };
}

function differingConversations({ db }: Store, destination: number): ReportData['differingConversations'] {
  const rowOf = conversationRows(db);
  return differingChecks(db, destination, differingMax).map(({ conversation, readAtMs: _, ...counts }) => {
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
