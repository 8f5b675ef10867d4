import { html, nothing } from '../../../lib/text/html.ts';
import type { ReportData } from '../../report-data.ts';
import { code, type Section, table } from './elements.ts';

/** Returns the section for tables: rows, and below each the message that it became. A wrong reading shows here. */
export function readRowsSection({ rowsRead = [], reading }: ReportData): Section | undefined {
  if (rowsRead.length === 0 && reading === undefined) return undefined;
  const intro = html`<p class="intro">Compare: is this who wrote it, where, when, and with these words? Columns that the mapping names are shown; of texts the first 40 characters, of addresses the host; secrets and e-mail addresses are left out.</p>`;
  const tables = rowsRead.map(({ place, row, message }, index) => {
    const filled = row.filter(({ value }) => value !== '').map(({ column, value }) => ({ name: column, value }));
    const parts = message.map(({ part, text }) => ({ name: part, value: text }));
    return html`<h3>${code(place)}</h3>
${pairs(`row-read-${index}`, 'The row', filled)}
${pairs(`row-became-${index}`, 'The message', parts)}
`;
  });
  const body = html`${reading === undefined ? nothing : pictureTable(reading)}${rowsRead.length === 0 ? nothing : intro}${tables}`;
  return { id: 'rows-read', title: 'Rows, and the messages that they become', body };
}

function pictureTable({ state, by, at, stops, news, picture }: NonNullable<ReportData['reading']>) {
  const who =
    state === 'confirmed' ? `Confirmed by ${by ?? 'a person'}${at === null ? '' : `, ${at}`}.` : whoVouches[state];
  const sentences = [...stops, ...news].map((sentence) => html`<p class="intro"><bdi>${sentence}</bdi></p>`);
  const rows = picture.map(([name, value]) => ({ name, value }));
  return html`<p class="intro"><bdi>${who}</bdi></p>${sentences}${rows.length === 0 ? nothing : pairs('reading', 'What becomes of the rows', rows)}`;
}

const whoVouches = {
  proposed: 'No person has confirmed how the rows are read.',
  'by hand': 'The author of the mapping vouches for how the rows are read.',
} as const;

const pairs = (id: string, caption: string, rows: readonly { readonly name: string; readonly value: string }[]) =>
  table({
    id,
    caption,
    rows,
    columns: [
      { title: caption === 'The row' ? 'Column' : 'Part', cell: ({ name }) => name },
      { title: 'Value', cell: ({ value }) => html`<bdi>${value}</bdi>` },
    ],
  });
