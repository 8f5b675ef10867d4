import type { MediaData } from './report-data.ts';
import { formatBytes, formatDuration } from '../lib/text/quantity.ts';
import { countOf, formatCount, formatUtc, listCounts } from './format.ts';

/** Outcome of a file, in the words that every form of the report uses. */

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

export const nameOfHost = (host: string | null): string => host ?? 'in the export';
