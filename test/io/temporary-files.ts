import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is removed when the test ends. Links resolved, as `key` is. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chatferry-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes the file and the folders above it; returns its path. */
export function writeFile(folder: string, path: string, content: string | Uint8Array): string {
  const absolute = join(folder, path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, content);
  return absolute;
}

/** One file in a folder of its own. */
export function temporaryFile(name: string, content: string | Uint8Array): string {
  return writeFile(temporaryFolder(), name, content);
}

/** Where Linux and macOS list what a process has open. */
const ownFiles = '/dev/fd';

/** How many files this process has open. */
export const openFileCount = (): number => readdirSync(ownFiles).length;

/** How many files of one folder this process has open, whatever other tests have; Linux only. */
export const openFilesIn = (folder: string): number =>
  readdirSync(ownFiles).filter((descriptor) => targetOf(descriptor).startsWith(`${realpathSync(folder)}/`)).length;

/** Empty for the descriptor of the listing itself, which is closed by then. */
function targetOf(descriptor: string): string {
  try {
    return readlinkSync(join(ownFiles, descriptor));
  } catch {
    return '';
  }
}

/** Node cannot make one itself. */
const fifoMaker = 'mkfifo';

export function makeFifo(path: string): string {
  execFileSync(fifoMaker, [path]);
  return path;
}
