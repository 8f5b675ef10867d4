import { lstatSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '../../lib/errors.ts';
import type { Caps } from './caps.ts';
import { isClutter } from './clutter.ts';
import { errorCode, sourceErrorOf } from './file-errors.ts';
import type { ProblemList } from './problem-list.ts';

interface FolderToList {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly label: string;
  readonly caps: Caps;
  readonly problems: ProblemList;
}

/** Directory entries asked for at once: the default of 32 costs a trip to the thread pool for each 32 files. */
const bufferSize = 1024;

/**
 * Every regular file below a folder: relative paths with forward slashes, exactly as the file system spells them, sorted by
 * code unit. Links are not followed, devices and FIFOs not touched; each is a problem, as is a subfolder that cannot be read.
 *
 * @throws SourceError if the folder itself cannot be read or has more files than `caps.entryCountMax`.
 */
export async function listFolder(folder: FolderToList): Promise<readonly string[]> {
  const paths: string[] = [];
  const pending = [''];
  for (let prefix = pending.pop(); prefix !== undefined; prefix = pending.pop()) {
    try {
      await listOne(folder, prefix, paths, pending);
    } catch (error) {
      const fault = sourceErrorOf(error, `Cannot read "${folder.label}"`);
      if (fault === undefined || prefix === '') throw fault ?? error;
      folder.problems.add('unreadable-folder', `cannot be read (${errorCode(error)})`, prefix.slice(0, -1));
    }
  }
  return paths.sort();
}

/** Adds the files of one folder to `paths` and its subfolders to `pending`, each ending in a slash. */
async function listOne(folder: FolderToList, prefix: string, paths: string[], pending: string[]): Promise<void> {
  const { root, label, caps, problems } = folder;
  for await (const entry of await opendir(join(root, prefix), { bufferSize })) {
    const path = prefix + entry.name;
    if (isClutter(entry.isDirectory() ? `${path}/` : path)) continue;
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
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function tooManyFiles(label: string, caps: Caps): SourceError {
  return new SourceError(`Cannot read "${label}": it has more than ${caps.entryCountMax.toLocaleString('en')} files`, {
    hint: 'Pass the folders inside it one at a time',
  });
}
