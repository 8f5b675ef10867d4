import { crypto } from '../late.ts';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../errors.ts';
import { flushFolderSync } from './flush-folder.ts';

/**
 * Files that are replaced completely or not at all, even after a kill or power cut. The bytes go into a temporary file
 * next to the target, which is flushed to the disk and renamed. Then the folder is flushed, so that the new name
 * survives a power cut too. If any step fails, the temporary file is removed and the existing file stays. Only their
 * owner may read them (0600). A link is replaced, not followed.
 */

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** Called once the bytes are on the disk. If it throws, the existing file stays: another process has written it since it was read. */
type AssertStill = () => void;

/** @returns How many bytes were written. @throws What `pieces` and `assertStill` throw, and faults of the file system as they are. */
export async function replaceFile(path: string, pieces: Pieces, assertStill?: AssertStill): Promise<number> {
  const temporary = temporaryPath(path);
  try {
    const bytes = await writeFlushed(temporary, pieces);
    assertStill?.();
    putInPlace(temporary, path);
    return bytes;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** The same at once, for what is small. */
export function replaceFileSync(path: string, text: string, assertStill?: AssertStill): void {
  const temporary = temporaryPath(path);
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    assertStill?.();
    putInPlace(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Performs only the first half, for callers that decide afterwards whether the file is wanted: `putInPlace` or `rm`.
 * Overwrites an existing file.
 *
 * @returns How many bytes were written.
 */
export async function writeFlushed(temporary: string, pieces: Pieces): Promise<number> {
  let bytes = 0;
  const file = await open(temporary, 'w', 0o600);
  try {
    for await (const chunk of inLargeChunks(pieces)) {
      await file.writeFile(chunk);
      bytes += chunk.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return bytes;
}

/** The second half: a file that is flushed gets its name. Both lie on one disk. */
export function putInPlace(temporary: string, path: string): void {
  renameSync(temporary, path);
  flushFolderSync(dirname(path));
}

/** @param text Undefined if it may not be there. @throws UsageError if the file has another */
export function assertText(path: string, text: string | undefined): void {
  if ((existsSync(path) ? readFileSync(path, 'utf8') : undefined) !== text) throw changedMeanwhile(path);
}

export const changedMeanwhile = (path: string): UsageError =>
  new UsageError(`Cannot write "${path}": it has changed meanwhile`, { hint: 'Look at it, and try again' });

/** Hidden, and of a name of its own: two processes may write the same file, and the last one wins. */
const temporaryPath = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${crypto().randomBytes(6).toString('hex')}.tmp`);

const chunkBytesMin = 64 * 1024;

/** Lines come one by one: a write for each of them would take longer than everything else. */
async function* inLargeChunks(pieces: Pieces): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    held.push(bytes);
    heldBytes += bytes.length;
    if (heldBytes < chunkBytesMin) continue;
    yield Buffer.concat(held);
    [held, heldBytes] = [[], 0];
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
