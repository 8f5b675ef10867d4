import { html, type SafeHtml } from '../../../lib/html.ts';
import { countOf } from '../format.ts';
import type { ReportData } from '../../report-data.ts';
import { bar } from './bars.ts';
import { quote } from './quote.ts';
import { emptyNote } from './section.ts';
import { number, table } from './table.ts';

/** Files are carried over by their address, so the host decides how long they can be seen. */
export function hosts({ attachmentHosts, attachmentHostCount }: ReportData): SafeHtml {
  if (attachmentHosts.length === 0) return emptyNote('No planned message carries a file with an address.');
  const most = Math.max(...attachmentHosts.map(({ count }) => count));
  const missing = attachmentHostCount - attachmentHosts.length;
  const rest = missing > 0 ? ` ${countOf(missing, 'more host')} with fewer files.` : '';
  return html`${table({
    id: 'hosts',
    caption: 'Files of planned messages by the host of their address',
    isCaptionHidden: true,
    isSortable: true,
    rows: attachmentHosts,
    columns: [
      { title: 'Host', cell: ({ host }) => quote(host) },
      { title: 'Part', kind: 'bar', cell: ({ count }) => bar([{ name: 'plain', label: 'files', count }], most) },
      { title: 'Files', kind: 'number', cell: ({ count }) => number(count) },
    ],
  })}
<p class="note">Files are not copied: a message keeps the address that the export gives.${rest}</p>`;
}
