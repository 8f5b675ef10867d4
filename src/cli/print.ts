import { join } from 'node:path';
import type { Options } from '../config/options.ts';
import type { ReportData } from '../report/report-data.ts';
import { renderSummary } from '../report/terminal.ts';
import { writeReport } from '../report/write.ts';
import { wantsColor } from './style.ts';

/** Writes to standard output; a reader that went away (`| head`) is not an error. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Width and colours of standard output. */
export const terminalLook = () => ({ columns: process.stdout.columns ?? 100, color: wantsColor(process.stdout) });

/** `chatferry.db` → `chatferry.report`. */
const reportFolderOf = ({ report, store }: Pick<Options, 'report' | 'store'>): string =>
  report ?? `${store.replace(/\.db$/, '')}.report`;

/** The end of plan, import, verify: report files, summary, and the JSON line for machines. */
export async function printOutcome(
  report: ReportData,
  exit: number,
  options: Pick<Options, 'report' | 'store' | 'json' | 'quiet'>,
  next: readonly string[],
): Promise<void> {
  const folder = reportFolderOf(options);
  await writeReport(folder, report);
  const path = join(folder, 'report.html');
  if (!options.json) {
    print(renderSummary(report, { ...terminalLook(), reportPath: path, next }));
  } else print(JSON.stringify(jsonResult(report, exit, path)));
}

/** The one object that `--json` prints. */
export function jsonResult(report: ReportData, exit: number, reportPath: string | null) {
  const { command, runId, store, source, books, requests, elapsedMs, verify, destination, stopped } = report;
  return {
    command,
    runId,
    store,
    source,
    destination: destination?.name ?? null,
    ...books,
    losses: Object.fromEntries(report.losses.map(({ name, count }) => [name, count])),
    actions: {},
    requests,
    elapsedMs: elapsedMs === null ? null : Math.round(elapsedMs),
    verify,
    stopped,
    report: reportPath,
    exit,
  };
}
