import { html, nothing, type SafeHtml } from '../../lib/html.ts';
import { formatCount } from '../format.ts';
import type { ReportData, ReportGroup } from '../report-data.ts';
import { code, quote } from './quote.ts';
import { emptyNote, type Section } from './section.ts';
import { table } from './table.ts';

/** With more groups than this, their examples are folded away, so that the list of groups can be seen at once. */
const openedMax = 3;

/** Everything that somebody may have to act on, the most serious first. */
export function attentionSection({ refused, rejected, problems }: ReportData): Section {
  const body = html`${family('refused', 'Refused by the service', refused, 'The service refused nothing.', true)}
${family('rejected', 'Rejected: could not be read or mapped', rejected, 'Every row could be read and mapped.', true)}
${family('problems', 'Other problems in the export', problems, 'No other problem was found.', true)}`;
  return { id: 'attention', title: 'What needs attention', body };
}

/** What rules left out: nobody has to act, so the examples are folded away. */
export function skippedSection({ skipped }: ReportData): Section {
  const body = html`<p class="intro">Left out on purpose, each by a rule that has a name. Rules are settings: a new plan with other rules counts anew.</p>
${groups('skipped', skipped, 'No row was left out.', false)}`;
  return { id: 'skipped', title: 'What was skipped', body };
}

function family(id: string, title: string, list: readonly ReportGroup[], none: string, isOpen: boolean): SafeHtml {
  return html`<h3>${title}</h3>
${groups(id, list, none, isOpen)}`;
}

function groups(id: string, list: readonly ReportGroup[], none: string, isOpen: boolean): SafeHtml {
  if (list.length === 0) return emptyNote(none);
  const opened = isOpen && list.length <= openedMax;
  return html`<ul class="groups">${list.map((group, index) => renderGroup(`${id}-${index + 1}`, group, opened))}</ul>`;
}

function renderGroup(id: string, group: ReportGroup, isOpen: boolean): SafeHtml {
  return html`<li class="group">
<p class="head"><b class="count">${formatCount(group.count)}</b> ${code(group.code)}</p>
${group.explanation === '' ? nothing : html`<p>${quote(group.explanation)}</p>`}
${examples(id, group, isOpen)}
</li>
`;
}

function examples(id: string, group: ReportGroup, isOpen: boolean): SafeHtml {
  if (group.examples.length === 0) return emptyNote('No place was recorded.');
  const shown = group.examples.length;
  const title = shown < group.count ? `The first ${formatCount(shown)} of ${formatCount(group.count)} places` : 'Where';
  const list = table({
    id,
    caption: `Places of ${group.code}`,
    isCaptionHidden: true,
    rows: group.examples,
    columns: [
      { title: 'Place', kind: 'place', cell: ({ location }) => code(location) },
      { title: 'Detail', cell: ({ detail }) => quote(detail) },
    ],
  });
  return html`<details${isOpen ? html` open` : nothing}><summary>${title}</summary>${list}</details>`;
}
