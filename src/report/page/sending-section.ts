import { html, type SafeHtml } from '../../lib/html.ts';
import { countOf, formatBytes, formatCount, formatDuration } from '../format.ts';
import type { ReportData } from '../report-data.ts';
import { emptyNote, type Section } from './section.ts';

/** What is still to be sent and what that takes, and what this run has asked of the service. */
export function sendingSection(data: ReportData): Section {
  const body = html`<h3>Still to be sent</h3>
${forecast(data)}
<h3>This run</h3>
${requests(data)}`;
  return { id: 'sending', title: 'Sending', body };
}

function forecast({ books, forecast: { requests, bytes, minutes, ratePerMinute } }: ReportData): SafeHtml {
  if (books.pending === 0) return emptyNote('Nothing is waiting to be sent.');
  const messages = countOf(books.pending, 'message');
  const pace = ratePerMinute === null ? '' : ` at ${countOf(ratePerMinute, 'request')} per minute`;
  const time =
    minutes === null
      ? 'How long that takes is not known: the rate of this destination is not.'
      : `That takes about ${formatDuration(minutes * 60_000)}${pace}.`;
  return html`<p>${messages} in ${countOf(requests, 'import request')} with ${formatBytes(bytes)}. ${time}</p>`;
}

function requests({ requests, elapsedMs }: ReportData): SafeHtml {
  if (requests.import + requests.list === 0) return emptyNote('The service was not asked anything.');
  const time = elapsedMs === null ? '' : ` in ${formatDuration(elapsedMs)}`;
  return html`<p>${countOf(requests.import, 'import request')} and ${countOf(requests.list, 'read request')}${time}; ${formatCount(requests.retried)} repeated, ${formatCount(requests.rateLimited)} put off because the service asked for it.</p>`;
}
