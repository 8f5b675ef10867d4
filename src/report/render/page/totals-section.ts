import { html, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import { countOf, formatShare } from '../../format.ts';
import { isAccountedFor, type Totals } from '../../../model/totals.ts';
import { type Outcome, plannedOutcomes, unplannedOutcomes } from '../../verdict.ts';
import type { ReportData } from '../../report-data.ts';
import { bar, number, type Section, sum, swatch, table, verdictOn } from './elements.ts';

/** The promise in numbers: two sums, and the outcome of every row. */
export function totalsSection({ totals }: ReportData): Section {
  const term = ({ key, label }: Outcome) => [html`${swatch(key)} ${label}`, totals[key]] as const;
  const body = html`<p class="intro">Every row of the export is counted in exactly one of these terms.</p>
${sum(totals.read, 'read', [['planned', totals.planned], ...unplannedOutcomes.map(term)])}
${sum(totals.planned, 'planned', plannedOutcomes.map(term))}
${verdictOn(isAccountedFor(totals), 'rows')}
${outsideTheSums(totals)}
${totals.read === 0 ? nothing : outcomes(totals)}`;
  return { id: 'totals', title: 'Totals', body };
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
