import type { ReportData } from './report-data.ts';

export interface TimeBin {
  /** `Mar 2024`, `Q1 2024`, `2024` or `2010–2014`. */
  readonly label: string;
  readonly year: number;
  /** Whether this is the first column of its year. */
  readonly opensYear: boolean;
  readonly count: number;
}

const columnsMax = 60;
/** Months, quarters, years, then as many years as it takes for dates that cannot all be right (year 1 and 9999). */
const stepsInMonths = [1, 3, 12, 60, 120, 600, 1_200, 12_000];
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Columns without gaps, oldest first, at most 60. Months that do not read `YYYY-MM` are left to the table. */
export function timeBins(months: ReportData['months']): readonly TimeBin[] {
  const counts = new Map<number, number>();
  for (const { month, count } of months) {
    const index = monthIndex(month);
    if (index !== null) counts.set(index, (counts.get(index) ?? 0) + count);
  }
  if (counts.size === 0) return [];
  const first = Math.min(...counts.keys());
  const last = Math.max(...counts.keys());
  const step = stepsInMonths.find((months) => columnCount(first, last, months) <= columnsMax) ?? 12_000;
  return fill(counts, step, Math.floor(first / step), Math.floor(last / step));
}

/** A column for each day, without gaps. Undefined if there is no day, or if they span more than 62. */
export function dayBins(
  days: readonly { readonly day: string; readonly count: number }[],
): readonly TimeBin[] | undefined {
  const counts = new Map(days.map(({ day, count }) => [Date.parse(day) / dayMs, count]));
  const first = Math.min(...counts.keys());
  const last = Math.max(...counts.keys());
  if (days.length === 0 || last - first >= daysMax) return undefined;
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const date = new Date((first + index) * dayMs);
    const year = date.getUTCFullYear();
    const label = `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]} ${year}`;
    return { label, year, opensYear: false, count: counts.get(first + index) ?? 0 };
  });
}

const dayMs = 86_400_000;
const daysMax = 62;

export function binName(bins: readonly TimeBin[]): string {
  const label = bins[0]?.label ?? '';
  if (/^\d+ [A-Z]/.test(label)) return 'day';
  if (/^\d+$/.test(label)) return 'year';
  if (label.startsWith('Q')) return 'quarter';
  return label.includes('–') ? 'span of years' : 'month';
}

const columnCount = (first: number, last: number, step: number): number =>
  Math.floor(last / step) - Math.floor(first / step) + 1;

/** Months since year 0. */
function monthIndex(month: string): number | null {
  const parts = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month);
  return parts === null ? null : Number(parts[1]) * 12 + Number(parts[2]) - 1;
}

function fill(counts: ReadonlyMap<number, number>, step: number, first: number, last: number): readonly TimeBin[] {
  const sums = new Array<number>(last - first + 1).fill(0);
  for (const [month, count] of counts) {
    const column = Math.floor(month / step) - first;
    sums[column] = (sums[column] ?? 0) + count;
  }
  return sums.map((count, column) => makeBin((first + column) * step, step, count));
}

function makeBin(month: number, step: number, count: number): TimeBin {
  const year = Math.floor(month / 12);
  return { label: formatTick(month % 12, year, step), year, opensYear: month % 12 === 0, count };
}

function formatTick(monthOfYear: number, year: number, step: number): string {
  if (step === 1) return `${monthNames[monthOfYear]} ${year}`;
  if (step === 3) return `Q${monthOfYear / 3 + 1} ${year}`;
  return step === 12 ? String(year) : `${year}–${year + step / 12 - 1}`;
}
