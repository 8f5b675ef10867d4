import type { CheckScope } from '../store/checks.ts';
import type { RunRow } from '../store/runs.ts';
import type { Store } from '../store/open.ts';
import { keptFromMs, type MessageLimits, type Profile } from '../service/profiles.ts';
import { severities } from '../model/severity.ts';
import { statfsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { defaultRules, type Rules } from '../mapping/rules.ts';
import type { ReadRow, ReportData, ReportGroup } from './report-data.ts';
import { version } from '../lib/version.ts';
import { explain, inShort } from './collect/explanations.ts';
import { collectActions, collectDrift } from './collect/after-messages.ts';
import { type ArrivalFigures, collectArrivals } from './collect-arrivals.ts';
import type { Decision } from '../decisions/decision.ts';
import { collectDecisions } from './collect/decisions.ts';
import { endsAt, buildForecast } from './collect/forecast.ts';
import { countLosses, listLosses } from './collect/losses/count-losses.ts';
import { describeReading } from '../decisions/reading.ts';
import { collectAnswers, readGiven } from './decision-log.ts';
import { type MediaFigures, type MediaPlan, mediaFigures, onlyFilesCode } from './collect/media-figures.ts';
import { oldMessages } from './collect/old-messages.ts';
import { addUpMessages, type CodeCount, type Tally } from './tally.ts';

export interface CollectOptions {
  readonly command: string;
  readonly nowMs: number;
  /** Destination whose totals to show; none before anything was planned for one. Without an id if nothing was sent to it yet. */
  readonly destination: { readonly id: number | null; readonly name: string; readonly profile: Profile } | undefined;
  readonly elapsedMs: number | null;
  /** For tables: rows that this run has read. */
  readonly rowsRead?: readonly ReadRow[];
  /** The run to speak of; the destination's latest without it. */
  readonly run?: number;
  /** Whose differences to name: of whole conversations, or of what this verification's filter found. */
  readonly checks?: CheckScope;
  /** The messages added up, if that was done already and nothing changed since. */
  readonly tally?: Tally | undefined;
  /** Location to which files are to be copied. Default: the last one. */
  readonly media?: MediaPlan | undefined;
}

/** Examples of each problem; those of invalid rows and failed messages are chosen by `Tally`. */
const examplesMax = 3;
const conversationsMax = 500;
const authorsMax = 20;
const differencesMax = 50;
const hostsMax = 50;
const differingMax = 50;

/** Everything that a report shows, read from the store. Holds counts per conversation, person and code in memory. */
export function collectReport(store: Store, options: CollectOptions): ReportData {
  const { nowMs } = options;
  const id = options.destination?.id ?? null;
  const { name, profile } = options.destination ?? {};
  const run = options.run === undefined ? store.runs.latestAt(id) : store.runs.find(options.run);
  const tally = options.tally ?? addUpMessages(store, id);
  const orphans = store.messages.countOrphanReplies();
  const verify = parseJson<ReportData['verify']>(run?.verify) ?? null;
  const media = mediaFigures(store, tally, options);
  const arrivals = collectArrivals(store, id, profile);
  const left = { ...leftToSend(store, id, tally), arrivals: arrivals?.left, groups: arrivals?.groupsLeft };
  const forecast = buildForecast({ ...left, profile, nowMs, ...storeSize(store) });
  const soonTooOld = aging(store, id, forecast, profile);
  const counted = { orphans, media, arrivals, aging: soonTooOld, limits: profile?.limits ?? {} };
  const totals = collectTotals(store, id, tally, counted);
  return {
    version: 1,
    generatedAtMs: nowMs,
    chatferryVersion: version,
    command: options.command,
    runId: run ? `r${run.id}` : null,
    exports: parseJson<string[]>(store.facts.read('exports')) ?? [],
    source: store.facts.read('source') ?? '',
    workspace: store.facts.read('workspace') ?? '',
    store: basename(store.path),
    destination: name !== undefined && profile ? { name, profile: profile.name } : null,
    ...(media && { media: media.data }),
    ...totals,
    ...withDecisions(
      totals,
      collectDecisions(store, { ...totals, arrivals: arrivals?.data }, tally, readGiven(store.path)),
    ),
    ...collectAnswers(store, totals.totals),
    ...(options.destination && { oldMessages: oldMessages(store, tally, options.destination, nowMs) }),
    ...collectReading(store),
    ...(options.rowsRead && options.rowsRead.length > 0 && { rowsRead: [...options.rowsRead] }),
    files: store.totals.fileRoles(),
    ignored: store.totals.ignoredFiles(),
    people: store.totals.countPeople(),
    conversationCount: tally.conversationCount,
    plannedConversationCount: tally.conversations.size,
    conversations: store.totals.computeOnce(`largest conversations at ${id}`, () => [
      ...store.totals.largestConversations(id, conversationsMax),
    ]),
    ...collectContent(tally, store, orphans),
    pins: store.files.pins() ?? null,
    changedSince: store.files.pinChanges(),
    forecast,
    ...collectDrift(store, id),
    ...(arrivals && { arrivals: arrivals.data }),
    ...collectActions(store, id, profile),
    requests: parseJson<ReportData['requests']>(run?.requests) ?? { import: 0, list: 0, retried: 0, rateLimited: 0 },
    elapsedMs: options.elapsedMs ?? runDurationMs(run),
    verify,
    ...collectUnverified(store, id),
    differingConversations: differingConversations(store, id, verify, options.checks),
    differences: id === null ? [] : [...store.totals.differenceRows(id).take(differencesMax)],
    stopped: parseJson<ReportData['stopped']>(run?.stopped) ?? null,
  };
}

function collectReading(store: Store): Pick<ReportData, 'reading'> {
  const described = describeReading(store);
  if (described === undefined) return {};
  const { digest, state, by, at, stops, news, picture } = described;
  const lines = picture.map(([heading, text]): [string, string] => [heading, text]);
  return { reading: { digest, state, by, at, stops: [...stops], news: [...news], picture: lines } };
}

/** A finding about which nothing can be decided in an export of this source is something to know. */
function withDecisions(
  { problems }: Pick<ReportData, 'problems'>,
  decisions: readonly Decision[],
): Pick<ReportData, 'problems' | 'decisions'> {
  const ids = new Set(decisions.map(({ id }) => id));
  const isKnown = ({ code, severity }: ReportGroup) => severity !== 'decision' || ids.has(code);
  return {
    problems: problems.map((group) => (isKnown(group) ? group : { ...group, severity: 'information' })),
    decisions,
  };
}

function collectUnverified(store: Store, destination: number | null): Pick<ReportData, 'unverified'> {
  const unverified = destination === null ? undefined : store.checks.unverified(destination);
  return unverified ? { unverified: { ...unverified } } : {};
}

function collectTotals(
  store: Store,
  destination: number | null,
  tally: Tally,
  {
    orphans,
    media,
    arrivals,
    aging,
    limits,
  }: {
    readonly orphans: ReturnType<Store['messages']['countOrphanReplies']>;
    readonly media: MediaFigures | undefined;
    readonly arrivals: ArrivalFigures | undefined;
    readonly aging: readonly ProblemGroup[];
    readonly limits: MessageLimits;
  },
): Pick<ReportData, 'totals' | 'skipped' | 'invalid' | 'failed' | 'problems' | 'losses'> {
  const placeOf = (seq: number) => store.totals.messagePlace(destination, seq);
  const toGroups = (groups: ReadonlyMap<string, CodeCount>, severity: ReportGroup['severity']): ReportGroup[] =>
    [...groups.entries()]
      .sort(([, a], [, b]) => b.count - a.count)
      .map(([code, { count, examples }]) => ({
        code,
        ...described(code, severity),
        ...(severity === 'blocks' && { inShort: inShort(code, limits) }),
        count,
        examples: examples.map(placeOf),
      }));
  const problems = openProblems(store, media);
  const counts = countLosses(store, destination, tally, {
    orphans: orphans.planned,
    found: new Map(problems.map(({ code, count }) => [code, count])),
    media: media?.attached,
    arrivals: arrivals?.lost,
  });
  return {
    totals: { ...tally.totals },
    skipped: toGroups(tally.skipped, 'information'),
    invalid: toGroups(tally.invalid, 'blocks'),
    failed: toGroups(tally.failed, 'blocks'),
    problems: [...problems, ...aging]
      .map((group) => ({ ...group, ...described(group.code, 'information') }))
      .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || b.count - a.count),
    losses: listLosses(counts, parseJson<Rules>(store.facts.read('rules')) ?? defaultRules(), {
      tally,
      locate: (seq) => placeOf(seq).location,
    }),
  };
}

