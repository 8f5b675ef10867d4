import { html } from '../../../lib/html.ts';
import type { ReportData } from '../../report-data.ts';
import { emptyNote, number, quote, type Section, table } from './elements.ts';

/** What the export has and the service cannot hold. */
export function lossesSection({ losses }: ReportData): Section {
  const list = table({
    id: 'losses-table',
    caption: 'Losses and what becomes of them',
    isCaptionHidden: true,
    isSortable: true,
    rows: losses,
    columns: [
      { title: 'Loss', cell: ({ name }) => quote(name) },
      { title: 'Count', kind: 'number', cell: ({ count }) => number(count) },
      { title: 'What it is', cell: ({ what }) => quote(what) },
      { title: 'What becomes of it', cell: ({ becomes }) => quote(becomes) },
    ],
  });
  const intro = html`<p class="intro">What the service has no place for, and what becomes of it.</p>`;
  const body =
    losses.length === 0 ? emptyNote('Nothing is lost: the service can hold all that was read.') : html`${intro}${list}`;
  return { id: 'losses', title: 'What does not survive', body };
}
