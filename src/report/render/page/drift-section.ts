import { html, nothing } from '../../../lib/html.ts';
import type { DriftData, FollowUpBooks } from '../drift-data.ts';
import { plannedOutcomes } from '../outcomes.ts';
import type { ReportData } from '../../report-data.ts';
import { code } from './quote.ts';
import type { Section } from './section.ts';
import { number, table } from './table.ts';

const policyWords = {
  report: 'reported here',
  send: 'a message says so, where there is something to say',
  ignore: 'only counted',
} as const;

/** What changed at the source after it was sent; nothing where nothing did. */
export function driftSection({ drift, followUps }: ReportData): Section | undefined {
  if (!drift && !followUps) return undefined;
  const body = html`<p class="intro">Messages that changed at the source after they were sent. The service has no way to change a message, so what was sent stays as it is; docs/drift.md says what can be done.</p>
${drift ? changesTable(drift) : nothing}
${followUps ? followUpTable(followUps) : nothing}`;
  return { id: 'drift', title: 'What changed after it was sent', body };
}

const changesTable = ({ changes }: DriftData) =>
  table({
    id: 'drift-changes',
    caption: 'Changes by kind',
    rows: changes,
    columns: [
      { title: 'Change', cell: ({ kind }) => kind },
      { title: 'Changes', kind: 'number', cell: ({ count }) => number(count) },
      { title: 'What is done', cell: ({ policy }) => policyWords[policy] },
      { title: 'The latest', kind: 'place', cell: ({ examples }) => places(examples.map(({ location }) => location)) },
    ],
  });

const places = (locations: readonly string[]) => html`${locations.map((location) => html`${code(location)} `)}`;

const followUpTable = (books: FollowUpBooks) =>
  table({
    id: 'drift-follow-ups',
    caption: 'Messages that say what changed, outside the sums of the export',
    rows: plannedOutcomes.filter(({ key }) => books[key] > 0),
    columns: [
      { title: 'Outcome', cell: ({ label }) => label },
      { title: 'Messages', kind: 'number', cell: ({ key }) => number(books[key]) },
    ],
  });
