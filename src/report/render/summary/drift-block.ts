import type { DriftData, FollowUpBooks } from '../drift-data.ts';
import { formatCount } from '../format.ts';
import { paint } from '../paint.ts';
import type { ReportData } from '../../report-data.ts';
import { plannedOutcomes } from '../outcomes.ts';
import { type SummaryOptions, withNote } from './write-line.ts';

/** What changed at the source after it was sent, and what became of the messages that say so: outside the sums. */
export function driftBlock({ drift, followUps }: ReportData, options: SummaryOptions): readonly string[] {
  const lines = [];
  if (drift) lines.push(line('Drift', driftText(drift), 'changed at the source after it was sent', options));
  if (followUps) lines.push(line('Follow-ups', followUpText(followUps), 'messages that say what changed', options));
  return lines;
}

function line(label: string, text: string, note: string, options: SummaryOptions): string {
  const head = `${paint('bold', label.padEnd(10), options)}  ${text}`;
  return withNote(head, `${label.padEnd(10)}  ${text}`.length, note, options);
}

/** `5: 3 edited, 2 deleted; 1 of them new`. */
export function driftText({ kinds, noticed }: DriftData): string {
  const list = Object.entries(kinds).map(([kind, count]) => `${formatCount(count)} ${kind}`);
  const fresh = sumOf(noticed);
  const suffix = fresh === 0 ? '' : `; ${formatCount(fresh)} noticed by the latest plan`;
  return `${formatCount(sumOf(kinds))}: ${list.join(', ')}${suffix}`;
}

/** `3: 2 imported, 1 pending`. */
export function followUpText(books: FollowUpBooks): string {
  const list = plannedOutcomes
    .filter(({ key }) => books[key] > 0)
    .map(({ key, label }) => `${formatCount(books[key])} ${label}`);
  return `${formatCount(books.planned)}: ${list.join(', ')}`;
}

const sumOf = (counts: Partial<Record<string, number>>): number =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);
