import { once } from 'node:events';
import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { ExportInput } from './input/export-input.ts';
import { errorCode } from './input/file-errors.ts';
import { replaceFile } from '../lib/files/atomic-file.ts';
import { StoreError, UsageError } from '../lib/errors.ts';

/** Target of text: a file, packed if its name ends in `.gz`, or a stream that stays open. */
export type OutputTarget =
  | { readonly path: string; readonly mayReplace: boolean }
  | { readonly stream: Writable; readonly path?: never };

type Pieces = Iterable<string> | AsyncIterable<string>;

export interface Written {
  /** As they are on disk; of a stream, what was written into it. */
  readonly bytes: number;
  /** False if the reader of a stream went away before the end. */
  readonly isComplete: boolean;
  /** The file had exactly this text already: the same command was killed when it was done, or is said again. */
  readonly existed: boolean;
}

/**
 * Checks whether the target can be written, before anything is read.
 *
 * @throws UsageError if a folder or a device is there, or the file would be inside an export.
 */
export function checkOutput(target: OutputTarget, inputs: readonly ExportInput[]): void {
  const { path } = target;
  if (path === undefined) return;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) {
    throw cannotWrite(path, 'expected a file, found a folder or a device', 'Pass the path of a file, or "-"');
  }
  if (!existsSync(dirname(path))) throw cannotWrite(path, 'its folder does not exist', 'Make the folder first');
  const place = resolveLinks(path);
  if (inputs.some(({ key }) => place === key || place.startsWith(`${key}${sep}`))) {
    throw cannotWrite(path, 'it would replace the export, or lie inside it', 'Pass a path elsewhere');
  }
}

/**
 * Writes everything. A file is replaced completely or not at all. Only its owner may read it. A file that may not be
 * replaced is compared, and left as it is if it has the same content.
 *
 * @throws what `pieces` throws; UsageError or StoreError (the disk is full) if the file cannot be written, or has other
 *   content.
 */
export async function writeOutput(target: OutputTarget, pieces: Pieces): Promise<Written> {
  const { path } = target;
  if (path === undefined) return writeStream(target.stream, pieces);
  if (target.mayReplace || !existsSync(path)) return writeFile(path, pieces);
  if (await hasText(path, pieces)) return { bytes: statSync(path).size, isComplete: true, existed: true };
  throw cannotWrite(path, 'it exists already, and says something else', 'Pass --force to replace it');
}

/** Stops at the first difference. */
async function hasText(path: string, pieces: Pieces): Promise<boolean> {
  const content = /\.gz$/i.test(path) ? createGunzip() : new PassThrough();
  // `nextChunk` handles errors while it reads. A later one would otherwise have no listener, and end the process.
  content.on('error', () => {});
  const reading = pipeline(createReadStream(path), content).catch(() => {});
  const bytes = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    let present: Buffer = Buffer.alloc(0);
    for await (const piece of pieces) {
      for (let wanted = Buffer.from(piece); wanted.length > 0; ) {
        if (present.length === 0) present = (await nextChunk(bytes)) ?? present;
        const length = Math.min(present.length, wanted.length);
        if (length === 0 || wanted.compare(present, 0, length, 0, length) !== 0) return false;
        [present, wanted] = [present.subarray(length), wanted.subarray(length)];
      }
    }
    return present.length === 0 && (await nextChunk(bytes)) === undefined;
  } finally {
    content.destroy();
    await reading;
  }
}

/** Nothing at the end, and of an archive that is damaged. */
async function nextChunk(bytes: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  try {
    const { done, value } = await bytes.next();
    return done ? undefined : value;
  } catch {
    return undefined;
  }
}

async function writeFile(path: string, pieces: Pieces): Promise<Written> {
  const write = (content: Pieces | AsyncIterable<Uint8Array>) => replaceFile(resolveLinks(path), content);
  try {
    const bytes = /\.gz$/i.test(path) ? await pipeline(pieces, createGzip(), write) : await write(pieces);
    return { bytes, isComplete: true, existed: false };
  } catch (error) {
    throw writeFault(error, path) ?? error;
  }
}

async function writeStream(stream: Writable, pieces: Pieces): Promise<Written> {
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      if (stream.errored) throw stream.errored;
      if (stream.destroyed) return { bytes, isComplete: false, existed: false };
      bytes += Buffer.byteLength(piece);
      if (!stream.write(piece)) await once(stream, 'drain');
    }
    await flushed(stream);
  } catch (error) {
    if (errorCode(error) !== 'EPIPE') throw error;
    return { bytes, isComplete: false, existed: false };
  }
  return { bytes, isComplete: true, existed: false };
}

/** Resolves after everything was written. Rejects with the error of the write that failed, which may be an earlier one. */
const flushed = (stream: Writable): Promise<void> =>
  new Promise((resolve, reject) => void stream.write('', () => (stream.errored ? reject(stream.errored) : resolve())));

/** Behind links: a link stays one, and what it points to is written. */
const resolveLinks = (path: string): string =>
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
  if (code === 'EROFS') return cannotWrite(path, 'its file system is read-only', 'Pass a path on another disk', error);
  return ['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(code)
    ? cannotWrite(path, code, 'Check the permissions of its folder, or pass another path', error)
    : undefined;
}

const cannotWrite = (path: string, what: string, hint: string, cause?: unknown) =>
  new UsageError(`Cannot write "${path}": ${what}`, { hint, cause });
