import { html, nothing, type SafeHtml } from '../../../lib/html.ts';
import { countOf, formatUtc } from '../format.ts';
import type { ReportData } from '../../report-data.ts';
import { verdictOf } from '../verdict.ts';
import { glance } from './glance.ts';
import { code, quote } from './quote.ts';

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
