import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { constants, lstat, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isClutter } from '../../io/input/clutter.ts';
import { UsageError } from '../../lib/errors.ts';
import { flushFolder } from '../../lib/files/flush-folder.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { CopiedFiles } from '../shapes.ts';
import { DroppedNames, refuseName, prefixesOf } from './dropped-names.ts';

/** Files that were dropped into the page are copied here, in the folder of the desk. */
export const droppedFolder = 'chatferry-desk.files';
/** Files on their way there: they are no part of an export yet. */
const stagingFolder = 'chatferry-desk.part';

/** Bounds of a slice, and of all files together. */
export const sliceBytesMax = 8 * 1024 * 1024;
export const filesMax = 20_000;
const bytesMax = 200 * 1024 ** 3;
/** Left free on the disk: a plan needs room too. */
const freeBytesMin = 1024 ** 3;

export interface Slice extends DroppedFile {
  /** Where it begins in the file, in bytes. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** A file, as the browser describes it. */
export interface DroppedFile {
  /** Path from what was dropped, with forward slashes. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Of the original. */
  readonly modifiedMs: number;
}

export class NoRoom extends Error {
  override readonly message = 'Cannot copy the files: the disk has no room for them and 1 GiB more';
}

export interface DroppedOptions {
  /** Free bytes of the disk with this folder; undefined if it does not say. */
  readonly freeBytes?: (folder: string) => Promise<number | undefined>;
}

/**
 * Copies of the files that were dropped into the page, `chatferry-desk.files/`. They are an export like any other: nothing
 * in them is taken as a setting of this program.
 *
 * The page sends each file in slices, into a folder of its own. A slice is on the disk before it is confirmed: a copy that
 * was interrupted goes on where it ended, once the same files are dropped again. Files come to the others when all of
 * them are complete. So an export never has half a file, nor half of what was dropped. Calls wait for each other.
 */
export class DroppedFiles {
  readonly #folder: string;
  readonly #staging: string;
  readonly #freeBytes: NonNullable<DroppedOptions['freeBytes']>;
  #placed: DroppedNames | undefined;
  #staged: DroppedNames | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param folder That of the desk. */
  constructor(folder: string, { freeBytes = readFreeBytes }: DroppedOptions = {}) {
    this.#folder = join(folder, droppedFolder);
    this.#staging = join(folder, stagingFolder);
    this.#freeBytes = freeBytes;
  }

  /**
   * Writes a slice at the end of what is there of its file. One that begins elsewhere is not written.
   *
   * @returns How many bytes of the file are there: where the next slice begins. All of them if this file was copied before.
   * @throws UsageError for a name or a size that is not taken. NoRoom.
   */
  receive(slice: Slice): Promise<number> {
    return this.#alone(`copy ${JSON.stringify(slice.name)}`, () => this.#receive(slice));
  }

  /**
   * Ends a copy: gives the files their names. Whatever else was on its way is removed.
   *
   * @param files All that were dropped together.
   * @returns The export, from the folder of the desk: the file or folder that was dropped, or the folder of the copies if
   * there are several. It has these files and no others.
   * @throws UsageError if one has not arrived, or if they cannot be told from other copies.
   */
  finish(files: readonly DroppedFile[]): Promise<string> {
    return this.#alone(`copy to "${droppedFolder}"`, async () => {
      const { placed } = await this.#known();
      const wanted = collectNames(files);
      const arrived = files.filter((file) => !this.#isCopied(file, placed));
      for (const file of arrived) {
        const partial = this.#partialPath(file);
        if (!isThere(partial) || readFileSize(partial) !== file.sizeBytes)
          throw cannotCopy(file.name, 'not all of it has arrived', 'Drop the same files again: the copy goes on');
      }
      const path = exportIn(wanted, placed);
      ensureFolder(this.#folder);
      for (const file of arrived) await this.#place(file, placed);
      await rm(this.#staging, { recursive: true, force: true });
      this.#staged = undefined;
      await flushFolder(this.#folder);
      return path;
    });
  }

  /** Null if there are none. */
  view(): Promise<CopiedFiles | null> {
    return this.#alone(`read "${droppedFolder}"`, async () => {
      const { placed, staged } = await this.#known();
      if (placed.files + staged.files === 0) return null;
      const { files, bytes } = placed;
      return { folder: `./${droppedFolder}`, files, bytes, unfinishedBytes: staged.bytes };
    });
  }

