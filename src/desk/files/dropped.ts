import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { constants, lstat, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isClutter } from '../../io/input/clutter.ts';
import { UsageError } from '../../lib/errors.ts';
import { flushFolder } from '../../lib/files/flush-folder.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { CopiedFiles } from '../shapes.ts';
import { DroppedNames, refusalOfName } from './dropped-names.ts';

/** Files that were dropped into the page are copied here, in the folder of the desk. */
export const droppedFolder = 'chatferry-desk.files';
/** Copies that are not complete: they are no part of the export. */
const partialFolder = 'chatferry-desk.part';

/** Bounds of a slice, and of all files together. */
export const sliceBytesMax = 8 * 1024 * 1024;
export const filesMax = 20_000;
const bytesMax = 200 * 1024 ** 3;
/** Left free on the disk: a plan needs room too. */
const freeBytesMin = 1024 ** 3;

/** Part of a file that was dropped. */
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

/** The disk has no room for the files. */
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
 * The page sends each file in slices. A slice is on the disk before it is confirmed, and a file gets its name when it is
 * complete. So a copy that was interrupted goes on where it ended, once the same file is dropped again, and an export never
 * has half a file. Calls wait for each other.
 */
export class DroppedFiles {
  readonly #folder: string;
  readonly #partial: string;
  readonly #freeBytes: NonNullable<DroppedOptions['freeBytes']>;
  #names: DroppedNames | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param folder That of the desk. */
  constructor(folder: string, { freeBytes = freeBytesOf }: DroppedOptions = {}) {
    this.#folder = join(folder, droppedFolder);
    this.#partial = join(folder, partialFolder);
    this.#freeBytes = freeBytes;
  }

  /**
   * Writes a slice at the end of what is there of its file. One that begins elsewhere is not written.
   *
   * @returns How many bytes of the file are there: where the next slice begins. All of them if this file was copied before.
   * @throws UsageError for a name or a size that is not taken. NoRoom.
   */
  receive(slice: Slice): Promise<number> {
    return this.#alone(slice.name, () => this.#receive(slice));
  }

  /**
   * Ends a copy once all of its files are there. Copies that were left unfinished before are removed.
   *
   * @returns The export, from the folder of the desk: the file or folder that was dropped, or the folder of the copies if
   * there are several.
   * @throws UsageError if a file is missing, or has another size.
   */
  finish(files: readonly Pick<DroppedFile, 'name' | 'sizeBytes'>[]): Promise<string> {
    return this.#alone(droppedFolder, async () => {
      const names = await this.#known();
      for (const { name, sizeBytes } of files) {
        const isHere = names.sizeOf(name) === sizeBytes && sizeOfFile(this.#placeOf(name)) === sizeBytes;
        if (!isHere) throw cannotCopy(name, 'not all of it has arrived', 'Drop the same files again: the copy goes on');
      }
      await rm(this.#partial, { recursive: true, force: true });
      await flushFolder(this.#folder);
      const only = names.only(isClutter);
      return only === undefined ? `./${droppedFolder}` : `./${droppedFolder}/${only}`;
    });
  }

  /** Null if there are none. */
  view(): Promise<CopiedFiles | null> {
    return this.#alone(droppedFolder, async () => {
      const names = await this.#known();
      const { bytes: unfinishedBytes } = await namesIn(this.#partial);
      if (names.files === 0 && unfinishedBytes === 0) return null;
      return { folder: `./${droppedFolder}`, files: names.files, bytes: names.bytes, unfinishedBytes };
    });
  }

  /** Removes all copies. */
  remove(): Promise<void> {
    return this.#alone(droppedFolder, async () => {
      this.#names = undefined;
      for (const folder of [this.#folder, this.#partial])
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    });
  }

