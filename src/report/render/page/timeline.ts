import { html, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import { countOf, formatCount } from '../../format.ts';
import { binName, type TimeBin } from '../../time-bins.ts';

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
