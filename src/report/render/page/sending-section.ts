import { html, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import { listLeft } from '../../verdict.ts';
import type { ReportData } from '../../report-data.ts';
import { formatBytes, formatDuration } from '../../../lib/text/quantity.ts';
import { countOf, formatCount, formatUtc } from '../../format.ts';
import { emptyNote, facts, plainBar, type Section, table } from './elements.ts';

export function sendingSection(data: ReportData): Section {
  const forecast = data.forecast.requests === 0 ? emptyNote('Nothing is waiting to be sent.') : forecastTables(data);
  const body = html`<h3>Still to be sent</h3>
${forecast}
<h3>This run</h3>
${requests(data)}`;
  return { id: 'sending', title: 'Sending', body };
}

function requests({ requests, elapsedMs }: ReportData): SafeHtml {
  const { action = 0 } = requests;
  if (requests.import + requests.list + action === 0) return emptyNote('The service was not asked anything.');
  const time = elapsedMs === null ? '' : ` in ${formatDuration(elapsedMs)}`;
  return html`<p>${countOf(requests.import, 'import request')} and ${countOf(requests.list, 'read request')}${action === 0 ? '' : `, ${countOf(action, 'request')} for actions`}${time}; ${formatCount(requests.retried)} repeated, ${formatCount(requests.rateLimited)} put off because the service asked for it.</p>`;
}

type Forecast = ReportData['forecast'];

function forecastTables({ totals, arrivals, forecast }: ReportData): SafeHtml {
  const { requests, reads, bytes } = forecast;
  const people = listLeft(arrivals);
  return html`<p class="intro lead">${forecastTime(forecast)}</p>
${facts([
  ['Messages', formatCount(totals.pending)],
  ...(people === '' ? [] : [['People and groups', people] as const]),
  ['Import requests', countOf(requests, 'request')],
  ['Read requests', `${countOf(reads, 'request')}, to open conversations and to read back what was sent`],
  ['To be sent', formatBytes(bytes)],
  ['Checkpoint store', describeStoreSize(forecast)],
  ['Free on its disk', renderFreeBytes(forecast)],
])}
${forecast.faster.length === 0 ? nothing : rates(forecast)}`;
}

function forecastTime({ minutes, ratePerMinute, startAtMs, endAtMs }: Forecast): string {
  if (minutes === null)
    return 'How long it takes depends on the rate of the destination, which is not known here: plan with --profile or --rate.';
  const pace = ratePerMinute === null ? '' : ` at ${countOf(ratePerMinute, 'import request')} per minute`;
  const end = endAtMs === null ? '' : `: begun ${formatUtc(startAtMs)}, done ${formatUtc(endAtMs)}`;
  return `About ${formatDuration(minutes * 60_000)}${pace}${end}.`;
}

const describeStoreSize = ({ storeBytes, storeBytesAfter }: Forecast): string =>
  `${formatBytes(storeBytes)} now, about ${formatBytes(storeBytesAfter)} when everything is sent`;

function renderFreeBytes({ storeBytes, storeBytesAfter, freeBytes }: Forecast): SafeHtml | string {
  if (freeBytes === null) return 'the file system does not say';
  const isTight = storeBytesAfter - storeBytes > freeBytes;
  return isTight
    ? html`<b class="alarm">${formatBytes(freeBytes)}: too little for the store to grow</b>`
    : formatBytes(freeBytes);
}

/** Bars are minutes, so that a shorter one is better. */
function rates({ ratePerMinute, minutes, faster }: Forecast): SafeHtml {
  const isKnown = ratePerMinute !== null && minutes !== null;
  const rows = isKnown ? [{ ratePerMinute, minutes }, ...faster] : faster;
  const longest = Math.max(...rows.map((row) => row.minutes));
  return table({
    id: 'rates',
    caption: isKnown ? 'Time at higher rates' : 'At a rate of',
    rows,
    columns: [
      { title: 'Requests per minute', cell: (row) => formatCount(row.ratePerMinute) },
      {
        title: 'Time',
        kind: 'bar',
        cell: (row) => plainBar('minutes', row.minutes, longest),
      },
      { title: 'Takes', kind: 'number', cell: (row) => formatDuration(row.minutes * 60_000) },
    ],
  });
}
