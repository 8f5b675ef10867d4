import { html, nothing, type HtmlValue, type SafeHtml } from '../../../lib/html.ts';
import { formatCount } from '../format.ts';

/** A column of a table: its heading, and what stands in its cells. */
export interface Column<Row> {
  readonly title: string;
  /** `number` is right-aligned with figures of equal width, `bar` takes the room that is left. */
  readonly kind?: 'text' | 'number' | 'bar' | 'date' | 'place';
  readonly cell: (row: Row) => HtmlValue;
}

export interface TableOptions<Row> {
  /** Unique on the page: the scrolling region is named by the caption. */
  readonly id: string;
  readonly caption: string;
  /** The first column names its row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The caption repeats a heading just above: for screen readers only. */
  readonly isCaptionHidden?: boolean;
  /** Wide tables scroll inside themselves; the cells of the others are stacked where the screen is narrow. */
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

function heading<Row>(column: Column<Row>): SafeHtml {
  return html`<th scope="col" class="${column.kind ?? 'text'}">${column.title}</th>`;
}

function cell<Row>(column: Column<Row>, row: Row, isFirst: boolean): SafeHtml {
  const kind = column.kind ?? 'text';
  if (isFirst) return html`<th scope="row" class="${kind}">${column.cell(row)}</th>`;
  return html`<td class="${kind}">${column.cell(row)}</td>`;
}

/** A count in a table: zeros are dimmed, so that the others stand out. */
export function number(count: number): SafeHtml {
  return count === 0 ? html`<span class="zero">0</span>` : html`${formatCount(count)}`;
}
