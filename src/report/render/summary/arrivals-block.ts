import { displayWidth, oneLine, truncate } from '../../../lib/text/plain-text.ts';
import { arrivalKinds } from '../../../model/arrival.ts';
import { formatCount, listCounts, paint } from '../../format.ts';
import { type ArrivalTotals, type ReportData, sumArrivals } from '../../report-data.ts';
import { arrivalNotes, listArrivals, listOutcomes, plannedOutcomes } from '../../verdict.ts';
import { type SummaryOptions, withNote } from './write-line.ts';

const title = 'People and groups';
const failedMax = 5;

/** One line after an import by which all arrived that was new there: its summary fits 24 lines. */
export function arrivalsBlock({ arrivals, command }: ReportData, options: SummaryOptions): readonly string[] {
  if (arrivals === undefined) return [];
  const notes = arrivalNotes(arrivals);
  const { planned, imported, withdrawn, changed, invalid } = sumArrivals(arrivals);
  if (command !== 'plan' && planned > 0 && imported === planned && withdrawn + changed + invalid === 0) {
    const head = `  ${listArrivals(arrivals, ({ planned: count }) => count)}: all imported`;
    return [withNote(`${paint('bold', title, options)}${head}`, title.length + head.length, notes.join('; '), options)];
  }
  const rows = arrivalKinds.flatMap((kind) => {
    const totals = arrivals.kinds[kind];
    return totals ? [{ kind, totals }] : [];
  });
  const width = Math.max(...rows.map(({ totals }) => formatCount(totals.planned).length));
  return [
    paint('bold', title, options),
    ...rows.map(({ kind, totals }) => {
      const head = `  ${kind.padEnd('members'.length)}  ${formatCount(totals.planned).padStart(width)}`;
      const text = [formatArrivals(totals), leftOutText(arrivals, kind)].filter(Boolean).join('; ');
      return withNote(head, head.length, text, options);
    }),
    ...arrivals.failed.slice(0, failedMax).map(({ kind, code, count, explanation, detail }) => {
      const head = `  ${formatCount(count)} of ${kind} failed: ${truncate(oneLine(code), 40)}`;
      return withNote(head, displayWidth(head), explanation || detail, options);
    }),
    ...notes.map((note) => `  ${note}`),
  ];
}

/** `12 imported, 3 pending`. */
const formatArrivals = (totals: ArrivalTotals): string =>
  [
    listOutcomes(plannedOutcomes, totals),
    listCounts([
      ['not in the plan any more', totals.withdrawn],
      ['changed since', totals.changed],
    ]),
  ]
    .filter((text) => text !== '')
    .join(', ');

/** `3 of 15 read are left out: in no conversation that is sent 3`. */
function leftOutText(
  { kinds, skipped, invalid }: NonNullable<ReportData['arrivals']>,
  kind: (typeof arrivalKinds)[number],
): string {
  const reasons = [...skipped, ...invalid].filter((one) => one.kind === kind);
  const count = reasons.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return '';
  const list = reasons.map((one) => `${one.reason} ${formatCount(one.count)}`).join(', ');
  return `not planned ${formatCount(count)} of ${formatCount(kinds[kind]!.read)}: ${list}`;
}
