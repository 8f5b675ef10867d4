import type { Clock } from '../../lib/flow/clock.ts';
import { openShared } from '../base/shared-database.ts';

/**
 * Which conversations of a destination are being sent to, over all processes of a user: two stores that hold the same messages
 * would else both look, find nothing, and both send.
 */
export interface LaneClaims {
  /** @returns Whether the conversation is ours now: no other store sends to it, and what one has sent can be seen. */
  take(lane: string): boolean | Promise<boolean>;
  /** Everything of ours is there. */
  release(lane: string): void;
  /** Gives up the others as well: what was sent to them may still be on its way. */
  close(): void;
}

/** Claims of the processes of one machine. */
export interface LocalLaneClaims extends LaneClaims {
  take(lane: string): boolean;
}

/** Claims for a destination to which no other process can send. */
export const unclaimed: LaneClaims = { take: () => true, release() {}, close() {} };

export interface LaneClaimsOptions {
  /** Path of the small database that the processes share. */
  readonly path: string;
  /** The destination's address. */
  readonly address: string;
  /** The sender: the real path of its store. A process with the same path continues with its own claims. */
  readonly owner: string;
  /** Whether a process works on another's store at this moment. */
  readonly isAtWork: (owner: string) => boolean;
  readonly clock: Clock;
  /** After the last answer until a listing shows what was sent, and after a kill until it has surely arrived, in ms. */
  readonly graceShortMs: number;
  readonly graceLongMs: number;
}

interface ClaimRow {
  readonly owner: string;
  /** Wall time from which others may send; NULL while a process sends. */
  readonly freeAt: number | null;
}

export function openLaneClaims(options: LaneClaimsOptions): LocalLaneClaims {
  const { address, owner, isAtWork, clock, graceShortMs, graceLongMs } = options;
  const db = openShared(
    options.path,
    `CREATE TABLE IF NOT EXISTS lane_claim (destination TEXT NOT NULL, lane TEXT NOT NULL, owner TEXT NOT NULL, free_at REAL,
       PRIMARY KEY (destination, lane)) STRICT, WITHOUT ROWID`,
  );
  db.prepare('DELETE FROM lane_claim WHERE destination = ? AND free_at <= ?').run(address, clock.now());
  const read = db.prepare<[string, string], ClaimRow>(
    'SELECT owner, free_at AS freeAt FROM lane_claim WHERE destination = ? AND lane = ?',
  );
  const write = db.prepare('REPLACE INTO lane_claim (destination, lane, owner, free_at) VALUES (?, ?, ?, ?)');
  const freeAll = db.prepare(
    'UPDATE lane_claim SET free_at = ? WHERE destination = ? AND owner = ? AND free_at IS NULL',
  );

  const take = db.transaction((lane: string): boolean => {
    const claim = read.get(address, lane);
    const now = clock.now();
    if (claim && claim.owner !== owner) {
      if (claim.freeAt === null && isAtWork(claim.owner)) return false;
      // A clock that was set back makes no process wait longer than a kill would.
      const freeAt = Math.min(claim.freeAt ?? Infinity, now + graceLongMs);
      if (freeAt !== claim.freeAt) write.run(address, lane, claim.owner, freeAt);
      if (freeAt > now) return false;
    }
    write.run(address, lane, owner, null);
    return true;
  });
  return {
    take: (lane) => take.immediate(lane),
    release: (lane) => void write.run(address, lane, owner, clock.now() + graceShortMs),
    close() {
      freeAll.run(clock.now() + graceLongMs, address, owner);
      db.close();
    },
  };
}