/** Returns the findings of checks, without those that copying files settles. */
function openProblems(store: Store, media: MediaFigures | undefined): ProblemGroup[] {
  const groups = store.totals.findings.groups(examplesMax);
  if (!media) return groups;
  const { data, onlyFiles: count } = media;
  return groups
    .filter(({ code }) => !data.settled.includes(code))
    .map((group) =>
      count > 0 && group.code === onlyFilesCode
        ? { ...group, count, examples: [...store.media.figures.onlyFiles().take(examplesMax)] }
        : group,
    );
}

function described(code: string, severity: ReportGroup['severity']) {
  const { title, explanation, remedy, severity: own = severity } = explain(code);
  return { severity: own, title, explanation, remedy };
}

type ProblemGroup = ReturnType<Store['totals']['findings']['groups']>[number];

/** Returns the messages that will be older than the destination keeps them before they are sent, at most: by the end of all sending. */
function aging(
  store: Store,
  destination: number | null,
  forecast: ReturnType<typeof buildForecast>,
  profile: Profile | undefined,
): ProblemGroup[] {
  const retentionDays = profile?.limits.retentionDays;
  if (retentionDays === undefined || forecast.requests === 0) return [];
  const fromMs = keptFromMs(Number(store.facts.read('judgedAt') ?? 0), retentionDays);
  const beforeMs = keptFromMs(endsAt(forecast), retentionDays);
  const { count, examples } = store.totals.pendingBefore({ destination, fromMs, beforeMs }, examplesMax);
  return count > 0 ? [{ code: 'too-old-by-its-turn', count, examples }] : [];
}

