import { join } from 'node:path';
import { type Options, reportFolderOf } from '../../config/options.ts';
import { StoreError } from '../../lib/errors.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { noDeliveryTotals } from '../../model/totals.ts';
import type { ReportData } from '../../report/report-data.ts';
import { renderSummary, type SummaryOptions } from '../../report/terminal.ts';
import type { Host } from '../host.ts';
import { print, terminalStyle } from './print.ts';
import type { Outcome } from '../../commands/results.ts';

/**
 * Ends plan, import and verify: writes the report files, the summary, and the JSON line for machines.
 *
 * @throws StoreError if the report could not be written, after everything else was: the work is done and its result is
 *   printed.
 */
export async function printOutcome(
  host: Pick<Host, 'stdout' | 'env'>,
  outcome: Pick<Outcome, 'report' | 'exit' | 'counted'>,
  options: Pick<Options, 'report' | 'format' | 'store' | 'json' | 'quiet'>,
  { next }: Pick<SummaryOptions, 'next'>,
): Promise<void> {
  const { report, exit } = outcome;
  const folder = reportFolderOf(options);
  const { store, format: formats } = options;
  const { writeReportFiles } = await import('../../report/report-files.ts');
  const failure = await writeReportFiles(folder, outcome, { store, formats }).then(() => undefined, storeErrorOnly);
  const path = formats.includes('html') ? join(folder, 'report.html') : folder;
  const reportPath = failure ? undefined : path;
  if (!options.json)
    print(
      host,
      renderSummary(report, {
        ...terminalStyle(host),
        ...(reportPath && { reportPath }),
        ...(next && { next }),
      }),
    );
  else print(host, JSON.stringify(jsonResult(report, failure ? exitCodes.store : exit, reportPath ?? null)));
  if (failure) throw failure;
}

function storeErrorOnly(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  throw error;
}

/** The one object that `--json` prints. */
export function jsonResult(report: ReportData, exit: number, reportPath: string | null) {
  const { command, runId, store, source, totals, requests, elapsedMs, verify, destination, stopped } = report;
  return {
    command,
    runId,
    store,
    source,
    destination: destination?.name ?? null,
    ...totals,
    losses: Object.fromEntries(report.losses.map(({ name, count }) => [name, count])),
    drift: report.drift?.kinds ?? {},
    followUps: report.followUps ?? noDeliveryTotals(),
    arrivals: report.arrivals?.kinds ?? {},
    actions: report.actions?.kinds ?? {},
    media: report.media ?? null,
    requests,
    elapsedMs: elapsedMs === null ? null : Math.round(elapsedMs),
    verify,
    unverified: report.unverified ?? null,
    stopped,
    report: reportPath,
    exit,
  };
}
