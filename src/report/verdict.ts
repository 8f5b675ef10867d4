import { isOpen } from '../decisions/decision.ts';
import { oneLine, truncate } from '../lib/text/plain-text.ts';
import {
  isAccountedFor,
  noDeliveryTotals,
  type Totals,
  type VerifyCounts,
  type VerifyResult,
} from '../model/totals.ts';
import {
  type ArrivalTotals,
  isPassedOver,
  isSandbox,
  type ReportData,
  type ReportGroup,
  sumActions,
  sumArrivals,
} from './report-data.ts';
import { countOf, formatCount, formatUtc, listCounts } from './format.ts';
import { type Severity, severities } from '../model/severity.ts';
import { arrivalKinds } from '../model/arrival.ts';
import { exitCodes } from '../model/exit-codes.ts';

type PlannedState = 'imported' | 'existing' | 'failed' | 'pending' | 'unconfirmed';
type UnplannedState = 'skipped' | 'invalid';

/** Possible outcome of a row of the export: the states of the two sums, with the words that explain them. */
export interface Outcome<Key extends string = PlannedState | UnplannedState> {
  readonly key: Key;
  readonly label: string;
  readonly meaning: string;
}

/** States of a planned message, in the order of the second sum. */
export const plannedOutcomes: readonly Outcome<PlannedState>[] = [
  { key: 'imported', label: 'imported', meaning: 'The service confirmed it.' },
  { key: 'existing', label: 'existing', meaning: 'The service already had it, with the same content.' },
  { key: 'failed', label: 'failed', meaning: 'The service said no; its words are kept below.' },
  { key: 'pending', label: 'pending', meaning: 'Planned, not yet sent.' },
  { key: 'unconfirmed', label: 'unconfirmed', meaning: 'Sent, outcome unknown; resolved first by the next run.' },
];

/** Outcomes of rows that are not planned, in the order of the first sum. */
export const unplannedOutcomes: readonly Outcome<UnplannedState>[] = [
  { key: 'skipped', label: 'skipped', meaning: 'Left out by a rule that has a name.' },
  { key: 'invalid', label: 'invalid', meaning: 'Could not be read or mapped; reason and location are below.' },
];

/** Returns the number of messages that are at the destination now, including those that were there before. */
export const countArrived = (totals: Pick<Totals, 'imported' | 'existing'>): number =>
  totals.imported + totals.existing;

/** `3 imported, 1 pending`. */
export const listOutcomes = <Key extends Outcome['key']>(
  outcomes: readonly Outcome<Key>[],
  totals: Readonly<Record<Key, number>>,
): string => listCounts(outcomes.map(({ key, label }) => [label, totals[key]]));

/** `since 2026-03-01 12:00 UTC: 3 conversations to read back`; nothing where everything was verified. */
export const unverifiedText = ({ unverified }: Pick<ReportData, 'unverified'>): string | null =>
  unverified === undefined
    ? null
    : `since ${formatUtc(unverified.sinceMs)}: ${countOf(unverified.conversations, 'conversation')} to read back`;

/** Possible results of reading a message back, and their meanings. */
export const verifyOutcomes: readonly { readonly key: keyof VerifyCounts; readonly meaning: string }[] = [
  { key: 'same', meaning: 'There, with the content that was sent.' },
  { key: 'missing', meaning: 'Should be there and is not.' },
  { key: 'different', meaning: 'There, with other content.' },
  { key: 'duplicated', meaning: 'There more than once.' },
  { key: 'extra', meaning: 'There and ours by its shape, but not in the plan.' },
  { key: 'foreign', meaning: 'Written by others: information, not an error.' },
];

/** Differences that are an error: everything but what others wrote. */
const differenceKinds = ['missing', 'different', 'duplicated', 'extra'] as const;

export const differenceCount = (verify: VerifyCounts): number =>
  differenceKinds.reduce((sum, kind) => sum + verify[kind], 0);

/** `1 missing, 2 extra`. */
export const listDifferences = (verify: VerifyCounts): string =>
  listCounts(differenceKinds.map((kind) => [kind, verify[kind]]));

/** Returns why a run stopped, to follow the word "Stopped": its code is named if the message does not name it. */
export function whyStopped({ message, code }: NonNullable<ReportData['stopped']>): string {
  const why = message.replace(/^Stopped: /, '');
  return why.includes(code) ? why : `${why} (${code})`;
}

