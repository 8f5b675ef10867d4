import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StoreError } from '../lib/errors.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import type { ReportData } from './report-data.ts';

/** Where the two files of a report are. */
export interface ReportPaths {
  readonly html: string;
  readonly json: string;
}

/**
 * Writes `report.html` and `report.json`. Each is replaced whole or not at all: a temporary file beside it, flushed
 * to the disk, then renamed. They quote the export, so they are for their owner only (0600), as is a directory made
 * here (0700); one that exists keeps its mode, since it may be somebody's working directory.
 */
export async function writeReport(directory: string, data: ReportData): Promise<ReportPaths> {
  const paths = { html: join(directory, 'report.html'), json: join(directory, 'report.json') };
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await replaceFile(paths.json, renderJson(data));
    await replaceFile(paths.html, renderHtml(data));
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
  return paths;
}

async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = join(path, '..', `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text, 'utf8');
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
