import { html, type SafeHtml } from '../../../lib/text/html.ts';
import type { ReportData } from '../../report-data.ts';
import { countOf, formatCount } from '../../format.ts';
import { bar, code, emptyNote, number, plainBar, quote, type Section, table, say } from './elements.ts';
import { binName, dayBins, timeBins } from '../../time-bins.ts';
import { timeline } from './timeline.ts';

/** A century: dates that cannot all be right may fill more, and report.json has them. */
const monthsMax = 1_200;

export function contentSection(data: ReportData): Section {
  const body = html`<h3>Over time</h3>
${overTime(data)}
<div class="pair">
<div><h3>By kind</h3>
${kinds(data)}
<h3>Location of the files</h3>
${hosts(data)}</div>
<div><h3>Most active authors</h3>
${authors(data)}</div>
</div>`;
  return { id: 'content', title: 'Content', body };
}

function overTime({ months, days = [] }: ReportData): SafeHtml {
  const bins = dayBins(days) ?? timeBins(months);
  if (months.length === 0) return emptyNote('No message is planned, so there is nothing to draw.');
  const chart =
    bins.length === 0
      ? emptyNote('No month could be drawn.')
      : html`${timeline(bins)}
<p class="note">Planned messages per ${binName(bins)}, UTC.</p>`;
  const listed = months.slice(-monthsMax);
  const list = table({
    id: 'months',
    caption: 'Planned messages per month (UTC)',
    isSortable: true,
    rows: listed,
    columns: [
      { title: 'Month', cell: ({ month }) => say(month) },
      { title: 'Messages', kind: 'number', cell: ({ count }) => number(count) },
    ],
  });
  return html`${chart}
<details><summary>${countOf(listed.length, 'month')} in numbers</summary>${list}</details>`;
}

type Content = ReportData['contents'][number];

function kinds({ contents: rows }: ReportData): SafeHtml {
  if (rows.length === 0) return emptyNote('There is no message.');
  const most = Math.max(...rows.map(({ read, planned }) => Math.max(read, planned)));
  return html`${table({
    id: 'kinds',
    caption: 'Content of the messages',
    isCaptionHidden: true,
    isSortable: true,
    rows,
    columns: [
      { title: 'Kind', cell: ({ name }) => say(name) },
      { title: 'Part', kind: 'bar', cell: (content) => contentBar(content, most) },
      { title: 'Read', kind: 'number', cell: ({ read }) => number(read) },
      { title: 'Planned', kind: 'number', cell: ({ planned }) => number(planned) },
    ],
  })}
<p class="note">Rows, files or reactions; a message may be of several kinds. Hatched: read, but not planned.</p>`;
}

const contentBar = ({ read, planned }: Content, total: number): SafeHtml =>
  bar(
    [
      { name: 'plain', label: 'planned', count: planned },
      { name: 'skipped', label: 'not planned', count: Math.max(0, read - planned) },
    ],
    total,
  );

function authors({ authors, people, anonymous }: ReportData): SafeHtml {
  if (anonymous) return emptyNote('They are left out.');
  if (authors.length === 0) return emptyNote('No message is planned.');
  const most = Math.max(...authors.map(({ count }) => count));
  const { total, bots, deleted, placeholders } = people;
  return html`${table({
    id: 'authors',
    caption: 'People by number of planned messages',
    isCaptionHidden: true,
    isSortable: true,
    rows: authors,
    columns: [
      { title: 'Person', cell: ({ name, uid }) => html`${quote(name)} <span class="sub">${code(uid)}</span>` },
      { title: 'Part', kind: 'bar', cell: ({ name, count }) => plainBar(name, count, most) },
      { title: 'Messages', kind: 'number', cell: ({ count }) => number(count) },
    ],
  })}
<p class="note">${countOf(total, 'person', 'people')} in all, among them ${countOf(bots, 'bot')}, ${formatCount(deleted)} deleted, ${countOf(placeholders, 'placeholder')} for authors that the export does not describe.</p>`;
}

/** Files are migrated by their address, so the host decides how long they can be seen. */
function hosts({ attachmentHosts, attachmentHostCount, media }: ReportData): SafeHtml {
  if (attachmentHosts.length === 0) return emptyNote('No planned message has a file with an address.');
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
      { title: 'Part', kind: 'bar', cell: ({ count }) => plainBar('files', count, most) },
      { title: 'Files', kind: 'number', cell: ({ count }) => number(count) },
    ],
  })}
<p class="note">${media ? 'These are the addresses of the export; the section “Files” says what was copied.' : 'Files are not copied: a message keeps the address that the export gives.'}${rest}</p>`;
}
