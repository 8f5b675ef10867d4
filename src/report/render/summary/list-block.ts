import { displayWidth, oneLine, truncate, wrap } from '../../../lib/text/plain-text.ts';
import { affects, formatCount, paint } from '../../format.ts';
import type { ReportData, ReportGroup } from '../../report-data.ts';
import { type SummaryOptions, withNote } from './write-line.ts';

export const decisionsTitle = 'Needs your decision';

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
 * the first member), one location to look at, and what to do.
 */
export function groupBlock(title: string, groups: readonly ReportGroup[], options: SummaryOptions): readonly string[] {
  return listBlock(title, groups.map(toFullEntry), options);
}

/** The same for decisions: none is left to the report alone, and those behind the first are a line each. */
export function decisionBlock(groups: readonly ReportGroup[], options: SummaryOptions): readonly string[] {
  const sorted = groups.toSorted((a, b) => b.count - a.count);
  const entries = sorted.map((group, index) => (index < listedMax ? toFullEntry(group) : toEntry(group)));
  return listBlock(decisionsTitle, entries, options, entries.length);
}

function toFullEntry(group: ReportGroup): Entry {
  const { remedy, otherwise } = group;
  const lines = [...describePlaces(group), remedy === '' ? '' : `→ ${remedy}`];
  if (otherwise !== undefined) lines.push(`If you do nothing: ${otherwise}`);
  return { ...toEntry(group), lines: lines.filter((line) => line !== '') };
}

/** Whole files that are missing are named, with what is wrong with each: one look shows whether the export is the right one. */
const namesFiles: ReadonlySet<string> = new Set(['unreadable-file']);
const filesMax = 5;

/** One place to look at; of a decision with who or what it is about. */
function describePlaces({ code, count, examples, otherwise }: ReportGroup): readonly string[] {
  if (!namesFiles.has(code)) return examples.slice(0, 1).map((first) => describePlace(first, otherwise !== undefined));
  const files = examples.slice(0, filesMax);
  const more = count - files.length;
  return [
    ...files.map((file) => describePlace(file, true)),
    more > 0 ? `and ${formatCount(more)} more in the report` : '',
  ];
}

function describePlace({ location, detail }: ReportGroup['examples'][number], hasDetail: boolean): string {
  if (!hasDetail) return location;
  // A reason that already names its location need not repeat it.
  const reason = detail.endsWith(` (${location})`) ? detail.slice(0, -location.length - 3) : detail;
  return [location, reason].filter((word) => word !== '').join(': ');
}

export function knownBlock(title: string, groups: readonly ReportGroup[], options: SummaryOptions): readonly string[] {
  return listBlock(title, groups.map(toEntry), options, knownMax);
}

function toEntry({ code, count, title, explanation, examples, messages }: ReportGroup): Entry {
  const what = title === code ? explanation || (examples[0]?.detail ?? '') : title;
  const note = messages === undefined || messages === count ? what : `${what}: ${affects(messages)}`;
  return { count, name: code, note };
}

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
  const indent = ' '.repeat(width + 4);
  const room = Math.max(roomMin, options.columns - indent.length - hanging.length);
  const wrapped = lines.flatMap((text) =>
    wrap(oneLine(text), room).map((part, index) => (index > 0 ? hanging : '') + part),
  );
  return [line, ...wrapped.map((text) => indent + text)];
}
