import { styleText } from 'node:util';
import { countOf, formatCount } from '../lib/text/count.ts';
import type { ReportGroup } from './report-data.ts';

export { countOf, formatCount };

/** Numbers and times as people read them: English, thousands separators, UTC. */

/** `12 done, 3 pending`: what there is any of. */
export const listCounts = (counts: readonly (readonly [label: string, count: number])[]): string =>
  counts
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${formatCount(count)} ${label}`)
    .join(', ');

/** `affects 40 messages`. */
export const affects = (messages: number): string => `affects ${countOf(messages, 'message')}`;

/** Returns a share in percent; it is 0% or 100% only if that is exact. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  if (part === 0) return '0%';
  if (part === whole) return '100%';
  const percent = (part / whole) * 100;
  if (percent < 0.1) return '<0.1%';
  return percent > 99.9 ? '>99.9%' : `${percent.toFixed(1)}%`;
}

/** `2024-03-01 14:05 UTC`. A number that is no date is shown as it is. */
export function formatUtc(ms: number): string {
  const iso = isoOf(ms);
  return iso === null ? `${ms} ms` : `${iso.replace(/:\d\d\.\d+Z$/, '').replace('T', ' ')} UTC`;
}

/** Returns `2024-03-01`, in UTC; a dash if there is no date. */
export function formatDay(ms: number | null): string {
  if (ms === null) return '–';
  return isoOf(ms)?.replace(/T.*/, '') ?? `${ms} ms`;
}

function isoOf(ms: number): string | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** The groups that matter this much, in their order. */
export const ofSeverity = (
  groups: readonly ReportGroup[],
  ...wanted: readonly ReportGroup['severity'][]
): readonly ReportGroup[] => groups.filter(({ severity }) => wanted.includes(severity));

export type Format = Parameters<typeof styleText>[0];

/** Returns the text in colour if the caller has chosen colours (`wantsColor` in `cli/terminal/print.ts`), else unchanged. */
export function paint(format: Format, text: string, { color }: { readonly color: boolean }): string {
  return color ? styleText(format, text, { validateStream: false }) : text;
}
