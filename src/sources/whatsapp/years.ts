import { calendarDay } from '../kit/time/calendars.ts';

/** Years of our calendar in which an export of WhatsApp may have messages. */
const [from, to] = [2009, 2099];

/** The year before the first one of eras that are written before a date, by how they begin. */
const eraStarts: Readonly<Record<string, number>> = {
  R: 2018,
  令和: 2018,
  H: 1988,
  平成: 1988,
  民國: 1911,
  民国: 1911,
};

export const eraPattern = `(?:${Object.keys(eraStarts).join('|')}|AP)`;

/**
 * Midnight of a date, as if it were UTC, in ms. Its calendar is certain by its year alone, or by its era:
 *
 * - `2024`, and `24` from `09` to `51`: ours;
 * - `2567`, and `67` from `52` to `87`: Buddhist, for ours would be in the future;
 * - `1402`: Persian; `113`: that of Taiwan; `R6`: Japanese.
 *
 * @returns undefined for other years, which two calendars may have, and for a day that there is not.
 */
export function dayOf(year: number, month: number, day: number, era: string | undefined): number | undefined {
  const isLatest = latest.day === day && latest.month === month && latest.year === year && latest.era === era;
  if (!isLatest) latest = { year, month, day, era, ms: findDay(year, month, day, era) };
  return latest.ms;
}

interface FoundDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly era: string | undefined;
  readonly ms: number | undefined;
}

/** The messages of a day follow each other, and finding a day of the Persian calendar takes 30 µs. */
let latest: FoundDay = { year: 0, month: 0, day: 0, era: undefined, ms: undefined };

function findDay(year: number, month: number, day: number, era: string | undefined): number | undefined {
  const { calendar, year: counted } = chooseCalendar(year, era);
  const ms = counted === undefined ? undefined : calendarDay(calendar, [counted, month, day]);
  if (ms === undefined) return undefined;
  const own = new Date(ms).getUTCFullYear();
  return own >= from && own <= to ? ms : undefined;
}

function chooseCalendar(
  year: number,
  era: string | undefined,
): { readonly calendar: string; readonly year: number | undefined } {
  const start = era === undefined ? undefined : eraStarts[era];
  if (start !== undefined) return { calendar: 'gregory', year: start + year };
  if (era === 'AP' || (year >= 1388 && year <= 1425)) return { calendar: 'persian', year };
  if (year >= 1000) return { calendar: 'gregory', year };
  if (year >= 100) return { calendar: 'roc', year: year <= 140 ? year : undefined };
  if (year >= 9 && year <= 51) return { calendar: 'gregory', year: 2000 + year };
  return { calendar: 'buddhist', year: year >= 52 && year <= 87 ? 2500 + year : undefined };
}
