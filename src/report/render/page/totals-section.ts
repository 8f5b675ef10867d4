import { html, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import { countOf, formatCount, formatShare } from '../../format.ts';
import { isAccountedFor, type Totals } from '../../../model/totals.ts';
import { countArrived, listOutcomes, type Outcome, plannedOutcomes, unplannedOutcomes } from '../../verdict.ts';
import type { ReportData } from '../../report-data.ts';
import { bar, number, plainBar, type Section, swatch, table } from './elements.ts';

/** The promise in numbers: two sums, what became of every row, and how far the messages came. */
export function totalsSection(data: ReportData): Section {
  const { totals } = data;
  const body = html`<p class="intro">Every row of the export is counted in exactly one of these terms.</p>
${equation(totals.read, 'read', [{ key: 'planned', label: 'planned' }, ...unplannedOutcomes], totals)}
${equation(totals.planned, 'planned', plannedOutcomes, totals)}
${verdictOnSums(totals)}
${outsideTheSums(totals)}
${totals.read === 0 ? nothing : outcomes(totals)}
${totals.read === 0 ? nothing : funnel(data)}`;
  return { id: 'totals', title: 'Totals', body };
}

type Term = { readonly key: Outcome['key'] | 'planned'; readonly label: string };

function equation(total: number, name: string, terms: readonly Term[], totals: Totals): SafeHtml {
  const parts = terms.map((term, index) => part(index === 0 ? '=' : '+', term, totals[term.key]));
  return html`<p class="sum"><span class="term"><b>${formatCount(total)}</b> <span>${name}</span></span>${parts}</p>`;
}

/** Returns an operator and the term after it, which stay together when the line wraps. */
function part(operator: string, { key, label }: Term, count: number): SafeHtml {
  const patch = key === 'planned' ? nothing : html`${swatch(key)} `;
  return html` <span class="part"><span class="op">${operator}</span> <span class="term${count === 0 ? ' none' : ''}"><b>${formatCount(count)}</b> <span>${patch}${label}</span></span></span>`;
}

function verdictOnSums(totals: Totals): SafeHtml {
  if (isAccountedFor(totals))
    return html`<p class="check"><span aria-hidden="true">✓</span> All rows are accounted for.</p>`;
  return html`<p class="check bad"><span aria-hidden="true">✗</span> The totals do not add up. This is an internal error of Chatferry: please report it.</p>`;
}

function outsideTheSums({ duplicates, late }: Totals): SafeHtml {
  const again = `${countOf(duplicates, 'row')} seen again in overlapping archives or a second plan (duplicates)`;
  const after = `${countOf(late, 'message')} sent after newer messages of the same conversation (late)`;
  const parts = [duplicates > 0 ? again : '', late > 0 ? after : ''].filter((part) => part !== '');
  return parts.length === 0 ? nothing : html`<p class="aside">Not counted above: ${parts.join('; ')}.</p>`;
}

function outcomes(totals: Totals): SafeHtml {
  const all = [...plannedOutcomes, ...unplannedOutcomes];
  const segments = all.map(({ key, label }) => ({ name: key, label, count: totals[key] }));
  const legend = table({
    id: 'outcomes',
    caption: 'Outcome of every row that was read',
    rows: all,
    columns: [
      { title: 'Outcome', cell: ({ key, label }) => html`${swatch(key)} ${label}` },
      { title: 'Messages', kind: 'number', cell: ({ key }) => number(totals[key]) },
      { title: 'Of read', kind: 'number', cell: ({ key }) => formatShare(totals[key], totals.read) },
      { title: 'Meaning', cell: ({ meaning }) => meaning },
    ],
  });
  return html`<div class="outcomes">${bar(segments, totals.read, 'thick')}${legend}</div>`;
}

/** Each step with what it lost to the one before. */
function funnel({ totals, verify }: ReportData): SafeHtml {
  const waiting = plannedOutcomes.filter(({ key }) => key !== 'imported' && key !== 'existing');
  const steps = [
    { label: 'Read', count: totals.read, lost: '' },
    { label: 'Planned', count: totals.planned, lost: listOutcomes(unplannedOutcomes, totals) },
    { label: 'Arrived', count: countArrived(totals), lost: listOutcomes(waiting, totals) },
    { label: 'Read back, the same', count: verify?.same ?? null, lost: '' },
  ];
  return table({
    id: 'funnel',
    caption: 'Progress by step',
    rows: steps,
    columns: [
      { title: 'Step', cell: ({ label }) => label },
      {
        title: 'Share of rows read',
        kind: 'bar',
        cell: ({ label, count }) => plainBar(label, count ?? 0, totals.read),
      },
      { title: 'Messages', kind: 'number', cell: ({ count }) => (count === null ? 'not checked' : number(count)) },
      {
        title: 'Of read',
        kind: 'number',
        cell: ({ count }) => (count === null ? '–' : formatShare(count, totals.read)),
      },
      { title: 'Left out', cell: ({ lost }) => lost },
    ],
  });
}
