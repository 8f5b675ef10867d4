import { html, type HtmlValue, nothing, type SafeHtml } from '../../../lib/html.ts';
import {
  countOf,
  formatBytes,
  formatCount,
  formatDay,
  formatDuration,
  formatShare,
  formatUtc,
  ofSeverity,
} from '../format.ts';
import { arrivedOf } from '../outcomes.ts';
import type { ReportData } from '../../report-data.ts';

/** One of the answers at the top: a figure, what it is, and a line that qualifies it. */
interface Tile {
  readonly figure: string;
  readonly label: string;
  readonly detail: HtmlValue;
  readonly tone: 'good' | 'notice' | 'bad' | 'plain';
}

/** The answers that somebody looks for who reads nothing else: what arrives, what does not, what to decide, how long. */
export function glance(data: ReportData): SafeHtml {
  if (data.books.read === 0) return nothing;
  const tiles = [arriving(data), leftOut(data), deciding(data), lasting(data)];
  return html`<ul class="glance" aria-label="At a glance">${tiles.map(
    ({
      figure,
      label,
      detail,
      tone,
    }) => html`<li class="${tone}"><b>${figure}</b> <span>${label}</span> <small>${detail}</small></li>
`,
  )}</ul>
`;
}

function arriving({ books, conversations, plannedConversationCount, command, people }: ReportData): Tile {
  const arrived = arrivedOf(books);
  const isPlan = command === 'plan' || arrived + books.refused + books.inDoubt === 0;
  const detail = `${formatShare(isPlan ? books.planned : arrived, books.read)} of what was read, ${countOf(plannedConversationCount, 'conversation')}, ${countOf(people.total, 'person', 'people')}, ${spanOf(conversations)}`;
  if (isPlan) return { figure: formatCount(books.planned), label: 'will arrive', detail, tone: 'plain' };
  const tone = arrived === books.planned ? 'good' : 'plain';
  return { figure: formatCount(arrived), label: 'have arrived', detail, tone };
}

/** Of the conversations that the report carries: the largest. */
function spanOf(conversations: ReportData['conversations']): string {
  const firsts = conversations.flatMap(({ firstAtMs }) => firstAtMs ?? []);
  const lasts = conversations.flatMap(({ lastAtMs }) => lastAtMs ?? []);
  if (firsts.length === 0) return 'no dates';
  return `${formatDay(Math.min(...firsts))} to ${formatDay(Math.max(...lasts))}`;
}

function leftOut({ books }: ReportData): Tile {
  const failed = books.rejected + books.refused;
  const detail = `${formatCount(books.skipped)} by a rule of the mapping, ${formatCount(books.rejected)} unusable, ${formatCount(books.refused)} refused`;
  const figure = formatCount(books.skipped + failed);
  return { figure, label: 'will not', detail, tone: failed > 0 ? 'bad' : 'plain' };
}

function deciding({ problems }: ReportData): Tile {
  const toDecide = ofSeverity(problems, 'blocks', 'decision');
  const places = toDecide.reduce((sum, { count }) => sum + count, 0);
  const detail =
    toDecide.length === 0
      ? 'No check asks for a decision.'
      : html`in ${countOf(places, 'place')}: <a href="#decisions">what they are, and what to do</a>`;
  return {
    figure: formatCount(toDecide.length),
    label: 'to decide',
    detail,
    tone: toDecide.length === 0 ? 'good' : 'notice',
  };
}

function lasting({ books, followUps, forecast, elapsedMs, requests, verify }: ReportData): Tile {
  if (books.pending > 0) {
    const { minutes, endAtMs } = forecast;
    const requests = countOf(forecast.requests, 'request');
    const size = formatBytes(forecast.bytes);
    if (minutes === null) {
      const usual = forecast.faster[0];
      const time = usual
        ? `; ${formatDuration(usual.minutes * 60_000)} at ${formatCount(usual.ratePerMinute)} a minute`
        : '';
      const detail = `${size}${time}: the destination’s own rate is not known`;
      return { figure: requests, label: 'to send', detail, tone: 'plain' };
    }
    const end = endAtMs === null ? '' : `; begun now, done ${formatUtc(endAtMs)}`;
    return {
      figure: formatDuration(minutes * 60_000),
      label: 'to send',
      detail: `${requests}, ${size}${end}`,
      tone: 'plain',
    };
  }
  if (verify !== null) {
    const tone = verify.same === books.planned + (followUps?.planned ?? 0) ? 'good' : 'plain';
    const detail = `${formatCount(verify.missing)} missing, ${formatCount(verify.different)} different, ${formatCount(verify.duplicated)} duplicated`;
    return { figure: formatCount(verify.same), label: 'read back, the same', detail, tone };
  }
  const detail = `${countOf(requests.import, 'import request')}; nothing is waiting to be sent`;
  return { figure: elapsedMs === null ? '0' : formatDuration(elapsedMs), label: 'this run', detail, tone: 'plain' };
}
