import { html, nothing } from '../../../lib/text/html.ts';
import { arrivalKinds } from '../../../model/arrival.ts';
import type { ReportData } from '../../report-data.ts';
import { arrivalNotes, plannedOutcomes } from '../../verdict.ts';
import { number, type Section, table } from './elements.ts';
import { outcomes, refusals } from './outcome-tables.ts';

export function arrivalsSection({ arrivals }: ReportData): Section | undefined {
  if (arrivals === undefined) return undefined;
  const sums = outcomes(arrivals.kinds, {
    ...{ id: 'arrivals-table', caption: 'People, groups and members by outcome', title: 'Kind', kinds: arrivalKinds },
    columns: [
      ['Read', 'read'],
      ['Skipped', 'skipped'],
      ['Invalid', 'invalid'],
      ['Planned', 'planned'],
      ...plannedOutcomes.map(({ key, label }) => [label, key] as const),
      ['Not in the plan any more', 'withdrawn'],
      ['Changed since', 'changed'],
    ],
  });
  const reasons = [...arrivals.skipped, ...arrivals.invalid];
  const body = html`<p class="intro">Imported before the messages: each has an outcome of its own.</p>
${sums}${arrivalNotes(arrivals).map((note) => html`<p class="aside">${note}.</p>`)}
${reasons.length === 0 ? nothing : leftOut(reasons)}
${arrivals.failed.length === 0 ? nothing : refusals('arrivals-refused', 'Kind', arrivals.failed)}`;
  return { id: 'arrivals', title: 'People and groups', body };
}

const leftOut = (rows: NonNullable<ReportData['arrivals']>['skipped']) =>
  table({
    id: 'arrivals-left-out',
    caption: 'Read and not planned',
    rows,
    columns: [
      { title: 'Kind', cell: ({ kind }) => kind },
      { title: 'Reason', cell: ({ reason }) => reason },
      { title: 'Count', kind: 'number', cell: ({ count }) => number(count) },
    ],
  });
