import { type Severity, severities } from '../mapping/check.ts';
import { exitCodes } from '../model/exit-codes.ts';
import { isPassedOver, noFollowUps, type ReportData, sumOfActions } from './report-data.ts';

/** What a plan ends with. @param failOn Findings of this severity, or a worse one, count like rejects. */
export function exitOfPlan(report: Pick<ReportData, 'totals' | 'files' | 'problems'>, failOn?: Severity): number {
  const { totals, problems } = report;
  if (isPassedOver(report)) return exitCodes.source;
  // What could not be read is no clean plan, whether rows were lost with it or nobody can know.
  const isFound = findingsFrom(problems, failOn ?? 'blocks').length > 0;
  // A chat that nothing reads was passed over, whatever somebody decides about it.
  const isChatLeft = problems.some(({ code }) => code === 'unread-chat');
  return totals.invalid > 0 || isFound || isChatLeft ? exitCodes.someFailed : exitCodes.done;
}

/** What checks of this severity, or of a worse one, found. */
export function findingsFrom(problems: ReportData['problems'], severity: Severity): ReportData['problems'] {
  const worst = severities.slice(0, severities.indexOf(severity) + 1);
  return problems.filter((problem) => worst.includes(problem.severity));
}

/** What the books end an import with. What their plan could not read counts like rejects. */
export function exitOfImport({
  totals,
  files,
  problems,
  actions,
  followUps = noFollowUps,
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
  // What an earlier run found is not forgotten because this one did not look.
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
