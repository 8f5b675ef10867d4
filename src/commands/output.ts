import { once } from 'node:events';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ExportInput } from '../io/input/export-input.ts';
import { errorCode } from '../io/input/file-errors.ts';
import { replaceFile } from '../lib/atomic-file.ts';
import { StoreError, UsageError } from '../lib/errors.ts';

/** Where text goes: into a file, packed where its name ends in `.gz`, or into a stream that stays open. */
export type OutputTarget =
  | { readonly path: string; readonly mayReplace: boolean }
  | { readonly stream: Writable; readonly path?: never };

/** What became of the text. */
export interface Written {
  /** As they are on disk; of a stream, what was written into it. */
  readonly bytes: number;
  /** False where the reader of a stream went away before the end. */
  readonly isComplete: boolean;
}

/**
 * Looks whether the target can be written, before anything is read.
 *
 * @throws UsageError where something is there that must not be replaced, or the file would lie inside an export.
 */
export function checkOutput(target: OutputTarget, inputs: readonly ExportInput[]): void {
  const { path } = target;
  if (path === undefined) return;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) {
    throw cannotWrite(path, 'expected a file, found a folder or a device', 'Pass the path of a file, or "-"');
  }
  if (!existsSync(dirname(path))) throw cannotWrite(path, 'its folder does not exist', 'Make the folder first');
  const place = placeOf(path);
  if (inputs.some(({ key }) => place === key || place.startsWith(`${key}${sep}`))) {
    throw cannotWrite(path, 'it would replace the export, or lie inside it', 'Pass a path elsewhere');
  }
  if (found && !target.mayReplace) throw cannotWrite(path, 'it exists already', 'Pass --force to replace it');
}

/**
 * Writes everything. A file is replaced whole or not at all. Only its owner may read it.
 *
 * @throws what `pieces` throws; UsageError or StoreError (the disk is full) where the file cannot be written.
 */
export async function writeOutput(target: OutputTarget, pieces: AsyncIterable<string>): Promise<Written> {
  return target.path === undefined ? writeStream(target.stream, pieces) : writeFile(target.path, pieces);
}

async function writeFile(path: string, pieces: AsyncIterable<string>): Promise<Written> {
  const write = (content: AsyncIterable<string | Uint8Array>) => replaceFile(placeOf(path), content);
  try {
    const bytes = /\.gz$/i.test(path) ? await pipeline(pieces, createGzip(), write) : await write(pieces);
    return { bytes, isComplete: true };
  } catch (error) {
    throw writeFault(error, path) ?? error;
  }
}

async function writeStream(stream: Writable, pieces: AsyncIterable<string>): Promise<Written> {
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      if (stream.destroyed) return { bytes, isComplete: false };
      bytes += Buffer.byteLength(piece);
      if (!stream.write(piece)) await once(stream, 'drain');
    }
  } catch (error) {
    if (errorCode(error) !== 'EPIPE') throw error;
    return { bytes, isComplete: false };
  }
  return { bytes, isComplete: true };
}

/** Behind links: a link stays one, and what it points to is written. */
const placeOf = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));

function writeFault(error: unknown, path: string): Error | undefined {
  const code = errorCode(error);
  if (code === undefined) return undefined;
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) {
    return new StoreError(`Cannot write "${path}": the disk is full, or a limit is reached (${code})`, {
      path,
      hint: 'Free some space, or pass a path on another disk, and run the command again',
      cause: error,
    });
  }
  return ['EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG'].includes(code)
    ? cannotWrite(path, code, 'Check the permissions of its folder, or pass another path', error)
    : undefined;
}

const cannotWrite = (path: string, what: string, hint: string, cause?: unknown) =>
  new UsageError(`Cannot write "${path}": ${what}`, { hint, cause });