  remove(): Promise<void> {
    return this.#alone(`delete "${droppedFolder}"`, async () => {
      [this.#placed, this.#staged] = [undefined, undefined];
      for (const folder of [this.#folder, this.#staging])
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    });
  }

  /** @param what Is done: for the error if the file system refuses it. */
  #alone<T>(what: string, work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work).catch((error: unknown) => {
      throw explained(error, what);
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  async #receive(slice: Slice): Promise<number> {
    const { name, at, sizeBytes, bytes } = slice;
    assertName(name);
    const { placed, staged } = await this.#known();
    if (this.#isCopied(slice, placed)) return sizeBytes;
    ensureFolder(this.#staging);
    const path = this.#partialPath(slice);
    const there = readFileSize(path);
    if (there === sizeBytes && isThere(path)) return there;
    if (there !== at) return there;
    if (placed.files + staged.files >= filesMax)
      throw cannotCopy(name, `there are ${formatCount(filesMax)} files already`, onCommandLine);
    if (placed.bytes + staged.bytes - there + sizeBytes > bytesMax)
      throw cannotCopy(name, 'all files together are more than 200 GiB', onCommandLine);
    const free = await this.#freeBytes(dirname(this.#folder));
    if (free !== undefined && sizeBytes - at > free - freeBytesMin) throw new NoRoom();
    try {
      await append(path, bytes, slice);
    } finally {
      staged.add(basename(path), readFileSize(path));
    }
    return readFileSize(path);
  }

  /** Whether this very file was copied before. @throws UsageError if another one has its name. */
  #isCopied({ name, sizeBytes, modifiedMs }: DroppedFile, placed: DroppedNames): boolean {
    const conflict = placed.conflict(name);
    if (conflict !== undefined) throw cannotCopy(name, `"${conflict}" is here already`, removeFirst);
    const found = lstatSync(this.#targetPath(name), { throwIfNoEntry: false });
    if (placed.sizeOf(name) === undefined || found === undefined) return false;
    if (found.isFile() && found.size === sizeBytes && isSameTime(found.mtimeMs, modifiedMs)) return true;
    throw cannotCopy(name, 'another file of this name is here already', removeFirst);
  }

  async #place(file: DroppedFile, placed: DroppedNames): Promise<void> {
    for (const parent of prefixesOf(file.name).slice(0, -1)) ensureFolder(join(this.#folder, parent));
    await rename(this.#partialPath(file), this.#targetPath(file.name));
    placed.add(file.name, file.sizeBytes);
  }

  /** What is there. Read when it is first asked for; again once another program has removed the folder. */
  async #known() {
    if (this.#placed === undefined || !isThere(this.#folder)) this.#placed = await namesIn(this.#folder);
    if (this.#staged === undefined || !isThere(this.#staging)) this.#staged = await namesIn(this.#staging);
    return { placed: this.#placed, staged: this.#staged };
  }

  /** One name for each version of a file, so that a copy never goes on with another one. */
  #partialPath({ name, sizeBytes, modifiedMs }: DroppedFile): string {
    const identity = JSON.stringify([name, sizeBytes, modifiedMs]);
    return join(this.#staging, createHash('sha256').update(identity).digest('hex'));
  }

  #targetPath = (name: string): string => join(this.#folder, ...name.split('/'));
}

function assertName(name: string): void {
  const refused = refuseName(name);
  if (refused !== undefined) throw cannotCopy(name, `its name ${refused}`, onCommandLine);
}

/** @throws UsageError for a name that is not taken, or that is the same as another on some systems. */
function collectNames(files: readonly DroppedFile[]): DroppedNames {
  const names = new DroppedNames();
  for (const { name, sizeBytes } of files) {
    assertName(name);
    const conflict = names.conflict(name) ?? (names.sizeOf(name) === undefined ? undefined : name);
    if (conflict !== undefined)
      throw cannotCopy(name, `on some systems it is the same as "${conflict}"`, onCommandLine);
    names.add(name, sizeBytes);
  }
  return names;
}

/** Returns the path that holds these files and no others. @throws UsageError if there is none. */
function exportIn(wanted: DroppedNames, placed: DroppedNames): string {
  const others = placed.paths.filter((path) => wanted.sizeOf(path) === undefined && !isClutter(path));
  const [first, ...more] = new Set(wanted.paths.filter((path) => !isClutter(path)).map(topFolder));
  const isOnly = first !== undefined && more.length === 0;
  if (others.length === 0) return isOnly ? `./${droppedFolder}/${first}` : `./${droppedFolder}`;
  if (isOnly && !others.some((path) => topFolder(path) === first)) return `./${droppedFolder}/${first}`;
  throw new UsageError('Cannot take these files as the export: others were copied before, and would be a part of it', {
    hint: `${removeFirst}, or drop a folder or an archive`,
  });
}

/** `a` of `a/b/c`. */
const topFolder = (path: string): string => path.split('/', 1)[0]!;

/** Writes at the end of a file, down to the disk. It has the time of its original. */
async function append(path: string, bytes: Uint8Array, { modifiedMs }: DroppedFile): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(bytes);
    await file.utimes(modifiedMs / 1_000, modifiedMs / 1_000);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a folder for its owner alone, unless it is there. @throws UsageError if something else is there, such as a link. */
function ensureFolder(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(path, { mode: 0o700 });
  else if (!found.isDirectory())
    throw new UsageError(`Cannot copy into "${path}": it is no folder`, { hint: 'Move it away' });
}

/** The files in a folder and below it: none if it is not there, or a link. */
async function namesIn(folder: string): Promise<DroppedNames> {
  const names = new DroppedNames();
  const pending = [''];
  for (let above = pending.pop(); above !== undefined; above = pending.pop()) {
    const here = join(folder, above);
    if (lstatSync(here, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    for (const entry of await readdir(here, { withFileTypes: true })) {
      const path = above === '' ? entry.name : `${above}/${entry.name}`;
      if (entry.isDirectory()) pending.push(path);
      else names.add(path, (await lstat(join(folder, path))).size);
    }
  }
  return names;
}

/** Some file systems keep whole seconds alone, or every other. */
const isSameTime = (kept: number, original: number): boolean =>
  Math.round(kept) === original || (kept % 1_000 === 0 && Math.abs(kept - original) < 2_000);

/** 0 if there is none. */
const readFileSize = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

async function readFreeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // A file system that does not say.
    return undefined;
  }
}

const removeFirst = 'Delete the copied files first';
const onCommandLine = 'Pass the path of the export instead: chatferry desk PATH';

const cannotCopy = (name: string, words: string, hint: string): UsageError =>
  new UsageError(`Cannot copy ${JSON.stringify(name)}: ${words}`, { hint });

/** The error of a file system in words. */
function explained(error: unknown, what: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return new NoRoom();
  if (error instanceof Error && 'syscall' in error)
    return new UsageError(`Cannot ${what}: ${code}`, { hint: 'May this user write in this folder?', cause: error });
  return error;
}