  /** @param named In the error if the file system refuses it. */
  #alone<T>(named: string, work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work).catch((error: unknown) => {
      throw explained(error, named);
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  async #receive(slice: Slice): Promise<number> {
    const { name, at, sizeBytes, bytes } = slice;
    const refused = refusalOfName(name);
    if (refused !== undefined) throw cannotCopy(name, `its name ${refused}`, onCommandLine);
    for (const folder of [this.#folder, this.#partial]) ensureFolder(folder);
    const names = await this.#known();
    if (await this.#isCopied(slice, names)) return sizeBytes;
    this.#refuseTooMany(slice, names);
    const path = this.#partialOf(slice);
    const there = sizeOfFile(path);
    // Complete, but without its name yet, if the desk ended between the two.
    if (there < sizeBytes && there !== at) return there;
    if (there < sizeBytes) await this.#assertRoom(sizeBytes - at);
    await append(path, there < sizeBytes ? bytes : nothing, slice);
    const received = sizeOfFile(path);
    if (received === sizeBytes) await this.#complete(slice, path, names);
    return received;
  }

  /** Whether this very file was copied before. @throws UsageError if another one has its name. */
  async #isCopied({ name, sizeBytes, modifiedMs }: Slice, names: DroppedNames): Promise<boolean> {
    const conflict = names.conflict(name);
    if (conflict !== undefined) throw cannotCopy(name, `"${conflict}" is here already`, removeFirst);
    if (names.sizeOf(name) === undefined || !isThere(this.#placeOf(name))) return false;
    const { size, mtimeMs } = await lstat(this.#placeOf(name));
    if (size === sizeBytes && isSameTime(mtimeMs, modifiedMs)) return true;
    throw cannotCopy(name, otherIsHere, removeFirst);
  }

  #refuseTooMany({ name, sizeBytes }: Slice, { files, bytes }: DroppedNames): void {
    if (files >= filesMax) throw cannotCopy(name, `there are ${formatCount(filesMax)} files already`, onCommandLine);
    if (bytes + sizeBytes > bytesMax) throw cannotCopy(name, 'all files together are more than 200 GiB', onCommandLine);
  }

  async #assertRoom(bytes: number): Promise<void> {
    const free = await this.#freeBytes(dirname(this.#folder));
    if (free !== undefined && bytes > free - freeBytesMin) throw new NoRoom();
  }

  /** Gives a complete file its name. */
  async #complete(file: DroppedFile, partial: string, names: DroppedNames): Promise<void> {
    const place = this.#placeOf(file.name);
    for (const parent of foldersOf(file.name)) ensureFolder(join(this.#folder, parent));
    if (isThere(place)) throw cannotCopy(file.name, otherIsHere, removeFirst);
    await rename(partial, place);
    names.add(file.name, file.sizeBytes);
  }

  /** Names of the copies. Read when it is first asked for; again once another program has removed the folder. */
  async #known(): Promise<DroppedNames> {
    if (this.#names === undefined || !isThere(this.#folder)) this.#names = await namesIn(this.#folder);
    return this.#names;
  }

  /** One name for each version of a file, so that a copy never goes on with another one. */
  #partialOf({ name, sizeBytes, modifiedMs }: DroppedFile): string {
    const identity = JSON.stringify([name, sizeBytes, modifiedMs]);
    return join(this.#partial, createHash('sha256').update(identity).digest('hex'));
  }

  #placeOf = (name: string): string => join(this.#folder, ...name.split('/'));
}

const nothing = new Uint8Array();

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
const sizeOfFile = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** `a` and `a/b` of `a/b/c`. */
function foldersOf(name: string): readonly string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

async function freeBytesOf(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // A file system that does not say.
    return undefined;
  }
}

const otherIsHere = 'another file of this name is here already';
const removeFirst = 'Delete the copied files first';
const onCommandLine = 'Pass the path of the export instead: chatferry desk PATH';

const cannotCopy = (name: string, words: string, hint: string): UsageError =>
  new UsageError(`Cannot copy ${JSON.stringify(name)}: ${words}`, { hint });

/** @param named What was written. @returns The error of a file system in words. */
function explained(error: unknown, named: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return new NoRoom();
  if (error instanceof Error && 'syscall' in error) return cannotCopy(named, code, 'May this folder be written?');
  return error;
}
