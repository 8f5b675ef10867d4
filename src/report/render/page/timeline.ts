import { html, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import type { ReportData } from '../../report-data.ts';
import { countOf, formatCount } from '../../format.ts';

/**
 * Columns over time as inline SVG. Horizontal places are in percent and the SVG has no viewBox, so the drawing
 * follows the page's width while its text keeps its size.
 */

/** Pixels: the top of the highest gridline, its lowest, and the whole with the labels under it. */
const topPx = 14;
const basePx = 194;
const heightPx = 220;
/** A short history keeps narrow columns instead of a few broad slabs. */
const slotsMin = 8;

export function timeline(bins: readonly TimeBin[]): SafeHtml {
  const ticks = ticksFor(Math.max(...bins.map((bin) => bin.count)));
  const top = ticks.at(-1) ?? 1;
  const slots = Math.max(slotsMin, bins.length);
  const columns = bins.map((bin, index) => column(bin, (100 * index) / slots, 100 / slots, top));
  // 7.7 px: a digit of the widest of the system fonts at 12 px.
  const axisPx = Math.ceil(formatCount(top).length * 7.7);
  return html`<div class="timeline">
<svg class="axis" width="${axisPx + 6}" height="${heightPx}" aria-hidden="true">${ticks.map((tick) => tickLabel(tick, top, axisPx))}</svg>
<svg class="plot" width="100%" height="${heightPx}" role="img" aria-label="${describe(bins)}">
${ticks.map((tick) => gridline(tick, top))}
${columns}
${dates(bins, slots)}
</svg>
</div>`;
}

/** The picture in words, for those who do not see it. */
function describe(bins: readonly TimeBin[]): string {
  const first = bins[0];
  const last = bins.at(-1);
  const busiest = bins.reduce((best, bin) => (bin.count > best.count ? bin : best));
  return `Planned messages per ${binName(bins)}, ${first?.label} to ${last?.label}; most in ${busiest.label}: ${formatCount(busiest.count)}`;
}

/** Zero and about four round numbers (1, 2 or 5 times a power of ten) up to one that is not below the maximum. */
export function ticksFor(maximum: number): readonly number[] {
  const rough = Math.max(1, maximum / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.max(1, Math.ceil(maximum / step)) + 1 }, (_, index) => index * step);
}

const yOf = (count: number, top: number): number => basePx - ((basePx - topPx) * count) / top;

const tickLabel = (tick: number, top: number, right: number): SafeHtml =>
  html`<text x="${right}" y="${round(yOf(tick, top) + 4)}" text-anchor="end">${formatCount(tick)}</text>`;

function gridline(tick: number, top: number): SafeHtml {
  const y = round(yOf(tick, top));
  return html`<line class="${tick === 0 ? 'base' : 'grid'}" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
}

/** A column is at least one pixel high where there was a message at all. */
function column(bin: TimeBin, leftPercent: number, widthPercent: number, top: number): SafeHtml {
  if (bin.count === 0) return nothing;
  const height = Math.max(1, basePx - yOf(bin.count, top));
  const gap = widthPercent * 0.1;
  return html`<rect x="${round(leftPercent + gap)}%" width="${round(widthPercent - 2 * gap)}%" y="${round(basePx - height)}" height="${round(height)}"><title>${bin.label}: ${countOf(bin.count, 'message')}</title></rect>
`;
}

/** At most ten dates on a wide page and five on a narrow one: years where there are several, else every so many columns. */
function dates(bins: readonly TimeBin[], slots: number): readonly SafeHtml[] {
  const named = bins.map((bin, index) => ({ ...bin, leftPercent: (100 * index) / slots }));
  const openings = named.filter((bin) => bin.opensYear);
  const byYear = openings.length >= 3;
  const candidates = byYear ? openings : named;
  const step = Math.ceil(candidates.length / 10);
  return candidates
    .filter((bin, index) => index % step === 0 && bin.leftPercent <= 94)
    .map((bin, index) => dateLabel(byYear ? String(bin.year) : bin.label, bin.leftPercent, index % 2 === 1));
}

const dateLabel = (text: string, leftPercent: number, isWideOnly: boolean): SafeHtml =>
  html`<text class="${isWideOnly ? 'date wide' : 'date'}" x="${round(leftPercent)}%" y="${heightPx - 6}">${text}</text>`;

const round = (value: number): number => Math.round(value * 100) / 100;

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
export function dayBins(days: NonNullable<ReportData['days']>): readonly TimeBin[] | undefined {
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
