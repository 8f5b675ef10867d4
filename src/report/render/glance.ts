import { formatAbout, isOpen } from '../../decisions/decision.ts';
import type { ReportData } from '../report-data.ts';
import { formatBytes, formatDuration } from '../../lib/text/quantity.ts';
import { countOf, formatCount, formatDay, formatShare, formatUtc, listCounts } from '../format.ts';
import { countArrived } from '../verdict.ts';

/** One of the answers at the top: a figure, what it is, and a line that qualifies it. */
export interface Tile {
  readonly figure: string;
  readonly label: string;
  readonly detail: string;
  /** Section of a page with more details. */
  readonly more?: { readonly words: string; readonly section: 'decisions' | 'losses' };
  readonly tone: 'good' | 'notice' | 'bad' | 'plain';
}

/**
 * Returns the tiles: what arrives, what does not, what is changed or lost on the way, what to decide, how long it
 * takes. None if nothing was read.
 */
export const buildTiles = (data: ReportData): readonly Tile[] =>
  data.totals.read === 0 ? [] : [arriving(data), leftOut(data), changing(data), deciding(data), lasting(data)];

function arriving({ totals, conversations, plannedConversationCount, command, people }: ReportData): Tile {
  const arrived = countArrived(totals);
  const isPlan = command === 'plan' || arrived + totals.failed + totals.unconfirmed === 0;
  const detail = `${formatShare(isPlan ? totals.planned : arrived, totals.read)} of the rows read, ${countOf(plannedConversationCount, 'conversation')}, ${countOf(people.total, 'person', 'people')}, ${formatSpan(conversations)}`;
  if (isPlan) return { figure: formatCount(totals.planned), label: 'will arrive', detail, tone: 'plain' };
  const tone = arrived === totals.planned ? 'good' : 'plain';
  return { figure: formatCount(arrived), label: 'have arrived', detail, tone };
}

function formatSpan(conversations: ReportData['conversations']): string {
  const firsts = conversations.flatMap(({ firstAtMs }) => firstAtMs ?? []);
  const lasts = conversations.flatMap(({ lastAtMs }) => lastAtMs ?? []);
  if (firsts.length === 0) return 'no dates';
  return `${formatDay(Math.min(...firsts))} to ${formatDay(Math.max(...lasts))}`;
}

function leftOut({ totals }: ReportData): Tile {
  const failed = totals.invalid + totals.failed;
  const detail = `${formatCount(totals.skipped)} by a rule of the mapping, ${formatCount(totals.invalid)} invalid, ${formatCount(totals.failed)} failed`;
  const figure = formatCount(totals.skipped + failed);
  return { figure, label: 'left out', detail, tone: failed > 0 ? 'bad' : 'plain' };
}

/** Kinds that are named; the section has all. */
const namedMax = 2;

/**
 * Returns the tile for changes to content that arrives: reactions, links, marks and the like, each kind with its count
 * instead of one sum of unlike things.
 */
function changing({ losses }: ReportData): Tile {
  const label = losses.length === 1 ? 'kind changed or lost' : 'kinds changed or lost';
  if (losses.length === 0)
    return { figure: '0', label, detail: 'The service can hold all that was read.', tone: 'good' };
  const most = losses.toSorted((a, b) => b.count - a.count).slice(0, namedMax);
  const rest = losses.length - most.length;
  const named = listCounts(most.map(({ name, count }) => [name, count]));
  return {
    figure: formatCount(losses.length),
    label,
    detail: `${named}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`,
    more: { words: 'result of each', section: 'losses' },
    tone: 'notice',
  };
}

function deciding({ decisions }: ReportData): Tile {
  const open = decisions.filter(isOpen);
  const figure = formatCount(open.length);
  const label = open.length === 1 ? 'needs your decision' : 'need your decision';
  if (open.length === 0) return { figure, label, detail: 'Nothing asks for a decision.', tone: 'good' };
  const largest = open.reduce((most, one) => ((one.about.count ?? 0) > (most.about.count ?? 0) ? one : most));
  return {
    figure,
    label,
    detail: `the largest about ${formatAbout({ ...largest.about, isExact: true })}`,
    more: { words: 'options of each', section: 'decisions' },
    tone: 'notice',
  };
}

function lasting({ totals, followUps, forecast, elapsedMs, requests, verify }: ReportData): Tile {
  if (forecast.requests > 0) {
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
    const tone = verify.same === totals.planned + (followUps?.planned ?? 0) ? 'good' : 'plain';
    const detail = `${formatCount(verify.missing)} missing, ${formatCount(verify.different)} different, ${formatCount(verify.duplicated)} duplicated`;
    return { figure: formatCount(verify.same), label: 'read back, the same', detail, tone };
  }
  const detail = `${countOf(requests.import, 'import request')}; nothing is waiting to be sent`;
  return { figure: elapsedMs === null ? '0' : formatDuration(elapsedMs), label: 'this run', detail, tone: 'plain' };
}