/** The report in one sentence, without a final period. */
export interface Verdict {
  readonly tone: 'good' | 'notice' | 'bad' | 'plain';
  readonly sentence: string;
}

/**
 * Lines under the verdict: what was left out of the report, whose limits a rehearsal used, and how many messages are too old for the
 * hosted service.
 */
export const remarksOn = (data: ReportData): string[] => [
  ...(data.anonymous ? ['Names, texts and locations are left out of this report'] : []),
  ...limitRemarks(data),
];

function limitRemarks(data: ReportData): string[] {
  const { destination, oldMessages: old, totals, command } = data;
  if (destination === null) return [];
  if (judgeReport(data).sentence === mostlyTooOld(data)?.sentence) return [`${allArrived(data).sentence}; ${stricter}`];
  const limits = isSandbox(destination) ? limitNames[destination.profile] : undefined;
  const verb = command === 'plan' ? 'Planned to be rehearsed' : 'Rehearsed';
  return [
    ...(limits === undefined ? [] : [`${verb} by the limits of ${limits}`]),
    ...(old === undefined ? [] : [`${oldText(old, totals)}: ${isSandbox(destination) ? inSandbox : elsewhere}`]),
  ];
}

const limitNames: Readonly<Record<string, string>> = { hosted: 'the hosted service', spec: 'the specification' };

const oldText = ({ count, days }: NonNullable<ReportData['oldMessages']>, { planned }: Totals): string =>
  `${formatCount(count)} of ${countOf(planned, 'planned message')} ${count === 1 ? 'is' : 'are'} older than ${days} days`;

const stricter = '--rehearse-for hosted applies the limits of the hosted service';
const inSandbox = `the hosted service would refuse them; ${stricter}`;
const elsewhere =
  'the hosted service would refuse them; say with --retention-days how long this destination keeps messages, or "unlimited"';

/** Returns the verdict of the first judge that has one, so the judges are ordered with the worst first. */
export function judgeReport(data: ReportData): Verdict {
  for (const judge of judges) {
    const verdict = judge(data);
    if (verdict !== null) return verdict;
  }
  return allArrived(data);
}

type Judge = (data: ReportData) => Verdict | null;

const judges: readonly Judge[] = [
  unbalanced,
  differing,
  unconfirmedReading,
  dryRun,
  stopped,
  nothingPlanned,
  refusals,
  doubts,
  waiting,
  arrivalsLeft,
  actionsLeft,
  mostlyTooOld,
];

function unbalanced({ totals, arrivals }: ReportData): Verdict | null {
  if ([totals, ...Object.values(arrivals?.kinds ?? {})].every(isAccountedFor)) return null;
  return { tone: 'bad', sentence: 'The totals of this report do not add up: an internal error of Chatferry' };
}

function differing({ command, verify, unverified }: ReportData): Verdict | null {
  const found = verify && differenceCount(verify) > 0 ? listDifferences(verify) : null;
  if (found !== null) return { tone: 'bad', sentence: `Reading back found differences: ${found}` };
  const missing = verify && differingActions(verify);
  if (missing !== null || command === 'plan' || !unverified?.differing) return missing;
  const where = countOf(unverified.conversations, 'conversation');
  return { tone: 'bad', sentence: `Reading back found differences before, and has not been repeated since: ${where}` };
}

function differingActions({ actions = {} }: VerifyResult): Verdict | null {
  const list = listCounts(Object.entries(actions).map(([kind, { missing }]) => [kind, missing]));
  return list === '' ? null : { tone: 'bad', sentence: `Reading back found that some are missing: ${list}` };
}

function unconfirmedReading({ reading }: ReportData): Verdict | null {
  if (reading === undefined || reading.stops.length === 0) return null;
  return { tone: 'notice', sentence: 'Nothing is sent before a person has confirmed how the rows are read' };
}

