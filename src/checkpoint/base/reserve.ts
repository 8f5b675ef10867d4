import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { storeErrorOf } from '../../lib/sqlite.ts';

/**
 * 16 MiB. When the disk is full, answers to requests in flight are still on their way, and each is worth more than the next
 * request. A receipt changes up to three pages of 8 KiB (its row, the index by batch, its conversation): eight requests of
 * 50 messages, each on pages of its own, write 10 MB. Measured with 40,000 messages in 700 conversations: 0.2 MB a commit,
 * 0.7 MB at most.
 */
const reserveBytes = 16 * 1024 * 1024;
/** Random, so that no file system can pack it: it must take the place that it promises. */
const blockBytes = 1024 * 1024;

/** Room on the disk of a store, held in a file beside it until the disk is full. */
export interface Reserve {
  /** Takes the room, 6 ms. One that a killed process left is taken over. @throws StoreError if there is none. */
  hold(): void;
  /** Gives it back to the disk. @returns Whether there was something to give. */
  spend(): boolean;
}

export function reserveBeside(storePath: string): Reserve {
  const path = `${storePath}.reserve`;
  let isHeld = false;
  const spend = () => {
    if (!isHeld) return false;
    isHeld = false;
    rmSync(path, { force: true });
    return true;
  };
  return {
    hold() {
      if (isHeld) return;
      isHeld = true;
      if (statSync(path, { throwIfNoEntry: false })?.size === reserveBytes) return;
      try {
        fill(path);
      } catch (error) {
        spend();
        throw storeErrorOf(error, path) ?? error;
      }
    },
    spend,
  };
}

function fill(path: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    const block = randomBytes(blockBytes);
    for (let written = 0; written < reserveBytes; ) written += writeSync(file, block);
  } finally {
    closeSync(file);
  }
}
