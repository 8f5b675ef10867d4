import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, opendir, rename, rm, readdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder } from '../../lib/files/flush-folder.ts';
import { CheckedBody, sourceFirst } from './checked-body.ts';
import { diskErrorCode, onDisk } from './disk-fault.ts';
import { type MediaContent, MediaFault, type MediaLocation, type StoredMedia } from '../media-location.ts';
import { pathSegments } from './path-segments.ts';
import { encodeKey } from './key-template.ts';
import { hostname } from 'node:os';
import { sha256Hex } from '../../lib/hash.ts';

interface FolderOptions {
  /** Absolute, links resolved; it is there. */
  readonly folder: string;
  /** At which the folder is served; no slash at its end. */
  readonly address: string;
  /** Files are for their owner alone (0600, folders 0700). */
  readonly isPrivate?: boolean;
}

/**
 * A folder on a disk. Files are first written to a subfolder; they get their name once they are flushed. Links under
 * the folder are not followed: nothing is written or read elsewhere. Modes follow the umask, so that a web server may
 * read the files; at a private location, only their owner can.
 */
export class FolderLocation implements MediaLocation {
  readonly name: string;
  /** A file is renamed only after it was flushed and its digest was checked. */
  readonly #address: string;
  readonly #modes: Modes;

  private constructor({ folder, address, isPrivate = false }: FolderOptions) {
    this.name = folder;
    this.#address = address;
    this.#modes = isPrivate ? { file: 0o600, folder: 0o700 } : { file: 0o666, folder: 0o777 };
  }

  /** Removes what killed runs left. @throws MediaFault */
  static async open(options: FolderOptions): Promise<FolderLocation> {
    await onDisk(() => removeLeftovers(options.folder));
    return new FolderLocation(options);
  }

