import { html, type HtmlValue, nothing, type SafeHtml } from '../../../lib/html.ts';
import type { ReportData } from '../../report-data.ts';
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
import { arrivedOf, verdictOf } from '../verdict.ts';
import { code, facts, quote, type Section } from './elements.ts';

/** What was moved where, and the verdict. */
export function header(data: ReportData): SafeHtml {
  const { tone, sentence } = verdictOf(data);
  return html`<header class="${tone}">
<p class="eyebrow">Chatferry · report of <bdi>${data.command}</bdi></p>
<h1><span class="mark" aria-hidden="true">${marks[tone]}</span> ${sentence}</h1>
<p class="route">${route(data)}</p>
<p class="when">Written ${formatUtc(data.generatedAtMs)}. All times are UTC.</p>
${stoppedNotice(data)}${changesNotice(data)}
</header>
${glance(data)}`;
}

const marks = { good: '✓', notice: '!', bad: '✗', plain: 'i' } as const;

function route({ source, workspace, plannedConversationCount, destination }: ReportData): SafeHtml {
  const from = source === '' ? html`no export read` : quote(source);
  const origin = workspace === '' ? from : html`${from} workspace ${code(workspace)}`;
  const rules =
    destination === null || destination.profile === 'sandbox' ? nothing : html`, profile ${code(destination.profile)}`;
  const target = destination === null ? html`no destination named` : html`${code(destination.name)}${rules}`;
  return html`${origin}, ${countOf(plannedConversationCount, 'conversation')} <span aria-label="to">→</span> ${target}`;
}

function stoppedNotice({ stopped }: ReportData): SafeHtml {
  if (stopped === null) return nothing;
  const hint = stopped.hint === null ? nothing : html`<br>${quote(stopped.hint)}`;
  return html`<p class="stopped"><b>Why it stopped:</b> ${quote(stopped.message)} ${code(stopped.code)}${hint}</p>`;
}

/** What a plan was made of may have changed since the one that somebody has agreed to. */
function changesNotice({ changedSince, command }: ReportData): SafeHtml {
  if (changedSince.length === 0 || command === 'verify') return nothing;
  const list = changedSince.map((change) => html`<li>${quote(change)}</li>`);
  return html`<div class="changed"><p><b>Since the plan before:</b></p><ul>${list}</ul></div>`;
}

/** Where the numbers come from, so that somebody else can make them again. */
export function provenanceSection(data: ReportData): Section {
  const pairs: readonly (readonly [string, HtmlValue])[] = [
    [data.exports.length === 1 ? 'Export' : 'Exports', exports(data.exports)],
    ['Source', quote(data.source)],
    ['Workspace', data.workspace === '' ? 'none' : code(data.workspace)],
    ['Files', files(data.files)],
    ['Destination', data.destination === null ? 'none named' : code(data.destination.name)],
    ['Profile', data.destination === null ? 'none' : code(data.destination.profile)],
    ...(data.pins === null ? [] : [['Pinned by', pinned(data.pins)] as const]),
    ['Checkpoint store', code(data.store)],
    ['Command', code(data.command)],
    ['Run', data.runId === null ? 'none' : code(data.runId)],
    ['Written', formatUtc(data.generatedAtMs)],
    ['Chatferry', quote(data.chatferryVersion)],
  ];
  return { id: 'provenance', title: 'Where this comes from', body: facts(pairs) };
}

function exports(labels: readonly string[]): SafeHtml {
  if (labels.length === 0) return html`none`;
  return html`<ul>${labels.map((label) => html`<li>${code(label)}</li>`)}</ul>`;
}

function files({ shared, rows, skipped, unknown }: ReportData['files']): string {
  const known = `${countOf(rows, 'file')} with messages, ${formatCount(shared)} that they refer to`;
  return `${known}, ${formatCount(skipped)} known and not needed, ${formatCount(unknown)} unknown`;
}

/** Digests: the same ones mean the same export, mapping and profile. */
const pinned = (pins: NonNullable<ReportData['pins']>): SafeHtml =>
  html`export ${code(pins.export)}, mapping ${code(pins.mapping)}, profile ${code(pins.profile)}`;

/** One of the answers at the top: a figure, what it is, and a line that qualifies it. */
interface Tile {
  readonly figure: string;
  readonly label: string;
  readonly detail: HtmlValue;
  readonly tone: 'good' | 'notice' | 'bad' | 'plain';
}

/** The answers that somebody looks for who reads nothing else: what arrives, what does not, what to decide, how long. */
function glance(data: ReportData): SafeHtml {
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