function dryRun(data: ReportData): Verdict | null {
  const { command, totals, followUps, problems, invalid: invalidKinds } = data;
  if (command !== 'plan') return null;
  const ready = totals.pending + totals.unconfirmed + (followUps?.pending ?? 0);
  const lost = (totals.invalid > 0 ? `; ${unusable(totals, invalidKinds, 'row')}` : '') + unread(problems);
  const tone = lost !== '' ? 'notice' : 'plain';
  if (isPassedOver(data)) return { tone: 'bad', sentence: `Dry run, nothing was sent: ${nothingRead(data)}` };
  if (ready === 0) return { tone, sentence: `Dry run, nothing was sent: no message is waiting to be sent${lost}` };
  const verb = ready === 1 ? 'is' : 'are';
  return { tone, sentence: `Dry run, nothing was sent: ${countOf(ready, 'message')} ${verb} ready to go${lost}` };
}

function stopped({ stopped, totals }: ReportData): Verdict | null {
  if (stopped === null) return null;
  return { tone: 'bad', sentence: `The run stopped before its end: ${arrivedText(totals)} so far` };
}

/** Why nothing was read, with the file that says most of it. */
function nothingRead({ source, problems, ignored = [] }: ReportData): string {
  const [first] = problems.find(({ code }) => code === 'unread-chat')?.examples ?? [];
  const [{ example: location, reason: detail } = {}] = first
    ? [{ example: first.location, reason: first.detail }]
    : ignored;
  const because = location === undefined ? '' : ` ("${location}": ${detail})`;
  return `no file of this export has messages in a form that ${source} reads${because}`;
}

function nothingPlanned(data: ReportData): Verdict | null {
  const { totals, invalid } = data;
  if (isPassedOver(data)) return { tone: 'bad', sentence: `Nothing was read: ${nothingRead(data)}` };
  if (totals.read === 0)
    return { tone: 'plain', sentence: 'Nothing was read: the files of messages in this export have no message' };
  if (totals.planned > 0) return null;
  const left = totals.invalid > 0 ? `; ${unusable(totals, invalid, 'row')}` : '';
  const sentence = `Nothing to send: no message is planned of ${countOf(totals.read, 'row')} read${left}`;
  return { tone: 'notice', sentence };
}

function refusals({ totals, failed: groups, invalid }: ReportData): Verdict | null {
  if (totals.failed === 0) return null;
  const refused = refusedText(totals.failed, groups);
  const left = totals.invalid > 0 ? `; ${unusable(totals, invalid, 'row')}` : '';
  return { tone: 'bad', sentence: `${refused}; ${arrivedText(totals, formatCount)}${left}` };
}

function refusedText(count: number, groups: readonly ReportGroup[]): string {
  const messages = countOf(count, 'message');
  const [group] = groups;
  // Its detail begins with what the destination answered, and when.
  if (groups.length === 1 && group?.code === 'refused-without-reason') {
    const answer = group.examples[0]?.detail?.split(':', 1)[0] ?? '';
    return `${messages} ${count === 1 ? 'was' : 'were'} refused by the destination without a reason (${answer})`;
  }
  return `${messages} failed: the service refused ${count === 1 ? 'it' : 'them'}${formatReasons(groups)}`;
}

function doubts({ totals }: ReportData): Verdict | null {
  if (totals.unconfirmed === 0) return null;
  const unconfirmed = `${countOf(totals.unconfirmed, 'message')} ${totals.unconfirmed === 1 ? 'is' : 'are'} unconfirmed until the next run`;
  return { tone: 'notice', sentence: `${unconfirmed}; ${arrivedText(totals, formatCount)}` };
}

function waiting({ totals }: ReportData): Verdict | null {
  if (totals.pending === 0) return null;
  const sentence = `${formatCount(totals.pending)} of ${countOf(totals.planned, 'planned message')} still to be sent`;
  return { tone: 'notice', sentence };
}

function arrivalsLeft({ arrivals, totals }: ReportData): Verdict | null {
  const { failed, pending, unconfirmed } = sumArrivals(arrivals);
  const left = pending + unconfirmed;
  if (failed + left === 0) return null;
  const listed = left > 0 ? listLeft(arrivals) : listArrivals(arrivals, (totals) => totals.failed);
  const sentence = `${arrivedText(totals)}; ${listed} ${left > 0 ? 'still to be imported' : 'failed'}`;
  return { tone: left > 0 ? 'notice' : 'bad', sentence };
}

