import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../lib/atomic-file.ts';
import { StoreError } from '../../lib/errors.ts';
import type { ReportFormat } from '../../model/report-formats.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import type { ReportData } from '../report-data.ts';
import { conversationsCsv, problemsCsv, type ReportLists } from './report-lists.ts';

export interface WriteReportOptions {
  /** `html` and `json` without it, and `csv` where there are lists. */
  readonly formats?: readonly ReportFormat[];
  /** What the CSV files hold; without it there are none. */
  readonly lists?: ReportLists;
}

type ReportFile = readonly [name: string, lines: () => Iterable<string>];

/**
 * Writes `report.html`, `report.json`, `report.md`, `report.junit.xml`, and `conversations.csv` with `problems.csv`.
 * Each is replaced whole or not at all. They quote the export, so they are for their owner only (0600), as is a directory made
 * here (0700); one that exists keeps its mode, since it may be somebody's working directory.
 *
 * @returns the paths of what was written. @throws StoreError where the directory cannot be written.
 */
export async function writeReport(
  directory: string,
  data: ReportData,
  { formats = ['html', 'json', 'csv'], lists }: WriteReportOptions = {},
): Promise<readonly string[]> {
  const files = formats.flatMap((format) => filesOf(format, data, lists));
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const [name, lines] of files) await replaceFile(join(directory, name), lines());
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const hint = 'Pass --report DIR with a directory that can be written; “chatferry report” writes it again';
    throw new StoreError(`Cannot write the report to "${directory}": ${cause.message}`, {
      path: directory,
      hint,
      cause,
    });
  }
  return files.map(([name]) => join(directory, name));
}

function filesOf(format: ReportFormat, data: ReportData, lists: ReportLists | undefined): readonly ReportFile[] {
  if (format === 'html') return [['report.html', () => [renderHtml(data)]]];
  if (format === 'json') return [['report.json', () => [renderJson(data)]]];
  if (format === 'markdown') return [['report.md', () => [renderMarkdown(data)]]];
  if (format === 'junit') return [['report.junit.xml', () => [renderJunit(data)]]];
  if (lists === undefined) return [];
  return [
    ['conversations.csv', () => conversationsCsv(lists)],
    ['problems.csv', () => problemsCsv(lists)],
  ];
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
