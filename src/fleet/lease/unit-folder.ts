import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../lib/files/make-folder.ts';

export interface UnitFiles {
  readonly folder: string;
  readonly store: string;
  /** The job's state of its location. */
  readonly state: string;
  /** Its job as a configuration of its own. */
  readonly config: string;
  readonly report: string;
  /** File to which a copy is packed, and from which it is unpacked. */
  readonly packed: string;
}

export function unitFiles(folder: string): UnitFiles {
  const at = (name: string) => join(folder, name);
  return {
    folder,
    store: at('store.db'),
    state: at('jobs.db'),
    config: at('chatferry.yaml'),
    report: at('report'),
    packed: at('copy.zst'),
  };
}

/** Which copy the files are exactly, if they are one. */
const markerPath = (folder: string): string => join(folder, 'is-copy');

/** @returns Key of the copy in this folder, if it is unchanged since. */
export function heldCopy(folder: string): string | undefined {
  const marker = markerPath(folder);
  return existsSync(marker) ? readFileSync(marker, 'utf8') : undefined;
}

/** Marks the files in the folder as this copy, until they change. */
export const markCopy = (folder: string, key: string): void => writeFileSync(markerPath(folder), key, { mode: 0o600 });

/** From here on it may be another. */
export const touchFolder = (folder: string): void => rmSync(markerPath(folder), { force: true });

/** Nothing of an earlier lease is left. */
export function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
}
