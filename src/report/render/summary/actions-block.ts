import { displayWidth, oneLine, truncate } from '../../../lib/plain-text.ts';
import { actionKinds, actionsWarning } from '../../../model/action.ts';
import { type ActionBooks, sumOfActions } from '../actions-data.ts';
import { countOf, formatCount, formatDuration } from '../format.ts';
import { paint } from '../paint.ts';
import type { ReportData } from '../../report-data.ts';
import { type SummaryOptions, withNote } from './write-line.ts';

/** What follows the messages, a line for each kind; before it is done, what people may notice of it. */
export function actionsBlock({ actions }: ReportData, options: SummaryOptions): readonly string[] {
  if (actions === undefined) return [];
  const rows = actionKinds.flatMap((kind) => {
    const books = actions.kinds[kind];
    return books ? [{ kind, books }] : [];
  });
  const nameWidth = Math.max(...rows.map(({ kind }) => kind.length));
  const countWidth = Math.max(...rows.map(({ books }) => formatCount(books.planned).length));
  const { pending, inDoubt } = sumOfActions(actions);
  return [
    paint('bold', 'Actions after the messages', options),
    ...rows.map(({ kind, books }) => {
      const head = `  ${kind.padEnd(nameWidth)}  ${formatCount(books.planned).padStart(countWidth)}`;
      return withNote(head, head.length, statesOf(books), options);
    }),
    ...actions.refused.slice(0, refusedMax).map(({ kind, code, count, explanation, detail }) => {
      const head = `  ${formatCount(count)} of ${kind} refused: ${truncate(oneLine(code), 40)}`;
      return withNote(head, displayWidth(head), explanation || detail, options);
    }),
    ...(pending > 0 ? [`  ${takes(actions.forecast)}`] : []),
    ...(pending + inDoubt > 0 ? [`  ${paint('yellow', `Note: ${actionsWarning}`, options)}`] : []),
  ];
}

const refusedMax = 5;

const labels: readonly (readonly [keyof ActionBooks, string])[] = [
  ['done', 'done'],
  ['present', 'so before'],
  ['refused', 'refused'],
  ['pending', 'pending'],
  ['inDoubt', 'in doubt'],
  ['withdrawn', 'not in the export any more'],
];

/** `12 done, 3 pending`. */
export const statesOf = (books: ActionBooks): string =>
  labels
    .filter(([key]) => books[key] > 0)
    .map(([key, label]) => `${formatCount(books[key])} ${label}`)
    .join(', ');

const takes = ({ requests, minutes }: NonNullable<ReportData['actions']>['forecast']): string =>
  minutes === null
    ? `${countOf(requests, 'request')} left`
    : `${countOf(requests, 'request')} left, about ${formatDuration(minutes * 60_000)}`;
