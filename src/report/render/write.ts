import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
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
 * Each is replaced whole or not at all: a temporary file beside it, flushed to the disk, then renamed. They quote the
 * export, so they are for their owner only (0600), as is a directory made here (0700); one that exists keeps its mode,
 * since it may be somebody's working directory.
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
    await flushDirectory(directory);
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

async function replaceFile(path: string, pieces: Iterable<string>): Promise<void> {
  const temporary = join(path, '..', `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      for (const chunk of chunks(pieces)) await file.writeFile(chunk, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** UTF-16 units: lines are some hundred, and each write costs a trip to the thread pool. */
const chunkMin = 65_536;

function* chunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < chunkMin) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** Makes the renames last through a power cut. Windows cannot open a directory and does not need to. */
async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
