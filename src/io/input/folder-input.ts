import { formatCount } from '../../lib/text/count.ts';
import { lstatSync, realpathSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { SourceError } from '../../lib/errors.ts';
import type { Caps } from './caps.ts';
import { isClutter } from './clutter.ts';
import { ownFile, ownFileCode } from './own-files.ts';
import { type ExportInput, ProblemList } from './export-input.ts';
import { errorCode, toSourceError } from './file-errors.ts';
import { bytesAt, readChunks, type RegularFile, withRegularFile } from './regular-file.ts';
import { fingerprintFile } from './fingerprint.ts';
import { SortedPaths } from './sorted-paths.ts';

/**
 * Lists a folder and everything below it. Memory: the paths, about 70 bytes each.
 *
 * @param root Absolute, links resolved.
 * @param only Paths of the only files and folders to list. Default: all.
 */
export async function openFolder(root: string, caps: Caps, only?: ReadonlySet<string>): Promise<ExportInput> {
  const label = basename(root) || root;
  const problems = new ProblemList();
  const paths = await listFolder({ root, label, caps, problems, only });
  return folderInput({ key: root, label, problems: problems.all(label) }, new SortedPaths(paths));
}

/** Opens a file for each call and closes it again; holds nothing open. */
function folderInput(about: Pick<ExportInput, 'key' | 'label' | 'problems'>, paths: SortedPaths): ExportInput {
  const { key, label } = about;
  const action = `Cannot read from "${label}"`;
  // The folder last seen to lie inside the root: files are read folder by folder.
  let insideFolder = '';
  const fault = (path: string, reason: string) => new SourceError(`${action}: ${reason}`, { location: { path } });
  // Only files that were listed, and only while their folder is still inside the root.
  const locate = (path: string): string => {
    if (paths.indexOf(path) < 0) throw fault(path, 'there is no such file');
    const absolute = join(key, path);
    const folder = dirname(absolute);
    if (folder === insideFolder) return absolute;
    const real = realpathSync.native(folder);
    if (real !== key && !real.startsWith(withSeparator(key)))
      throw fault(path, 'its folder now leads out of the export');
    insideFolder = folder;
    return absolute;
  };
  const use = async <T>(path: string, work: (file: RegularFile) => T): Promise<T> => {
    try {
      return withRegularFile(locate(path), work);
    } catch (error) {
      throw toSourceError(error, action, { path }) ?? error;
    }
  };
  return {
    ...about,
    paths: async () => paths.list,
    stat: (path) => use(path, fingerprintFile),
    head: (path, byteCount) => use(path, ({ fd, sizeBytes }) => bytesAt(fd, 0, Math.min(byteCount, sizeBytes))),
    read: (path, bytesMax, into) =>
      use(path, ({ fd, sizeBytes }) => {
        if (sizeBytes <= bytesMax)
          return bytesAt(fd, 0, sizeBytes, into && into.length >= sizeBytes ? into : undefined);
        throw fault(path, `expected at most ${formatCount(bytesMax)} bytes, found ${formatCount(sizeBytes)}`);
      }),
    async *open(path) {
      try {
        yield* readChunks(locate(path));
      } catch (error) {
        throw toSourceError(error, action, { path }) ?? error;
      }
    },
    materialise: (path) => use(path, () => join(key, path)),
    async close() {},
  };
}

const withSeparator = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);

interface FolderToList {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly label: string;
  readonly caps: Caps;
  readonly problems: ProblemList;
  readonly only?: ReadonlySet<string> | undefined;
}

/** Directory entries asked for at once: the default of 32 costs a trip to the thread pool for each 32 files. */
const bufferSize = 1024;

/**
 * Every regular file below a folder: relative paths with forward slashes, exactly as the file system spells them, sorted by
 * code unit. Links are not followed, devices and FIFOs not touched; each is a problem, as is a subfolder that cannot be read.
 *
 * @throws SourceError if the folder itself cannot be read or has more files than `caps.entryCountMax`.
 */
async function listFolder(folder: FolderToList): Promise<readonly string[]> {
  const paths: string[] = [];
  const pending = [''];
  for (let prefix = pending.pop(); prefix !== undefined; prefix = pending.pop()) {
    try {
      await listOne(folder, prefix, paths, pending);
    } catch (error) {
      const fault = toSourceError(error, `Cannot read "${folder.label}"`);
      if (fault === undefined || prefix === '') throw fault ?? error;
      folder.problems.add('unreadable-folder', `cannot be read (${errorCode(error)})`, prefix.slice(0, -1));
    }
  }
  return paths.sort();
}

/** Adds the files of one folder to `paths` and its subfolders to `pending`, each ending in a slash. */
async function listOne(folder: FolderToList, prefix: string, paths: string[], pending: string[]): Promise<void> {
  const { root, label, caps, problems, only } = folder;
  for await (const entry of await opendir(join(root, prefix), { bufferSize })) {
    const path = prefix + entry.name;
    if (only?.has(path) === false) continue;
    if (isClutter(entry.isDirectory() ? `${path}/` : path)) continue;
    const own = ownFile(path, (name) => exists(join(root, name)));
    if (own === 'lasting') problems.add(ownFileCode, 'written by Chatferry, and no part of the export', path);
    if (own !== undefined) continue;
    if (entry.name.includes('\ufffd') && !exists(join(root, path))) {
      problems.add('unreadable-name', 'its name is not valid UTF-8', path);
    } else if (entry.isDirectory()) pending.push(`${path}/`);
    else if (entry.isFile()) paths.push(path);
    else if (entry.isSymbolicLink()) problems.add('symlink', 'a symbolic link, which is not followed', path);
    else problems.add('not-a-file', 'neither a file nor a folder', path);
    if (paths.length > caps.entryCountMax) throw tooManyFiles(label, caps);
  }
}

/** A name that is not valid UTF-8 arrives with U+FFFD in it, and then names nothing. */
const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const tooManyFiles = (label: string, caps: Caps): SourceError =>
  new SourceError(`Cannot read "${label}": it has more than ${formatCount(caps.entryCountMax)} files`, {
    hint: 'Pass the folders inside it one at a time',
  });
