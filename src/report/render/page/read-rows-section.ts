import { html } from '../../../lib/text/html.ts';
import type { ReportData } from '../../report-data.ts';
import { code, type Section, table } from './elements.ts';

/** Returns the section for tables: rows, and below each the message that it became. A wrong reading shows here. */
export function readRowsSection({ rowsRead = [] }: ReportData): Section | undefined {
  if (rowsRead.length === 0) return undefined;
  const intro = html`<p class="intro">Compare: is this who wrote it, where, when, and with these words? Columns that the mapping names are shown; of texts the first 40 characters, of addresses the host; secrets and e-mail addresses are left out.</p>`;
  const tables = rowsRead.map(({ place, row, message }, index) => {
    const filled = row.filter(({ value }) => value !== '').map(({ column, value }) => ({ name: column, value }));
    const parts = message.map(({ part, text }) => ({ name: part, value: text }));
    return html`<h3>${code(place)}</h3>
${pairs(`row-read-${index}`, 'The row', filled)}
${pairs(`row-became-${index}`, 'The message', parts)}
`;
  });
  return { id: 'rows-read', title: 'Rows, and the messages that they become', body: html`${intro}${tables}` };
}

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
