import { type Severity, severities } from '../model/severity.ts';
import { exitCodes } from '../model/exit-codes.ts';
import { noDeliveryTotals } from '../model/totals.ts';
import { isPassedOver, type ReportData, sumOfActions } from './report-data.ts';

/**
 * Returns the exit code of a plan.
 *
 * @param failOn Findings of this severity, or a worse one, count like invalid rows.
 */
export function exitOfPlan(report: Pick<ReportData, 'totals' | 'files' | 'problems'>, failOn?: Severity): number {
  const { totals, problems } = report;
  if (isPassedOver(report)) return exitCodes.source;
  // A plan that could not read everything is not clean, whether rows were lost or that is unknown.
  const isFound = findingsFrom(problems, failOn ?? 'blocks').length > 0;
  // A chat that nothing reads was passed over, whatever is decided about it.
  const isChatLeft = problems.some(({ code }) => code === 'unread-chat');
  return totals.invalid > 0 || isFound || isChatLeft ? exitCodes.someFailed : exitCodes.done;
}

/** Returns the findings of checks of this severity, or of a worse one. */
export function findingsFrom(problems: ReportData['problems'], severity: Severity): ReportData['problems'] {
  const worst = severities.slice(0, severities.indexOf(severity) + 1);
  return problems.filter((problem) => worst.includes(problem.severity));
}

/** Returns the exit code of an import from the totals. Input that its plan could not read counts like invalid rows. */
export function exitOfImport({
  totals,
  files,
  problems,
  actions,
  followUps = noDeliveryTotals(),
  verify,
  unverified,
  stopped,
}: Pick<
  ReportData,
  'totals' | 'files' | 'problems' | 'actions' | 'followUps' | 'verify' | 'unverified' | 'stopped'
>): number {
  const after = sumOfActions(actions);
  const isLeft = [totals, followUps, after].some(({ pending, unconfirmed }) => pending + unconfirmed > 0);
  if (stopped || isLeft) return exitCodes.stopped;
  // A difference that an earlier run found still counts if this run did not check.
  if (unverified?.differing || (verify && exitOfVerify(verify) !== exitCodes.done)) return exitCodes.differences;
  const isRefused = totals.failed + followUps.failed + after.failed > 0;
  const exit = isRefused ? exitCodes.someFailed : exitOfPlan({ totals, files, problems });
  // Receipts are the destination's word; clean is what was read back.
  return exit === exitCodes.done && unverified ? exitCodes.differences : exit;
}

export function exitOfVerify(verify: NonNullable<ReportData['verify']>): number {
  const { missing, extra, different, duplicated, actions = {} } = verify;
  const undone = Object.values(actions).reduce((sum, found) => sum + found.missing, 0);
  return missing + extra + different + duplicated + undone > 0 ? exitCodes.differences : exitCodes.done;
}
