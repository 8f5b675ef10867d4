import { html, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import { countOf, formatShare } from '../../format.ts';
import { isAccountedFor, type Totals } from '../../../model/totals.ts';
import { countArrived, listOutcomes, type Outcome, plannedOutcomes, unplannedOutcomes } from '../../verdict.ts';
import type { ReportData } from '../../report-data.ts';
import { bar, number, plainBar, type Section, sum, swatch, table, verdictOn } from './elements.ts';

/** The promise in numbers: two sums, what became of every row, and how far the messages came. */
export function totalsSection(data: ReportData): Section {
  const { totals } = data;
  const term = ({ key, label }: Outcome) => [html`${swatch(key)} ${label}`, totals[key]] as const;
  const body = html`<p class="intro">Every row of the export is counted in exactly one of these terms.</p>
${sum(totals.read, 'read', [['planned', totals.planned], ...unplannedOutcomes.map(term)])}
${sum(totals.planned, 'planned', plannedOutcomes.map(term))}
${verdictOn(isAccountedFor(totals), 'rows')}
${outsideTheSums(totals)}
${totals.read === 0 ? nothing : outcomes(totals)}
${totals.read === 0 ? nothing : funnel(data)}`;
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
