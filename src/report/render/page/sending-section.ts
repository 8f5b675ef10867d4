import { html, type SafeHtml } from '../../../lib/html.ts';
import { countOf, formatCount, formatDuration } from '../format.ts';
import type { ReportData } from '../../report-data.ts';
import { forecastTables } from './forecast-tables.ts';
import { emptyNote, type Section } from './section.ts';

/** What is still to be sent and what that takes, and what this run has asked of the service. */
export function sendingSection(data: ReportData): Section {
  const forecast = data.books.pending === 0 ? emptyNote('Nothing is waiting to be sent.') : forecastTables(data);
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
