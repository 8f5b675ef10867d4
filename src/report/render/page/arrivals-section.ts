import { html, nothing } from '../../../lib/text/html.ts';
import { arrivalKinds } from '../../../model/arrival.ts';
import type { ReportData } from '../../report-data.ts';
import { arrivalNotes, plannedOutcomes } from '../../verdict.ts';
import { refusals } from './after-messages-section.ts';
import { number, type Section, table } from './elements.ts';

export function arrivalsSection({ arrivals }: ReportData): Section | undefined {
  if (arrivals === undefined) return undefined;
  const rows = arrivalKinds.flatMap((kind) => {
    const totals = arrivals.kinds[kind];
    return totals ? [{ kind, ...totals }] : [];
  });
  const sums = table({
    id: 'arrivals-table',
    caption: 'People, groups and members by outcome',
    isCaptionHidden: true,
    rows,
    columns: [
      { title: 'Kind', cell: ({ kind }) => kind },
      { title: 'Read', kind: 'number', cell: ({ read }) => number(read) },
      { title: 'Skipped', kind: 'number', cell: ({ skipped }) => number(skipped) },
      { title: 'Invalid', kind: 'number', cell: ({ invalid }) => number(invalid) },
      { title: 'Planned', kind: 'number', cell: ({ planned }) => number(planned) },
      ...plannedOutcomes.map(
        ({ key, label }) =>
          ({ title: label, kind: 'number', cell: (row: (typeof rows)[number]) => number(row[key]) }) as const,
      ),
      { title: 'Not in the plan any more', kind: 'number', cell: ({ withdrawn }) => number(withdrawn) },
      { title: 'Changed since', kind: 'number', cell: ({ changed }) => number(changed) },
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
