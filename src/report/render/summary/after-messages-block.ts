import { displayWidth, oneLine, truncate } from '../../../lib/text/plain-text.ts';
import { actionKinds, actionsWarning } from '../../../model/action.ts';
import { type ActionTotals, type DriftData, type ReportData, sumActions } from '../../report-data.ts';
import type { DeliveryTotals } from '../../../model/totals.ts';
import { formatDuration } from '../../../lib/text/quantity.ts';
import { countOf, formatCount, listCounts, paint } from '../../format.ts';
import { listOutcomes, plannedOutcomes } from '../../verdict.ts';
import { type SummaryOptions, withNote } from './write-line.ts';

export function actionsBlock({ actions }: ReportData, options: SummaryOptions): readonly string[] {
  if (actions === undefined) return [];
  const rows = actionKinds.flatMap((kind) => {
    const totals = actions.kinds[kind];
    return totals ? [{ kind, totals }] : [];
  });
  const nameWidth = Math.max(...rows.map(({ kind }) => kind.length));
  const countWidth = Math.max(...rows.map(({ totals }) => formatCount(totals.planned).length));
  const { pending, unconfirmed } = sumActions(actions);
  return [
    paint('bold', 'Actions after the messages', options),
    ...rows.map(({ kind, totals }) => {
      const head = `  ${kind.padEnd(nameWidth)}  ${formatCount(totals.planned).padStart(countWidth)}`;
      return withNote(head, head.length, formatStates(totals), options);
    }),
    ...actions.failed.slice(0, failedMax).map(({ kind, code, count, explanation, detail }) => {
      const head = `  ${formatCount(count)} of ${kind} failed: ${truncate(oneLine(code), 40)}`;
      return withNote(head, displayWidth(head), explanation || detail, options);
    }),
    ...(pending > 0 ? [`  ${takes(actions.forecast)}`] : []),
    ...(pending + unconfirmed > 0 ? [`  ${paint('yellow', `Note: ${actionsWarning}`, options)}`] : []),
  ];
}

const failedMax = 5;

const labels: readonly (readonly [keyof ActionTotals, string])[] = [
  ['done', 'done'],
  ['existing', 'existing'],
  ['failed', 'failed'],
  ['pending', 'pending'],
  ['unconfirmed', 'unconfirmed'],
  ['withdrawn', 'not in the export any more'],
];

/** `12 done, 3 pending`. */
const formatStates = (totals: ActionTotals): string => listCounts(labels.map(([key, label]) => [label, totals[key]]));

const takes = ({ requests, minutes }: NonNullable<ReportData['actions']>['forecast']): string =>
  minutes === null
    ? `${countOf(requests, 'request')} left`
    : `${countOf(requests, 'request')} left, about ${formatDuration(minutes * 60_000)}`;

export function driftBlock({ drift, followUps }: ReportData, options: SummaryOptions): readonly string[] {
  const lines = [];
  if (drift) lines.push(line('Drift', driftText(drift), 'changed at the source after it was sent', options));
  if (followUps) lines.push(line('Follow-ups', followUpText(followUps), 'messages that say what changed', options));
  return lines;
}

function line(label: string, text: string, note: string, options: SummaryOptions): string {
  const head = `${paint('bold', label.padEnd(10), options)}  ${text}`;
  return withNote(head, `${label.padEnd(10)}  ${text}`.length, note, options);
}

/** `5: 3 edited, 2 deleted; 1 of them new`. */
function driftText({ kinds, noticed }: DriftData): string {
  const fresh = sumCounts(noticed);
  const suffix = fresh === 0 ? '' : `; ${formatCount(fresh)} noticed by the latest plan`;
  return `${formatCount(sumCounts(kinds))}: ${listCounts(Object.entries(kinds))}${suffix}`;
}

/** `3: 2 imported, 1 pending`. */
const followUpText = (totals: DeliveryTotals): string =>
  `${formatCount(totals.planned)}: ${listOutcomes(plannedOutcomes, totals)}`;

const sumCounts = (counts: Partial<Record<string, number>>): number =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);
