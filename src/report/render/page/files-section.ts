import { html, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import type { MediaData, ReportData } from '../../report-data.ts';
import { formatBytes } from '../../../lib/text/quantity.ts';
import {
  countOf,
  formatCount,
  copyingCosts,
  expiryText,
  isMediaBalanced,
  mediaOutcomes,
  hostLabel,
  notInExportText,
  readsExport,
} from '../../format.ts';
import { code, facts, number, quote, type Section, sum, table, verdictOn, say } from './elements.ts';

/**
 * Returns the section about files that are copied to their final location: what became of each, and the cost of the
 * others. Undefined if none are to be copied.
 */
export function filesSection({ media }: ReportData): Section | undefined {
  if (!media) return undefined;
  const terms = mediaOutcomes.map(({ key, label }) => [label, media[key]] as const);
  const body = html`<p class="intro">Files of planned messages, each as often as messages have it. files.csv names every one of them.</p>
${sum(media.files, media.files === 1 ? 'file' : 'files', terms)}
${verdictOn(isMediaBalanced(media), 'files')}
${sums(media)}
${costs(media)}
${media.hosts.length === 0 ? nothing : hosts(media)}
${media.faults.length === 0 ? nothing : faults(media)}
${settled(media)}`;
  return { id: 'files', title: 'Files', body };
}

const sums = (media: MediaData): SafeHtml =>
  table({
    id: 'files-sums',
    caption: 'Outcome of the files',
    isCaptionHidden: true,
    rows: mediaOutcomes,
    columns: [
      { title: 'Outcome', cell: ({ label }) => label },
      { title: 'Files', kind: 'number', cell: ({ key }) => number(media[key]) },
      { title: 'Meaning', cell: ({ meaning }) => meaning },
    ],
  });

function costs(media: MediaData): SafeHtml {
  const { location, copied, copiedBytes, waitingMessages } = media;
  const [left, expiring, nowhere] = [copyingCosts(media), expiryText(media), notInExportText(media)];
  const unseen = readsExport(media)
    ? '. Whether the export holds the files that it names is seen when they are copied'
    : '';
  return facts([
    ['Where files stay', location === null ? '' : quote(location)],
    ['Copied', copied === 0 ? '' : formatBytes(copiedBytes)],
    ['To be copied', left === '' ? '' : `${left}${unseen}`],
    ['Addresses that stop working', expiring],
    ['Messages that wait', waitingMessages === 0 ? '' : waitingText(waitingMessages)],
    ['Nowhere', nowhere],
  ]);
}

const waitingText = (count: number): string =>
  `${countOf(count, 'message')}, until their files are copied or you decide`;

function hosts({ hosts, hostCount }: MediaData): SafeHtml {
  const rest = hostCount - hosts.length;
  return html`${table({
    id: 'files-hosts',
    caption: 'Files by source host, each file once',
    isSortable: true,
    rows: hosts,
    columns: [
      { title: 'Host', cell: ({ host }) => quote(hostLabel(host)) },
      { title: 'Files', kind: 'number', cell: ({ files }) => number(files) },
      { title: 'Copied', kind: 'number', cell: ({ copied }) => number(copied) },
      { title: 'Size', cell: formatSize },
    ],
  })}${rest > 0 ? html`<p class="note">And ${countOf(rest, 'more host')} with fewer files.</p>` : nothing}`;
}

const formatSize = ({ bytes, files, unsized }: MediaData['hosts'][number]): string => {
  if (unsized === files) return 'not known';
  return unsized === 0 ? formatBytes(bytes) : `${formatBytes(bytes)}, and ${formatCount(unsized)} of unknown size`;
};

function faults({ faults, faultCount }: MediaData): SafeHtml {
  const rest = faultCount - faults.length;
  return html`${table({
    id: 'files-faults',
    caption: 'Not copied',
    filter: 'Find in this list',
    rows: faults,
    columns: [
      { title: 'First message', kind: 'place', cell: ({ location }) => code(location) },
      { title: 'File', cell: ({ name }) => quote(name) },
      { title: 'Host', cell: ({ host }) => quote(hostLabel(host)) },
      { title: 'Outcome', cell: ({ state }) => state },
      { title: 'Reason', cell: ({ reason }) => say(reason) },
    ],
  })}${rest > 0 ? html`<p class="note">And ${countOf(rest, 'more file')}: files.csv has them all.</p>` : nothing}`;
}

const settled = ({ settled }: MediaData): SafeHtml =>
  settled.length === 0
    ? nothing
    : html`<p class="note">Copying settles these checks, so they are not among your decisions: ${settled.map((name, index) => html`${index === 0 ? '' : ', '}${code(name)}`)}.</p>`;
