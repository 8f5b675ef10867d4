import { styleText } from 'node:util';
import { countOf, formatCount } from '../lib/text/count.ts';
import type { ReportGroup, MediaData } from './report-data.ts';
import { formatBytes, formatDuration } from '../lib/text/quantity.ts';

export { countOf, formatCount };

/** Numbers and times as people read them: English, thousands separators, UTC. */

/** `12 done, 3 pending`: what there is any of. */
export const listCounts = (counts: readonly (readonly [label: string, count: number])[]): string =>
  counts
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${formatCount(count)} ${label}`)
    .join(', ');

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
  const iso = toIso(ms);
  return iso === null ? `${ms} ms` : `${iso.replace(/:\d\d\.\d+Z$/, '').replace('T', ' ')} UTC`;
}

/** Returns `2024-03-01`, in UTC; a dash if there is no date. */
export const formatDay = (ms: number | null): string =>
  ms === null ? '–' : (toIso(ms)?.replace(/T.*/, '') ?? `${ms} ms`);

function toIso(ms: number): string | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

export const ofSeverity = (
  groups: readonly ReportGroup[],
  ...wanted: readonly ReportGroup['severity'][]
): readonly ReportGroup[] => groups.filter(({ severity }) => wanted.includes(severity));

export type Format = Parameters<typeof styleText>[0];

/** Returns the text in colour if the caller has chosen colours (`wantsColor` in `cli/terminal/print.ts`), else unchanged. */
export const paint = (format: Format, text: string, { color }: { readonly color: boolean }): string =>
  color ? styleText(format, text, { validateStream: false }) : text;

type MediaOutcome = 'copied' | 'shared' | 'missing' | 'refused' | 'waiting';

/** In the order of the sum. */
export const mediaOutcomes: readonly {
  readonly key: MediaOutcome;
  readonly label: string;
  readonly meaning: string;
}[] = [
  {
    key: 'copied',
    label: 'copied',
    meaning: 'Written to the location of the files, and checked there; each content once.',
  },
  { key: 'shared', label: 'shared', meaning: 'The same content as one that was copied: it has the same address.' },
  { key: 'missing', label: 'missing', meaning: 'Not in the export, or its host does not give it.' },
  {
    key: 'refused',
    label: 'refused',
    meaning: 'Not to be copied: too large, an address of a private network, a page instead.',
  },
  { key: 'waiting', label: 'waiting', meaning: 'Not tried yet, or to be tried again.' },
];

/** Whether the sum holds. It always does; a report that shows otherwise shows a internal error. */
export const isMediaBalanced = (media: MediaData): boolean =>
  media.files === mediaOutcomes.reduce((sum, { key }) => sum + media[key], 0);

/** `12 = 8 copied + 3 shared + 1 missing`: what there is any of, and what was copied. */
export function mediaSum(media: MediaData): string {
  const terms = mediaOutcomes.filter(({ key }) => key === 'copied' || media[key] > 0);
  return `${formatCount(media.files)} = ${terms.map(({ key, label }) => `${formatCount(media[key])} ${label}`).join(' + ')}`;
}

/** Returns `4 files, 3.4 MiB and 2 whose size is not known; about 3 min at 10 MiB a second`; empty if nothing is left. */
export function copyingCosts({ left: { files, bytes, unsized, bandwidth, ms } }: MediaData): string {
  if (files === 0) return '';
  const unknown = unsized === 0 ? '' : `, and ${formatCount(unsized)} of unknown size`;
  const size = unsized === files ? 'of unknown size' : `${formatBytes(bytes)}${unknown}`;
  const time =
    bandwidth === null || ms === null ? '' : `; about ${formatDuration(ms)} at ${formatBytes(bandwidth)} a second`;
  return `${countOf(files, 'file')}, ${size}${time}`;
}

/** Returns `2 have expired, 1 within a day; the next 2026-03-01 14:05 UTC`; empty if no address shows when it expires. */
export function expiryText({ left: { expiring } }: MediaData): string {
  const { expired, day, week, later, firstAtMs } = expiring;
  const counts = listCounts([
    ['expired already', expired],
    ['within a day', day],
    ['within a week', week],
    ['later', later],
  ]);
  if (counts === '') return '';
  return firstAtMs === null ? counts : `${counts}; the next ${formatUtc(firstAtMs)}`;
}

/** Returns the text about files that cannot be copied because they are nowhere; empty if there is no such file. */
export const notInExportText = ({ notInExport }: MediaData): string =>
  notInExport === 0
    ? ''
    : `${countOf(notInExport, 'file')} that the export only names: deleted, hidden, or left out of it; outside the sum`;

/** Whether anything comes out of the export itself, whose listing is looked at when it is copied. */
export const readsExport = ({ hosts }: MediaData): boolean =>
  hosts.some(({ host, files, copied }) => host === null && copied < files);

export const hostLabel = (host: string | null): string => host ?? 'in the export';