  async *keys(signal: AbortSignal, under = ''): AsyncGenerator<string> {
    signal.throwIfAborted();
    if (await this.#isInside(`${under}any`)) yield* keysIn(this.name, under, signal);
  }

  async head(key: string, signal: AbortSignal): Promise<StoredMedia | undefined> {
    signal.throwIfAborted();
    const path = this.#pathOf(key);
    if (!(await this.#isInside(key))) return undefined;
    const found = await onDisk(() => lstat(path).catch(noObject));
    return found?.isFile() ? { sizeBytes: found.size, ageMs: Math.max(Date.now() - found.mtimeMs, 0) } : undefined;
  }

  async put(key: string, content: MediaContent, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const path = this.#pathOf(key);
    const partial = await this.#newPartial();
    try {
      await writeWhole(partial, content, signal);
      await this.#makeFolders(key);
      signal.throwIfAborted();
      await onDisk(() => rename(partial.path, path));
      await onDisk(() => flushFolder(dirname(path)));
    } catch (error) {
      await rm(partial.path, { force: true }).catch(() => {});
      throw error;
    }
  }

  async *read(key: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    signal.throwIfAborted();
    const path = this.#pathOf(key);
    if (!(await this.#isInside(key))) throw missingFile();
    // Windows has no such flag and no such links.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
    const file = await onDisk(() => open(path, flags).catch(noObject));
    if (!file) throw missingFile();
    try {
      yield* readChunks(file, signal);
    } finally {
      await file.close();
    }
  }

  async remove(key: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const path = this.#pathOf(key);
    if (!(await this.#isInside(key))) return;
    await onDisk(async () => {
      await rm(path, { force: true });
      await flushFolder(dirname(path));
    });
  }

  addressOf(key: string): string {
    return `${this.#address}/${encodeKey(key)}`;
  }

  close(): Promise<void> {
    return leaveOut(this.name);
  }

  #pathOf = (key: string): string => join(this.name, ...pathSegments(key));

  async #newPartial(): Promise<Partial> {
    const folder = join(this.name, partialFolder);
    const path = join(folder, partialName(randomBytes(8).toString('hex')));
    const make = async () => {
      await makeFolder(folder, this.#modes.folder);
      return open(path, 'wx', this.#modes.file);
    };
    // Another process that closes removes the folder if it is empty.
    const file = await onDisk(() =>
      make().catch((error) => (diskErrorCode(error) === 'ENOENT' ? make() : Promise.reject(error))),
    );
    return { path, file };
  }

  /** Whether the folders of a key are there, and none of them is a link. */
  async #isInside(key: string): Promise<boolean> {
    let folder = this.name;
    for (const segment of pathSegments(key).slice(0, -1)) {
      folder = join(folder, segment);
      const found = await onDisk(() => lstat(folder).catch(noObject));
      if (!found?.isDirectory()) return false;
    }
    return true;
  }

  async #makeFolders(key: string): Promise<void> {
    let folder = this.name;
    for (const segment of pathSegments(key).slice(0, -1)) {
      folder = join(folder, segment);
      await onDisk(() => makeFolder(folder, this.#modes.folder));
    }
  }
}

interface Modes {
  readonly file: number;
  readonly folder: number;
}

interface Partial {
  readonly path: string;
  readonly file: FileHandle;
}

/** Flushed and closed, or an error. */
async function writeWhole({ file }: Partial, content: MediaContent, signal: AbortSignal): Promise<void> {
  const body = new CheckedBody(content);
  try {
    for await (const chunk of body.bytes()) {
      signal.throwIfAborted();
      await onDisk(() => file.writeFile(chunk));
    }
    await onDisk(() => file.sync());
  } catch (error) {
    throw sourceFirst(body, error);
  } finally {
    await file.close();
  }
}

/** Characters that end or split a key, and a dot at the beginning. Half-written files have names with such a dot, which is never part of a key. */
const harmful = /^\.|[/\u0000-\u001f\u007f\\]/;

/** Keys of the files under a folder, those under `under` alone, which has a slash at its end or is empty. Links are not followed. */
async function* keysIn(folder: string, under: string, signal: AbortSignal): AsyncGenerator<string> {
  const entries = await onDisk(() => opendir(join(folder, under)).catch(takenAway));
  if (!entries) return;
  try {
    for (;;) {
      signal.throwIfAborted();
      const entry = await onDisk(() => entries.read());
      if (entry === null) return;
      if (harmful.test(entry.name)) continue;
      const key = `${under}${entry.name}`;
      if (entry.isDirectory()) yield* keysIn(folder, `${key}/`, signal);
      else if (entry.isFile()) yield key;
    }
  } finally {
    await entries.close();
  }
}

/** Another process may remove a folder between its listing and this. */
function takenAway(error: unknown): undefined {
  if (['ENOENT', 'ENOTDIR'].includes(diskErrorCode(error))) return undefined;
  throw error;
}

const chunkBytes = 256 * 1024;

async function* readChunks(file: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await onDisk(() => file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Creates one folder whose parent exists. @throws MediaFault if something else is there, or a link. */
async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
    await flushFolder(dirname(folder));
  } catch (error) {
    if (diskErrorCode(error) !== 'EEXIST') throw error;
    if ((await lstat(folder)).isDirectory()) return;
    throw new MediaFault('Cannot keep files there: a folder on the way is a link, or no folder', {
      kind: 'stop',
      hint: 'Links inside of media.to are not followed. Replace it by a folder, or name another media.to',
    });
  }
}

const missingFile = (): MediaFault => new MediaFault('Cannot read the copy: it is not there', { kind: 'never' });

function noObject(error: unknown): undefined {
  if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(diskErrorCode(error))) return undefined;
  throw error;
}

/** Folder for unfinished files. It is on the same disk, so that finishing one is a rename. */
const partialFolder = '.chatferry-partial';

/** A process of another machine may write here too: its numbers say nothing on this one. */
const machine = sha256Hex(hostname()).slice(0, 8);

/** Returns a name that shows which process owns the file. */
const partialName = (unique: string): string => `${machine}-${process.pid}-${unique}`;

/** Age at which a file of another machine is abandoned: not touched for a day. */
const abandonedMs = 24 * 3_600_000;

/** Removes what processes that are gone left half written. */
async function removeLeftovers(folder: string): Promise<void> {
  const place = join(folder, partialFolder);
  // A link would lead out of the folder.
  if (!(await lstat(place).catch(() => undefined))?.isDirectory()) return;
  for (const name of await readdir(place)) {
    const path = join(place, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() && isLeftOver(name, found.mtimeMs)) await rm(path, { force: true });
  }
}

function isLeftOver(name: string, changedMs: number): boolean {
  const [host, pid] = name.split('-');
  if (host !== machine) return Date.now() - changedMs > abandonedMs;
  // A number is given to another process in the end: of ours, what is older than we are.
  if (Number(pid) === process.pid) return changedMs < Date.now() - process.uptime() * 1000;
  return !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return diskErrorCode(error) === 'EPERM';
  }
}

async function leaveOut(folder: string): Promise<void> {
  // Another process may be writing.
  await rmdir(join(folder, partialFolder)).catch(() => {});
}
