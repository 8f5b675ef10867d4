import { styleText } from 'node:util';
import { countOf, formatCount } from '../../lib/text/count.ts';
import type { ReportGroup } from '../report-data.ts';

export { countOf, formatCount };

/** Numbers and times as people read them: English, thousands separators, UTC. */

/** `12 done, 3 pending`: what there is any of. */
export const listCounts = (counts: readonly (readonly [label: string, count: number])[]): string =>
  counts
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${formatCount(count)} ${label}`)
    .join(', ');

/** `40 messages hang on it`. */
export const hangOnIt = (messages: number): string =>
  `${countOf(messages, 'message')} ${messages === 1 ? 'hangs' : 'hang'} on it`;

/** A share in percent that says 0% and 100% only where that is exact. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  if (part === 0) return '0%';
  if (part === whole) return '100%';
  const percent = (part / whole) * 100;
  if (percent < 0.1) return '<0.1%';
  return percent > 99.9 ? '>99.9%' : `${percent.toFixed(1)}%`;
}

/** `0.4 s`, `34 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`: two units at most. */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${trimZero((Math.max(0, ms) / 1_000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return twoUnits(seconds, 60, 'min', 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return twoUnits(minutes, 60, 'h', 'min');
  return twoUnits(Math.round(minutes / 60), 24, 'd', 'h');
}

function twoUnits(count: number, per: number, large: string, small: string): string {
  const head = `${formatCount(Math.floor(count / per))} ${large}`;
  return count % per === 0 ? head : `${head} ${count % per} ${small}`;
}

const trimZero = (decimal: string): string => decimal.replace(/\.0$/, '');

/** `812 bytes`, `1.4 MiB`, `412 KiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return countOf(bytes, 'byte');
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let value = bytes / 1_024;
  while (value >= 1_023.5 && units.length > 1) {
    value /= 1_024;
    units.shift();
  }
  return `${value < 10 ? trimZero(value.toFixed(1)) : formatCount(value)} ${units[0]}`;
}

/** `2024-03-01 14:05 UTC`. A number that is no date is shown as it is. */
export function formatUtc(ms: number): string {
  const iso = isoOf(ms);
  return iso === null ? `${ms} ms` : `${iso.replace(/:\d\d\.\d+Z$/, '').replace('T', ' ')} UTC`;
}

/** `2024-03-01`, in UTC; a dash where there is none. */
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

/** Coloured where the caller has decided for colours (`wantsColor` in `cli/terminal/print.ts`), else the text as it is. */
export function paint(format: Format, text: string, { color }: { readonly color: boolean }): string {
  return color ? styleText(format, text, { validateStream: false }) : text;
}
