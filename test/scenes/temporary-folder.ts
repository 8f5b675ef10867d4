import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atFileEnd } from '../file-end.ts';

interface TemporaryFolder {
  readonly path: string;
  /** A new folder inside it. */
  readonly make: () => string;
}

/** A folder that is gone with the test file. */
export function temporaryFolder(parent = tmpdir()): TemporaryFolder {
  const path = mkdtempSync(join(parent, 'chatferry-test-'));
  const removeAtEnd = () => atFileEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  removeAtEnd();
  return {
    path,
    make() {
      // The folder is gone if a module that several files share requested it in an earlier file.
      if (mkdirSync(path, { recursive: true })) removeAtEnd();
      return mkdtempSync(join(path, 'f-'));
    },
  };
}

/** Returns the same in memory, if the machine has such a folder: for hundreds of stores, each of which flushes every commit. */
export const temporaryFolderInMemory = (): TemporaryFolder => temporaryFolder(isWritable(memory) ? memory : tmpdir());

const memory = '/dev/shm';

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