/** `12 people, 6 groups, 14 members`; kinds without any are left out. */
export const listArrivals = (arrivals: ReportData['arrivals'], count: (totals: ArrivalTotals) => number): string =>
  arrivalKinds
    .flatMap((kind) => {
      const totals = arrivals?.kinds[kind];
      const number = totals ? count(totals) : 0;
      return number === 0 ? [] : [countOf(number, nouns[kind].one, nouns[kind].many)];
    })
    .join(', ');

/** The same, of those that are still to be imported. */
export const listLeft = (arrivals: ReportData['arrivals']): string =>
  listArrivals(arrivals, ({ pending, unconfirmed }) => pending + unconfirmed);

/** Sentences without a final period. */
export function arrivalNotes(arrivals: ReportData['arrivals']): readonly string[] {
  const { assumed, existing, failed, leaving, staying, left } = sumArrivals(arrivals);
  const removed = `${formatCount(left)} of ${formatCount(left + leaving)} who were members for the import alone are removed again`;
  return [
    ...(assumed > 0 ? [`when ${countOf(assumed, 'member')} joined is assumed: the export does not say`] : []),
    ...(left + leaving > 0 ? [left > 0 ? `${removed}; their groups may show a line about it` : removed] : []),
    ...(staying > 0
      ? [
          `${formatCount(staying)} who left in the export stay members: they may have been some before, or their removal was refused; check them at the destination`,
        ]
      : []),
    ...(existing > 0
      ? [`${formatCount(existing)} existed before: left as they are; whether they differ cannot be seen`]
      : []),
    ...(failed > 0 ? ['when the cause is put right, "chatferry retry" asks for those that failed again'] : []),
  ];
}

const nouns = {
  people: { one: 'person', many: 'people' },
  groups: { one: 'group', many: 'groups' },
  members: { one: 'member', many: 'members' },
} as const;

function actionsLeft({ actions, totals }: ReportData): Verdict | null {
  const { failed, pending, unconfirmed } = sumActions(actions);
  if (failed + pending + unconfirmed === 0) return null;
  const left =
    pending + unconfirmed > 0
      ? `${countOf(pending + unconfirmed, 'action')} still to be done`
      : `${countOf(failed, 'action')} failed`;
  return { tone: 'notice', sentence: `${arrivedText(totals)}; ${left}` };
}

/** A rehearsal succeeded of which the hosted service would refuse more than half. */
function mostlyTooOld({ command, destination, oldMessages: old, totals }: ReportData): Verdict | null {
  const isRehearsal = command !== 'plan' && destination !== null && isSandbox(destination);
  if (!isRehearsal || old === undefined || old.count * 2 <= totals.planned) return null;
  const share = `${formatCount(old.count)} of ${countOf(totals.planned, 'message')}`;
  const sentence = `Rehearsal complete; the hosted service would refuse ${share} (older than ${old.days} days)`;
  return { tone: 'notice', sentence };
}

/** `3 of 4 planned messages have arrived`. */
const arrivedText = (totals: Totals, formatPlanned = (count: number) => countOf(count, 'planned message')): string =>
  `${formatCount(countArrived(totals))} of ${formatPlanned(totals.planned)} have arrived`;

/** `3 rows could not be used (older than the 183 days the service keeps)`. */
const unusable = ({ invalid }: Totals, groups: readonly ReportGroup[], one: string, many?: string): string =>
  `${countOf(invalid, one, many)} could not be used${formatReasons(groups)}`;

/** Reasons that a headline has room for. */
const reasonsMax = 2;
/** UTF-16 units: codes of a service may be anything. */
const reasonMax = 60;

/** ` (blank messages)`, or ` (blank messages: 12, rows that are not JSON: 3, 2 other reasons)`. */
function formatReasons(groups: readonly ReportGroup[]): string {
  const named = groups.slice(0, reasonsMax).map(({ title, inShort = title, count }) => {
    const words = truncate(oneLine(inShort), reasonMax);
    return groups.length === 1 ? words : `${words}: ${formatCount(count)}`;
  });
  const rest = groups.length - named.length;
  if (rest > 0) named.push(countOf(rest, 'other reason'));
  return named.length === 0 ? '' : ` (${named.join(', ')})`;
}

/** Returns `; 2 locations of the export could not be read`: it is unknown how many messages were there. */
function unread(problems: ReportData['problems']): string {
  const count = problems.reduce((sum, problem) => sum + (problem.severity === 'blocks' ? problem.count : 0), 0);
  return count > 0 ? `; ${countOf(count, 'location')} of the export could not be read` : '';
}

