import { displayWidth, oneLine, truncate } from '../../lib/plain-text.ts';
import { formatCount } from '../format.ts';
import type { ReportData, ReportGroup } from '../report-data.ts';
import { paint } from '../paint.ts';
import { type SummaryOptions, withNote } from './write-line.ts';

/** How many kinds of a list are shown; the rest is one line that says where to look. */
const listedMax = 5;
/** Columns. Codes of ours are shorter; a service's may be anything. */
const nameMax = 40;

interface Entry {
  readonly count: number;
  readonly name: string;
  readonly note: string;
  /** A line of its own, so that it is there even where the note was cut. */
  readonly place?: string | undefined;
}

/** Groups with most members first: count, code, what it means (else what is said of the first one), and one place to look at. */
export function groupBlock(title: string, groups: readonly ReportGroup[], options: SummaryOptions): readonly string[] {
  const entries = groups.map(({ code, count, explanation, examples }) => {
    return { count, name: code, note: explanation || (examples[0]?.detail ?? ''), place: examples[0]?.location };
  });
  return listBlock(title, entries, options);
}

export function lossBlock({ losses }: ReportData, options: SummaryOptions): readonly string[] {
  const entries = losses.map(({ name, count, becomes }) => ({ count, name, note: becomes }));
  return listBlock('Losses', entries, options);
}

function listBlock(title: string, entries: readonly Entry[], options: SummaryOptions): readonly string[] {
  if (entries.length === 0) return [];
  const listed = entries.toSorted((a, b) => b.count - a.count).slice(0, listedMax);
  const width = Math.max(...listed.map(({ count }) => formatCount(count).length));
  const rest = entries.length - listed.length;
  return [
    paint('bold', title, options),
    ...listed.flatMap((entry) => entryLines(entry, width, options)),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more in the report`] : []),
  ];
}

function entryLines({ count, name, note, place }: Entry, width: number, options: SummaryOptions): readonly string[] {
  const head = `  ${formatCount(count).padStart(width)}  ${truncate(oneLine(name), nameMax)}`;
  const line = withNote(head, displayWidth(head), note, options);
  if (place === undefined) return [line];
  const indent = ' '.repeat(width + 4);
  return [line, `${indent}${truncate(oneLine(place), Math.max(nameMax, options.columns - indent.length))}`];
}
