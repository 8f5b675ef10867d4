import { html, type SafeHtml } from '../../../lib/html.ts';
import { formatCount } from '../format.ts';

/** Part of a bar. `name` is one of the outcomes, or `plain`; the stylesheet colours it. */
export interface Segment {
  readonly name: string;
  readonly label: string;
  readonly count: number;
}

/** Percent: a handful of refused messages among a million must be seen. */
const visibleMin = 0.6;

/**
 * Segments side by side, `total` being the whole width. Small ones are drawn wider than they are, at the cost of the
 * widest; the numbers always stand beside the bar, so the drawing itself is hidden from screen readers.
 */
export function bar(segments: readonly Segment[], total: number, size: 'thin' | 'thick' = 'thin'): SafeHtml {
  const widths = visibleWidths(segments.map(({ count }) => (total === 0 ? 0 : (100 * count) / total)));
  const parts: SafeHtml[] = [];
  let left = 0;
  for (const [index, segment] of segments.entries()) {
    const width = widths[index] ?? 0;
    if (width > 0) parts.push(rectangle(segment, left, width));
    left += width;
  }
  return html`<svg class="bar ${size}" width="100%" height="${size === 'thick' ? 34 : 12}" aria-hidden="true">${parts}</svg>`;
}

/** A patch of a segment's colour, for legends. An SVG, because browsers do not print backgrounds. */
export function swatch(name: string): SafeHtml {
  return html`<svg class="swatch" width="12" height="12" aria-hidden="true"><rect class="s-${name}" width="12" height="12"/></svg>`;
}

/** Patterns that the stylesheet refers to; once per page. */
export const patterns: SafeHtml = html`<svg class="defs" width="0" height="0" aria-hidden="true"><defs>
<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><rect class="hatch-line" width="2" height="6"/></pattern>
</defs></svg>`;

function rectangle(segment: Segment, left: number, width: number): SafeHtml {
  const title = `${segment.label}: ${formatCount(segment.count)}`;
  return html`<rect class="s-${segment.name}" x="${round(left)}%" width="${round(width)}%" height="100%"><title>${title}</title></rect>`;
}

function visibleWidths(widths: readonly number[]): readonly number[] {
  const shown = widths.map((width) => (width > 0 ? Math.max(width, visibleMin) : 0));
  const added = shown.reduce((sum, width, index) => sum + width - (widths[index] ?? 0), 0);
  const widest = shown.indexOf(Math.max(...shown));
  return shown.map((width, index) => (index === widest && width > 0 ? Math.max(visibleMin, width - added) : width));
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000;