/** `3 conversations are still to be read back`. */
const unreadBack = ({ conversations }: NonNullable<ReportData['unverified']>): string =>
  `${countOf(conversations, 'conversation')} ${conversations === 1 ? 'is' : 'are'} still to be read back`;

function allArrived({ totals, followUps, problems, verify, invalid, unverified, command }: ReportData): Verdict {
  const all =
    totals.planned === 1
      ? 'The planned message has arrived'
      : `All ${formatCount(totals.planned)} planned messages have arrived`;
  const checked =
    verify !== null && verify.same === totals.planned + (followUps?.planned ?? 0)
      ? ` and ${totals.planned === 1 ? 'was' : 'were'} read back unchanged`
      : '';
  const rows = totals.invalid > 0 ? `; ${unusable(totals, invalid, 'row of the export', 'rows of the export')}` : '';
  const unseen = command !== 'plan' && unverified ? `; ${unreadBack(unverified)}` : '';
  const left = rows + unread(problems) + unseen;
  return { tone: left === '' ? 'good' : 'notice', sentence: `${all}${checked}${left}` };
}

/** Returns the exit code of a plan. @param failOn Findings of this severity, or a worse one, count like invalid rows. */
export function planExitCode(report: Pick<ReportData, 'totals' | 'files' | Found>, failOn?: Severity): number {
  const { totals, problems } = report;
  if (isPassedOver(report)) return exitCodes.source;
  // A plan that could not read everything is not clean, whether rows were lost or that is unknown.
  const isFound = codesFrom(report, failOn).length > 0;
  // A chat that nothing reads, or a name that nothing has, was passed over, whatever is decided about it.
  const isPassed = problems.some(({ code }) => code === 'unread-chat' || code === 'only-matches-nothing');
  return totals.invalid > 0 || isFound || isPassed ? exitCodes.someFailed : exitCodes.done;
}

type Found = 'problems' | 'decisions';

/** Returns the codes of findings of this severity, or of a worse one; of decisions those that are open. */
export function codesFrom({ problems, decisions }: Pick<ReportData, Found>, severity: Severity = 'blocks'): string[] {
  const worst = severities.slice(0, severities.indexOf(severity) + 1);
  const open = worst.includes('decision') ? decisions.filter(isOpen).map(({ id }) => id) : [];
  const others = problems.filter((one) => one.severity !== 'decision' && worst.includes(one.severity));
  return [...others.map(({ code }) => code), ...open];
}

/** Returns the exit code of an import from the totals. Input that its plan could not read counts like invalid rows. */
export function importExitCode({
  totals,
  files,
  problems,
  arrivals,
  actions,
  followUps = noDeliveryTotals(),
  verify,
  unverified,
  stopped,
}: Pick<
  ReportData,
  'totals' | 'files' | 'problems' | 'arrivals' | 'actions' | 'followUps' | 'verify' | 'unverified' | 'stopped'
>): number {
  const others = [followUps, sumArrivals(arrivals), sumActions(actions)];
  const isLeft = [totals, ...others].some(({ pending, unconfirmed }) => pending + unconfirmed > 0);
  if (stopped?.needsPerson) return exitCodes.needsPerson;
  if (stopped || isLeft) return exitCodes.stopped;
  // A difference that an earlier run found still counts if this run did not check.
  if (unverified?.differing || (verify && verifyExitCode(verify) !== exitCodes.done)) return exitCodes.differences;
  const { leaving, staying } = sumArrivals(arrivals);
  if (leaving > 0) return exitCodes.stopped;
  const isRefused = staying > 0 || [totals, ...others].some(({ failed }) => failed > 0);
  const exit = isRefused ? exitCodes.someFailed : planExitCode({ totals, files, problems, decisions: [] });
  // Receipts are the destination's word; clean is what was read back.
  return exit === exitCodes.done && unverified ? exitCodes.differences : exit;
}

export function verifyExitCode(verify: NonNullable<ReportData['verify']>): number {
  const { missing, extra, different, duplicated, actions = {} } = verify;
  const undone = Object.values(actions).reduce((sum, found) => sum + found.missing, 0);
  return missing + extra + different + duplicated + undone > 0 ? exitCodes.differences : exitCodes.done;
}