function leftToSend(store: Store, destination: number | null, tally: Tally) {
  const { totals, pendingBytes, pendingConversationCount: conversations } = tally;
  const followUps = store.messages.followUps.count(destination);
  return {
    pending: totals.pending + followUps.pending,
    payloadBytes: pendingBytes + followUps.pendingBytes,
    conversations,
  };
}

const storeSize = (store: Store) => ({ storeBytes: store.totals.storeBytes(), freeBytes: readFreeBytes(store.path) });

function readFreeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    // A file system that does not say.
    return null;
  }
}

const runDurationMs = (run: RunRow | undefined) => (run?.endedAtMs ? run.endedAtMs - run.startedAtMs : null);

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
  internal: 'internal messages',
  restricted: 'restricted messages',
  customEmoji: 'reactions with custom emoji',
  custom: 'messages with platform facts',
  zoneAssumed: 'messages of an assumed time zone',
  truncated: 'cut texts',
  split: 'split texts',
  rootQuotes: 'replies that quote their root',
  rootsMissing: 'replies with an unknown root',
  onlyFiles: 'messages that are only files that are not migrated',
  trimmed: 'messages with less metadata',
};

function collectContent(
  tally: Tally,
  store: Store,
  orphans: ReturnType<Store['messages']['countOrphanReplies']>,
): Pick<ReportData, 'months' | 'days' | 'contents' | 'authors' | 'attachmentHostCount' | 'attachmentHosts'> {
  const { read: found, planned } = tally;
  const contents = [...found].map(([name, read]) => ({
    name: factNames[name] ?? name,
    read,
    planned: planned.get(name) ?? 0,
  }));
  if (orphans.read > 0) contents.push({ name: 'replies without their root', ...orphans });
  const { hosts, hostCount } = store.problems.hosts(hostsMax);
  return {
    months: [...tally.months.entries()].sort().map(([month, count]) => ({ month, count })),
    ...(tally.months.size <= monthsWithDays && { days: listDays(tally) }),
    contents: contents.sort((a, b) => b.read - a.read),
    authors: listAuthors(tally, store),
    attachmentHostCount: hostCount,
    attachmentHosts: hosts,
  };
}

/** With more months than this, a report has no days. */
const monthsWithDays = 2;

const listDays = ({ days }: Tally) =>
  [...days].sort(([a], [b]) => a - b).map(([day, { planned }]) => ({ day: dayName(day), count: planned }));

/** `2026-03-02` of a number of days since 1970. */
const dayName = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

function listAuthors(tally: Tally, store: Store): ReportData['authors'] {
  return tally.authors.most(authorsMax).map(({ id, count }) => ({ ...store.totals.person(id), count }));
}

/** Returns the conversations that differed. Records of whole conversations are older than a verification of some messages, and are not its result. */
function differingConversations(
  store: Store,
  destination: number | null,
  verify: ReportData['verify'],
  scope: CheckScope = 'whole',
): ReportData['differingConversations'] {
  const isPartialVerify = scope === 'whole' && (verify?.only !== undefined || verify?.sample !== undefined);
  if (destination === null || isPartialVerify) return [];
  return store.checks.differing(destination, scope, differingMax).map(({ conversation, readAtMs: _, ...counts }) => {
    const { sourceId: id, name } = store.conversations.names(conversation)!;
    return { id, name, ...counts };
  });
}
