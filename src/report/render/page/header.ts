import { html, type HtmlValue, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import type { ReportData } from '../../report-data.ts';
import { countOf, formatCount, formatUtc } from '../../format.ts';
import { buildTiles } from '../glance.ts';
import { remarksOn, judgeReport, whyStopped } from '../../verdict.ts';
import { code, facts, quote, type Section } from './elements.ts';

export function header(data: ReportData): SafeHtml {
  const { tone, sentence } = judgeReport(data);
  return html`<header class="is-${tone}">
<p class="eyebrow">Chatferry · report${data.command === 'report' ? nothing : html` of <bdi>${data.command}</bdi>`}</p>
<h1><span class="mark" aria-hidden="true">${marks[tone]}</span> ${sentence}</h1>
<p class="route">${route(data)}</p>
${remarksOn(data).map(
  (remark) => html`<p class="remark">${remark}.</p>
`,
)}<p class="when">Written ${formatUtc(data.generatedAtMs)}. All times are UTC.</p>
${stoppedNotice(data)}${changesNotice(data)}
${glance(data, true)}</header>
`;
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
  return html`<p class="stopped"><b>Why it stopped:</b> ${quote(whyStopped(stopped))}${hint}</p>`;
}

/** Returns a notice if the input of the plan has changed since the plan before, which a person may have agreed to. */
function changesNotice({ changedSince, command }: ReportData): SafeHtml {
  if (changedSince.length === 0 || command === 'verify') return nothing;
  const list = changedSince.map((change) => html`<li>${quote(change)}</li>`);
  return html`<div class="changed"><p><b>Since the plan before:</b></p><ul>${list}</ul></div>`;
}

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
  return { id: 'provenance', title: 'Origin of this report', body: facts(pairs) };
}

function exports(labels: readonly string[]): SafeHtml {
  if (labels.length === 0) return html`none`;
  return html`<ul>${labels.map((label) => html`<li>${code(label)}</li>`)}</ul>`;
}

function files({ shared, rows, skipped, unknown }: ReportData['files']): string {
  const known = `${countOf(rows, 'file')} with messages, ${formatCount(shared)} that they refer to`;
  return `${known}, ${formatCount(skipped)} ignored, ${formatCount(unknown)} unknown`;
}

/** Digests: the same ones mean the same export, mapping and profile. */
const pinned = (pins: NonNullable<ReportData['pins']>): SafeHtml =>
  html`export ${code(pins.export)}, mapping ${code(pins.mapping)}, profile ${code(pins.profile)}`;

/** Figures in short. @param hasSections Whether the sections with more about them are on the same page. */
export function glance(data: ReportData, hasSections: boolean): SafeHtml {
  const tiles = buildTiles(data);
  if (tiles.length === 0) return nothing;
  return html`<ul class="glance" aria-label="At a glance">${tiles.map(
    ({
      figure,
      label,
      detail,
      more,
      tone,
    }) => html`<li class="is-${tone}"><b>${figure}</b> <span>${label}</span> <small>${detail}${
      more === undefined || !hasSections
        ? nothing
        : html`<span class="more">: <a href="#${more.section}">${more.words}</a></span>`
    }</small></li>
`,
  )}</ul>
`;
}
