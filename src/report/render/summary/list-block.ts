import { displayWidth, oneLine, truncate, wrap } from '../../../lib/text/plain-text.ts';
import { docsLink } from '../../../lib/docs-link.ts';
import { describeOption, describeUndecided, formatWeight, isAlarm, isOpen } from '../../../decisions/decision.ts';
import { formatCount, paint } from '../../format.ts';
import type { ReportData, ReportGroup } from '../../report-data.ts';
import { type Decision, splitOptions } from '../../../decisions/decision.ts';
import { type SummaryOptions, withNote } from './write-line.ts';

const decisionsTitle = 'Needs your decision';

/** How many kinds of a list are shown; the rest is one line that says where to look. */
const listedMax = 5;
const knownMax = 3;
/** Columns. Codes of ours are shorter; a service's may be anything. */
const nameMax = 40;
/** However narrow the terminal is. */
const roomMin = 20;
/** Before what goes on in a further line. */
const hanging = '  ';

interface Entry {
  readonly count: number;
  readonly name: string;
  readonly note: string;
  /** Separate lines, which are shown in full even if the note was cut: a location to look at, and what to do. */
  readonly lines?: readonly string[];
}

/**
 * Returns groups that a person has to act on, those with most members first: count, code, meaning (else the detail of
 * the first member), one location to look at, and what to do, if that is not among the decisions.
 */
export function groupBlock(
  title: string,
  groups: readonly ReportGroup[],
  options: SummaryOptions,
  decisions: readonly Decision[] = [],
): readonly string[] {
  const entries = groups.map((group) =>
    toFullEntry(
      group,
      decisions.some(({ id }) => id === group.code),
    ),
  );
  return listBlock(title, entries, options);
}

/** Every open decision, those about most first: the first in full, a line for each of the others. Then what can only be done elsewhere. */
export function decisionBlock(decisions: readonly Decision[], options: SummaryOptions): readonly string[] {
  const idle = decisions.filter(({ about, answer }) => about.isIdle && answer === null);
  const sorted = [...sortedOpen(decisions), ...idle];
  if (sorted.length === 0) return [];
  const outside = sorted.flatMap((decision) =>
    splitOptions(decision).outside.map((does) => ({ id: decision.id, does })),
  );
  return [
    paint('bold', decisionsTitle, options),
    ...sorted.flatMap((decision, index) => [
      questionLine(decision, options),
      ...(index < listedMax ? indented(decisionLines(decision), 4, options) : []),
    ]),
    ...(outside.length === 0 ? [] : ['', paint('bold', 'To do outside', options)]),
    ...outside.slice(0, listedMax).map(({ id, does }) => `  ${oneLine(does)}  ${paint('dim', oneLine(id), options)}`),
    ...(outside.length > listedMax ? [`  and ${formatCount(outside.length - listedMax)} more in the report`] : []),
  ];
}

/** The questions alone, a line each. */
export function questionBlock(decisions: readonly Decision[], options: SummaryOptions): readonly string[] {
  const sorted = sortedOpen(decisions);
  const rest = sorted.length - knownMax;
  return [
    ...(sorted.length === 0 ? [] : [paint('bold', decisionsTitle, options)]),
    ...sorted.slice(0, knownMax).map((decision) => questionLine(decision, options)),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more in the report`] : []),
  ];
}

const sortedOpen = (decisions: readonly Decision[]) =>
  decisions.filter(isOpen).toSorted((a, b) => (b.about.count ?? 0) - (a.about.count ?? 0));

function questionLine({ question, about }: Decision, options: SummaryOptions): string {
  const head = `  ${oneLine(question)}`;
  return withNote(head, displayWidth(head), formatWeight(about), options);
}

const decisionLines = (decision: Decision): readonly string[] => [
  ...(isAlarm(decision) ? [decision.why] : decision.examples.slice(0, 1)),
  ...splitOptions(decision).own.map((option) => `- ${describeOption(option)}`),
  `If you do nothing: ${describeUndecided(decision)}`,
  `Details: ${isAlarm(decision) ? docsLink('reference/alarms') : `chatferry checks ${decision.id}`}`,
];

function toFullEntry(group: ReportGroup, isDecision: boolean): Entry {
  const remedy = group.remedy === '' || isDecision ? [] : [`→ ${group.remedy}`];
  return { ...toEntry(group), lines: [...describePlaces(group), ...remedy].filter((line) => line !== '') };
}

/** Whole files that are missing are named, with what is wrong with each: one look shows whether the export is the right one. */
const namesFiles: ReadonlySet<string> = new Set(['unreadable-file']);
const filesMax = 5;

/** One place to look at. */
function describePlaces({ code, count, examples }: ReportGroup): readonly string[] {
  if (!namesFiles.has(code)) return examples.slice(0, 1).map(({ location }) => location);
  const files = examples.slice(0, filesMax);
  const more = count - files.length;
  return [...files.map(describePlace), more > 0 ? `and ${formatCount(more)} more in the report` : ''];
}

function describePlace({ location, detail }: ReportGroup['examples'][number]): string {
  // A reason that already names its location need not repeat it.
  const reason = detail.endsWith(` (${location})`) ? detail.slice(0, -location.length - 3) : detail;
  return [location, reason].filter((word) => word !== '').join(': ');
}

export const knownBlock = (title: string, groups: readonly ReportGroup[], options: SummaryOptions): readonly string[] =>
  listBlock(title, groups.map(toEntry), options, knownMax);

const toEntry = ({ code, count, title, explanation, examples }: ReportGroup): Entry => ({
  count,
  name: code,
  note: title === code ? explanation || (examples[0]?.detail ?? '') : title,
});

export function lossBlock({ losses }: ReportData, options: SummaryOptions, max = listedMax): readonly string[] {
  const entries = losses.map(({ name, count, becomes }) => ({ count, name, note: becomes }));
  return listBlock('Not migrated', entries, options, max);
}

export function ignoredBlock({ ignored = [] }: ReportData, options: SummaryOptions): readonly string[] {
  const entries = ignored.map(({ reason, count, example }) => ({ count, name: example, note: reason }));
  return listBlock('Ignored files', entries, options, knownMax);
}

function listBlock(
  title: string,
  entries: readonly Entry[],
  options: SummaryOptions,
  max = listedMax,
): readonly string[] {
  if (entries.length === 0) return [];
  const listed = entries.toSorted((a, b) => b.count - a.count).slice(0, max);
  const width = Math.max(...listed.map(({ count }) => formatCount(count).length));
  const rest = entries.length - listed.length;
  return [
    paint('bold', title, options),
    ...listed.flatMap((entry) => entryLines(entry, width, options)),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more in the report`] : []),
  ];
}

function entryLines(
  { count, name, note, lines = [] }: Entry,
  width: number,
  options: SummaryOptions,
): readonly string[] {
  const head = `  ${formatCount(count).padStart(width)}  ${truncate(oneLine(name), nameMax)}`;
  const line = withNote(head, displayWidth(head), note, options);
  return [line, ...indented(lines, width + 4, options)];
}

function indented(lines: readonly string[], indent: number, options: SummaryOptions): readonly string[] {
  const room = Math.max(roomMin, options.columns - indent - hanging.length);
  return lines.flatMap((text) =>
    wrap(oneLine(text), room).map((part, index) => ' '.repeat(indent) + (index > 0 ? hanging : '') + part),
  );
}
