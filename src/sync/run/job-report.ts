import { rmSync, symlinkSync, renameSync } from 'node:fs';
import { assertNoLink } from '../../lib/files/no-link.ts';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { toKnownError } from '../../lib/sqlite.ts';
import { errorExitCode, worstExit } from '../../model/exit-codes.ts';
import { writeReportFiles } from '../../report/report-files.ts';
import { type JobResult, inWords } from '../job-result.ts';
import type { Job } from '../job.ts';
import { type JobState, forgetReport, keptReports } from '../job-state.ts';
import type { Outcome } from '../../commands/results.ts';

/** `chatferry.report/support/12`, and `chatferry.report/support/latest` that leads to it. */
function folderOf({ config: { name, options } }: Job): string {
  if (options.report === undefined) assertNoLink(defaultFolder);
  return join(options.report ?? defaultFolder, name);
}

const defaultFolder = './chatferry.report';

/**
 * Writes the report of a run that imported or left something. A run that found nothing new writes none: a hundred empty
 * reports would hide the one that matters.
 */
export async function saveReport(
  result: JobResult,
  outcome: Outcome | undefined,
  job: Job,
  onFault: (error: unknown) => void,
): Promise<JobResult> {
  if (!outcome || !hasNews(result)) return result;
  const { store, format: formats } = job.config.options;
  const folder = join(folderOf(job), String(result.number));
  try {
    await writeReportFiles(folder, outcome, { store, formats });
    pointTo(join(folderOf(job), 'latest'), String(result.number));
    return { ...result, report: folder };
  } catch (error) {
    const fault = knownFault(error, folder, { onFault });
    // Sent messages stay sent, and are in the store.
    const stopped = result.stopped ?? inWords(fault);
    return { ...result, exit: worstExit([result.exit, errorExitCode(fault)]), stopped };
  }
}

/** Returns the error as a caller may show it. An internal one is passed to `onFault` first. */
export function knownFault(error: unknown, path: string, { onFault }: { onFault(error: unknown): void }): unknown {
  const known = toKnownError(error, path);
  if (known === undefined) onFault(error);
  return known ?? error;
}

function hasNews({ isChanged, added, requests, stopped, verify }: JobResult): boolean {
  const { drift, arrivals, actions, ...counts } = added;
  const sums = [counts, drift, actions, ...Object.values(arrivals)].flatMap((one) => Object.values<number>(one));
  return isChanged || stopped !== null || verify !== null || requests.import > 0 || sums.some((count) => count > 0);
}

/** Replaces the link in one step, if the platform can: a reader that follows it finds one report or the other. */
function pointTo(link: string, target: string): void {
  const temporary = `${link}.new`;
  try {
    rmSync(temporary, { force: true });
    symlinkSync(target, temporary, 'junction');
    renameSync(temporary, link);
  } catch {
    // A file system without links: the number in the folder's name says which is the latest.
    rmSync(temporary, { force: true });
  }
}

/**
 * Removes old reports: those that this state knows of, and nothing else. The latest stays, and so does what is not in the folder of the job's
 * reports: they were written elsewhere then, or the state is not ours.
 */
export async function removeOldReports(state: JobState, job: Job, nowMs: number): Promise<void> {
  const { name, keepReports } = job.config;
  const { count, days } = keepReports;
  const oldestMs = days === undefined ? Number.NEGATIVE_INFINITY : nowMs - days * 86_400_000;
  const [, ...older] = keptReports(state.db, name);
  for (const [index, { number, folder, endedAtMs }] of older.entries()) {
    if (index + 1 < count && endedAtMs >= oldestMs) continue;
    const isOurs = resolve(folder) === resolve(folderOf(job), String(number));
    try {
      if (isOurs) await rm(folder, { recursive: true, force: true });
    } catch {
      continue; // the permission was taken away, or a program has it open (Windows): the next run tries again
    }
    forgetReport(state.db, name, number);
  }
}
