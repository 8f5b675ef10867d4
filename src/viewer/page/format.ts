import { countOf, formatCount } from '../../lib/text/count.ts';
import { formatBytes } from '../../lib/text/quantity.ts';

/** Counts and times as people read them, in their own zone. */

const times = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const days = new Intl.DateTimeFormat('en', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
const shortDays = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const longDays = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

export { countOf, formatCount };

const toDate = (seconds: number): Date | undefined => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

const formatted = (seconds: number, format: Intl.DateTimeFormat): string => {
  const date = toDate(seconds);
  return date ? format.format(date) : `second ${seconds}`;
};

export const formatTime = (seconds: number): string => formatted(seconds, times);
export const formatDay = (seconds: number): string => formatted(seconds, days);
export const formatMoment = (seconds: number): string => `${formatted(seconds, longDays)}, ${formatTime(seconds)}`;

/** For `datetime` attributes. */
export const toIso = (seconds: number): string => toDate(seconds)?.toISOString() ?? '';

/** Returns the day in this zone, such as `2026-03-02`: the key of a day, and the value of a date field. */
export function dayKey(seconds: number): string {
  const date = toDate(seconds);
  if (!date) return '';
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** A time in a list: of today the hour, of this year the day. */
export function formatRecent(seconds: number): string {
  const date = toDate(seconds);
  const now = new Date();
  if (!date) return '';
  if (dayKey(seconds) === dayKey(now.getTime() / 1000)) return times.format(date);
  return (date.getFullYear() === now.getFullYear() ? shortDays : longDays).format(date);
}

/** Formats a size, which may have been written next to a file in any form. Returns an empty text if it is not a size. */
export function formatSize(size: unknown): string {
  const bytes = size === null || size === '' ? Number.NaN : Number(size);
  return bytes >= 0 && Number.isFinite(bytes) ? formatBytes(bytes) : '';
}
