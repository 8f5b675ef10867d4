import { createWriteStream, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { threads } from '../../lib/late.ts';

export const standardInputName = '-';

/** Location name of standard input: the same for every run, wherever its copy is. */
export const standardInputKey = '/dev/stdin';

/** Under this name threads that are started later find the copy. */
const dataKey = 'chatferry:standard-input';

let copying: Promise<string> | undefined;

/**
 * Path of a file with everything that standard input delivers, links resolved. An export is opened several times, by
 * several threads, and standard input can be read once: so it is copied, into a folder that is removed when the process ends.
 */
export function standardInputFile(stdin: Readable = process.stdin): Promise<string> {
  const known = threads().getEnvironmentData(dataKey);
  if (typeof known === 'string') return Promise.resolve(known);
  copying ??= copy(stdin);
  return copying;
}

async function copy(stdin: Readable): Promise<string> {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'chatferry-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'standard-input');
  await pipeline(stdin, createWriteStream(path, { mode: 0o600 }));
  threads().setEnvironmentData(dataKey, path);
  return path;
}
