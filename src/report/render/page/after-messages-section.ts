import { html, nothing } from '../../../lib/text/html.ts';
import { actionKinds, actionsWarning } from '../../../model/action.ts';
import { type DriftData, type ReportData, sumActions } from '../../report-data.ts';
import type { DeliveryTotals } from '../../../model/totals.ts';
import { formatDuration } from '../../../lib/text/quantity.ts';
import { countOf } from '../../format.ts';
import { plannedOutcomes } from '../../verdict.ts';
import { code, number, type Section, table } from './elements.ts';
import { outcomes, refusals } from './outcome-tables.ts';
import { docsLink } from '../../../lib/docs-link.ts';

export function actionsSection({ actions }: ReportData): Section | undefined {
  if (actions === undefined) return undefined;
  const { pending, unconfirmed } = sumActions(actions);
  const sums = outcomes(actions.kinds, {
    ...{ id: 'actions-table', caption: 'Actions by outcome', title: 'Action', kinds: actionKinds },
    columns: [
      ['Planned', 'planned'],
      ['Done', 'done'],
      ['Existing', 'existing'],
      ['Failed', 'failed'],
      ['Pending', 'pending'],
      ['Unconfirmed', 'unconfirmed'],
      ['Not in the export any more', 'withdrawn'],
    ],
  });
  const body = html`<p class="intro">Asked for once the messages are there: each has an outcome of its own.</p>
${sums}${pending > 0 ? html`<p class="aside">${takes(actions.forecast)}</p>` : nothing}
${pending + unconfirmed > 0 ? html`<p class="aside">Note: ${actionsWarning}.</p>` : nothing}
${actions.failed.length === 0 ? nothing : refusals('actions-refused', 'Action', actions.failed)}`;
  return { id: 'actions', title: 'Actions after the messages', body };
}

const takes = ({ requests, minutes }: NonNullable<ReportData['actions']>['forecast']): string =>
  minutes === null
    ? `${countOf(requests, 'request')} left.`
    : `${countOf(requests, 'request')} left: about ${formatDuration(minutes * 60_000)}.`;

const policyWords = {
  report: 'reported here',
  send: 'announced by a message, if there is something to announce',
  ignore: 'only counted',
} as const;

export function driftSection({ drift, followUps }: ReportData): Section | undefined {
  if (!drift && !followUps) return undefined;
  const body = html`<p class="intro">Messages that changed at the source after they were sent. The service cannot change a message, so sent messages stay as they are; ${docsLink('guides/drift')} describes the options.</p>
${drift ? changesTable(drift) : nothing}
${followUps ? followUpTable(followUps) : nothing}`;
  return { id: 'drift', title: 'Changes after sending', body };
}

const changesTable = ({ changes }: DriftData) =>
  table({
    id: 'drift-changes',
    caption: 'Changes by kind',
    rows: changes,
    columns: [
      { title: 'Change', cell: ({ kind }) => kind },
      { title: 'Changes', kind: 'number', cell: ({ count }) => number(count) },
      { title: 'Handling', cell: ({ policy }) => policyWords[policy] },
      { title: 'The latest', kind: 'place', cell: ({ examples }) => places(examples.map(({ location }) => location)) },
    ],
  });

const places = (locations: readonly string[]) => html`${locations.map((location) => html`${code(location)} `)}`;

const followUpTable = (totals: DeliveryTotals) =>
  table({
    id: 'drift-follow-ups',
    caption: 'Messages that say what changed, not counted in the totals of the export',
    rows: plannedOutcomes.filter(({ key }) => totals[key] > 0),
    columns: [
      { title: 'Outcome', cell: ({ label }) => label },
      { title: 'Messages', kind: 'number', cell: ({ key }) => number(totals[key]) },
    ],
  });
