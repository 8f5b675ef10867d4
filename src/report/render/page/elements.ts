import { html, type HtmlValue, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import { formatCount } from '../../format.ts';

export interface Column<Row> {
  readonly title: string;
  /** `number` is right-aligned with figures of equal width, `bar` takes the room that is left. */
  readonly kind?: 'text' | 'number' | 'bar' | 'date' | 'place';
  readonly cell: (row: Row) => HtmlValue;
}

export interface TableOptions<Row> {
  /** Unique on the page: the scrolling region is named by the caption. */
  readonly id: string;
  readonly caption: HtmlValue;
  /** The first column names its row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The caption repeats a heading just above: for screen readers only. */
  readonly isCaptionHidden?: boolean;
  /** Wide tables scroll inside themselves; the cells of the others are stacked on a narrow screen. */
  readonly isWide?: boolean;
  /** Whether its script lets readers sort it by a column. */
  readonly isSortable?: boolean;
  /** Label of a field that hides the rows without a word; shown where there are enough rows, and a script. */
  readonly filter?: string;
}

export function table<Row>(options: TableOptions<Row>): SafeHtml {
  const { id, caption, columns, rows } = options;
  const classes = `${options.isWide ? 'wide' : 'stack'}${options.isSortable ? ' sortable' : ''}`;
  const filter = options.filter === undefined ? nothing : html` data-filter="${options.filter}"`;
  const markup = html`<table class="${classes}"${filter}>
<caption id="${id}"${options.isCaptionHidden ? html` class="unseen"` : nothing}>${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>${columns.map((column, index) => cell(column, row, index === 0))}</tr>
`,
)}</tbody>
</table>`;
  if (!options.isWide) return markup;
  return html`<div class="scroll" role="region" aria-labelledby="${id}" tabindex="0">${markup}</div>`;
}

const heading = <Row>(column: Column<Row>): SafeHtml =>
  html`<th scope="col" class="of-${column.kind ?? 'text'}">${column.title}</th>`;

function cell<Row>(column: Column<Row>, row: Row, isFirst: boolean): SafeHtml {
  const kind = column.kind ?? 'text';
  if (isFirst) return html`<th scope="row" class="of-${kind}">${column.cell(row)}</th>`;
  return html`<td class="of-${kind}">${column.cell(row)}</td>`;
}

/** Returns a count for a table: zeros are dimmed, so that the others are easy to see. */
export const number = (count: number): SafeHtml =>
  count === 0 ? html`<span class="zero">0</span>` : html`${formatCount(count)}`;

export interface Section {
  /** One of ours, never from data: it becomes an anchor. */
  readonly id: string;
  readonly title: string;
  readonly body: SafeHtml;
}

/** Targets of links on a page that has more than the report: fragments of its address. */
export interface Links {
  /** The message that was made of the row at a location; absent if none can be shown. */
  readonly toMessage?: ((location: string) => string) | undefined;
  /** The place at which a person decides about a setting of the mapping. */
  toSetting(key: string): string | undefined;
}

export const renderSection = ({
  id,
  title,
  body,
}: Section): SafeHtml => html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>
`;

export const emptyNote = (sentence: string): SafeHtml => html`<p class="empty">${sentence}</p>`;

/** UTF-16 units. One message can be megabytes; the page shows enough to recognise it. */
const lengthMax = 1_000;

/** Returns text from an export or a server: in its own direction, cut to a readable length, and named if it is empty. */
export function quote(text: string): SafeHtml {
  if (text.trim() === '') return html`<i class="zero">(empty)</i>`;
  return html`<bdi>${cut(text)}</bdi>`;
}

/** Words of the program, which may hold names of the export. */
export const say = (text: string): SafeHtml => html`<span dir="auto">${cut(text)}</span>`;

/** The same for paths, ids and codes. */
export const code = (text: string): SafeHtml => html`<code><bdi>${cut(text)}</bdi></code>`;

const cut = (text: string): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}… (cut, ${formatCount(text.length)} characters)`;

/** Those whose value is empty are left out. */
export function facts(pairs: readonly (readonly [name: string, value: HtmlValue])[]): SafeHtml {
  const filled = pairs.filter(([, value]) => value !== '');
  return html`<dl class="facts">${filled.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
  )}</dl>`;
}

/** A count and the terms of which it is the sum. */
export function sum(
  total: number,
  name: string,
  terms: readonly (readonly [label: HtmlValue, count: number])[],
): SafeHtml {
  const parts = terms.map(
    ([label, count], index) =>
      // An operator and the term after it stay together when the line wraps.
      html` <span class="part"><span class="op">${index === 0 ? '=' : '+'}</span> <span class="term${count === 0 ? ' none' : ''}"><b>${formatCount(count)}</b> <span>${label}</span></span></span>`,
  );
  return html`<p class="sum"><span class="term"><b>${formatCount(total)}</b> <span>${name}</span></span>${parts}</p>`;
}

export const verdictOn = (holds: boolean, what: 'files' | 'rows'): SafeHtml =>
  holds
    ? html`<p class="check"><span aria-hidden="true">✓</span> All ${what} are accounted for.</p>`
    : html`<p class="check bad"><span aria-hidden="true">✗</span> The ${what === 'rows' ? 'totals do' : 'total does'} not add up. This is an internal error of Chatferry: please report it.</p>`;

/** Part of a bar. `name` is one of the outcomes, or `plain`; the stylesheet colours it. */
export interface Segment {
  readonly name: string;
  readonly label: string;
  readonly count: number;
}

/** Percent: a handful of refused messages among a million must be seen. */
const visibleMin = 0.6;

/**
 * Returns segments side by side, `total` being the whole width. Small ones are drawn wider than they are, at the cost
 * of the widest. The numbers are always next to the bar, so the drawing itself is hidden from screen readers.
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
  return html`<svg class="bars ${size}" width="100%" height="${size === 'thick' ? 34 : 12}" aria-hidden="true">${parts}</svg>`;
}

export const plainBar = (label: string, count: number, total: number): SafeHtml =>
  bar([{ name: 'plain', label, count }], total);

/** A patch of a segment's colour, for legends. An SVG, because browsers do not print backgrounds. */
export const swatch = (name: string): SafeHtml =>
  html`<svg class="swatch" width="12" height="12" aria-hidden="true"><rect class="s-${name}" width="12" height="12"/></svg>`;

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
