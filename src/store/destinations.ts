import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../lib/flow/clock.ts';
import { openShared } from './base/shared-database.ts';
import { lateStatements, sql, value, withStatements } from './base/statements.ts';

/** How a destination is told from others, and called. */
interface DestinationName {
  readonly address: string;
  readonly name: string;
  readonly profile: string;
}

export interface DestinationRow extends DestinationName {
  readonly id: number;
}

/** Facts about a destination that sending has shown. */
export interface DestinationFacts {
  /** Bytes of a request's body that it accepts, if fewer than its profile says. */
  readonly batchBytesMax?: number | undefined;
  /** By what our messages are recognised in its listings: our key or muid, the service's own id alone, or nothing. */
  readonly shownBy?: 'key' | 'id' | 'nothing' | undefined;
  /** When reading back found messages twice, in epoch ms: it stores a muid twice, and applies requests late. */
  readonly copiesFoundAtMs?: number | undefined;
}

/** Observed behaviour of a destination when it gets a muid that it already has. */
export interface SeenDuplicates {
  readonly duplicates: 'refused' | 'stored';
  readonly seenAtMs: number;
}

const select = 'SELECT id, address, name, profile FROM destination';

const statements = lateStatements({
  use: value<DestinationName & { readonly nowMs: number }, number>`
    INSERT INTO destination (address, name, profile, used_at) VALUES (@address, @name, @profile, @nowMs)
    ON CONFLICT (address) DO UPDATE SET name = excluded.name, profile = excluded.profile, used_at = excluded.used_at
    RETURNING id`,
  latest: sql<[], DestinationRow>`${select} ORDER BY used_at DESC, id DESC LIMIT 1`,
  find: sql<[address: string], DestinationRow>`${select} WHERE address = ?`,
  ids: value<[], number>`SELECT id FROM destination ORDER BY id`,
  hasDeliveries: sql<[destination: number]>`SELECT 1 FROM delivery WHERE destination = ? LIMIT 1`,
  hasSent: sql<[]>`SELECT 1 FROM delivery WHERE state <> 'pending' LIMIT 1`,
  hasLeft: sql<[]>`
    SELECT 1 FROM delivery JOIN destination ON destination.id = delivery.destination
    WHERE state <> 'pending' AND address NOT LIKE 'sandbox:%' LIMIT 1`,
  hasTakenBack: sql<[]>`SELECT 1 FROM delivery WHERE generation > 1 LIMIT 1`,
  facts: sql<[destination: number], { [Name in keyof DestinationFacts]: DestinationFacts[Name] | null }>`
    SELECT batch_bytes_max AS batchBytesMax, shown_by AS shownBy, copies_found_at AS copiesFoundAtMs FROM destination WHERE id = ?`,
  learn: sql<{ destination: number; bytes: number | null; shownBy: string | null; copies: number | null }>`
    UPDATE destination SET batch_bytes_max = coalesce(@bytes, batch_bytes_max), shown_by = coalesce(@shownBy, shown_by),
      copies_found_at = coalesce(@copies, copies_found_at) WHERE id = @destination`,
  duplicates: sql<[destination: number], SeenDuplicates>`
    SELECT duplicates, duplicates_seen_at AS seenAtMs FROM destination WHERE id = ? AND duplicates IS NOT NULL`,
  learnDuplicates: sql<DestinationName & SeenDuplicates>`
    INSERT INTO destination (address, name, profile, used_at, duplicates, duplicates_seen_at)
    VALUES (@address, @name, @profile, 0, @duplicates, @seenAtMs)
    ON CONFLICT (address) DO UPDATE SET duplicates = excluded.duplicates, duplicates_seen_at = excluded.duplicates_seen_at`,
  deliveredConversation: value<[destination: number], string>`
    SELECT conversation_id FROM conversation_delivery
    WHERE destination = ? AND conversation_id IS NOT NULL AND last_server_id IS NOT NULL LIMIT 1`,
});

/** One row for each address, with what was learned about it. */
export class Destinations extends withStatements(statements) {
  /** The destination with this address, made if it is new; used now. @returns Its id. */
  use({ address, name, profile, nowMs }: DestinationName & { readonly nowMs: number }): number {
    // The binding's get() does not notice a commit that fails behind the row; the end of a transaction does.
    return this.db.transaction(() => this.sql.use.get({ address, name, profile, nowMs })!)();
  }

  /** The destination that was used last: what `status`, `report` and `verify` speak of. */
  latest(): DestinationRow | undefined {
    return this.sql.latest.get();
  }

  find(address: string): DestinationRow | undefined {
    return this.sql.find.get(address);
  }

  ids(): number[] {
    return this.sql.ids.all();
  }

  /** Whether anything was ever tried at a destination. */
  hasDeliveries(destination: number): boolean {
    return this.sql.hasDeliveries.get(destination) !== undefined;
  }

  /** Whether anything may have left for any destination. */
  hasSent(): boolean {
    return this.sql.hasSent.get() !== undefined;
  }

  /** Whether anything may have left for another destination than a sandbox. */
  hasLeft(): boolean {
    return this.sql.hasLeft.get() !== undefined;
  }

  /** Whether anything was taken back at any: it is to be sent again under a muid that only the store knows. */
  hasTakenBack(): boolean {
    return this.sql.hasTakenBack.get() !== undefined;
  }

  facts(destination: number): DestinationFacts {
    const { batchBytesMax, shownBy, copiesFoundAtMs } = this.sql.facts.get(destination) ?? {};
    return {
      batchBytesMax: batchBytesMax ?? undefined,
      shownBy: shownBy ?? undefined,
      copiesFoundAtMs: copiesFoundAtMs ?? undefined,
    };
  }

  /** Writes down what was learned; what is not mentioned stays as it is. */
  learn(destination: number, { batchBytesMax, shownBy, copiesFoundAtMs }: DestinationFacts): void {
    const [bytes, copies] = [batchBytesMax ?? null, copiesFoundAtMs ?? null];
    this.sql.learn.run({ destination, bytes, shownBy: shownBy ?? null, copies });
  }

  /** Returns undefined if the behaviour has not been observed yet. */
  duplicates(destination: number): SeenDuplicates | undefined {
    return this.sql.duplicates.get(destination);
  }

  /** Notes what was seen of a destination. It does not become the one that was used last: nothing of the export went there. */
  learnDuplicates({ address, name, profile }: DestinationName, { duplicates, seenAtMs }: SeenDuplicates): void {
    this.sql.learnDuplicates.run({ address, name, profile, duplicates, seenAtMs });
  }

  /** Returns the service's id of a conversation to which Chatferry delivered something; undefined if it never did. */
  deliveredConversation(destination: number): string | undefined {
    return this.sql.deliveredConversation.get(destination);
  }
}

export type RequestKind = 'import' | 'read' | 'action';

/** State shared by all processes of a user about one kind of request to one destination. Times are wall time, which the processes share. */
export interface Slot {
  /** When the next request may leave: the one before it decided that. */
  nextAt: number;
  /** The service asked for silence until then. */
  heldUntil: number;
  /** Requests per minute, as the service's headers said. */
  learnedPerMinute: number | null;
}

export interface Slots {
  read(kind: RequestKind): Readonly<Slot>;
  /** Changes a slot while no other process can; what `change` throws undoes it. */
  change<T>(kind: RequestKind, change: (slot: Slot, now: number) => T): T;
  close(): void;
}

interface SlotRow {
  readonly next_at: number;
  readonly held_until: number;
  readonly written_at: number;
  readonly per_minute: number | null;
}

const noSlot: SlotRow = { next_at: 0, held_until: 0, written_at: 0, per_minute: null };

/** The slots of one destination, in the small database at this path. */
export function openSlots(path: string, address: string, clock: Clock): Slots {
  const db = openShared(
    path,
    `CREATE TABLE IF NOT EXISTS pace (key TEXT PRIMARY KEY, next_at REAL NOT NULL, held_until REAL NOT NULL,
       written_at REAL NOT NULL, per_minute REAL) STRICT, WITHOUT ROWID`,
  );
  const select = db.prepare<[string], SlotRow>(
    'SELECT next_at, held_until, written_at, per_minute FROM pace WHERE key = ?',
  );
  const write = db.prepare(
    'REPLACE INTO pace (key, next_at, held_until, written_at, per_minute) VALUES (?, ?, ?, ?, ?)',
  );

  /** If a slot was written later than now, the clock has been set back since. The time that was left of the slot then is left of it now. */
  function read(kind: RequestKind, now: number): { readonly slot: Slot; readonly setBackMs: number } {
    const row = select.get(`${address} ${kind}`) ?? noSlot;
    const setBackMs = Math.max(row.written_at - now, 0);
    const slot = {
      nextAt: row.next_at - setBackMs,
      heldUntil: row.held_until - setBackMs,
      learnedPerMinute: row.per_minute,
    };
    return { slot, setBackMs };
  }

  const change = db.transaction((kind: RequestKind, act: (slot: Slot, now: number) => unknown): unknown => {
    const now = clock.now();
    const { slot, setBackMs } = read(kind, now);
    const before = { ...slot };
    const result = act(slot, now);
    if (setBackMs === 0 && isDeepStrictEqual(slot, before)) return result;
    write.run(`${address} ${kind}`, slot.nextAt, slot.heldUntil, now, slot.learnedPerMinute);
    return result;
  });

  return {
    read: (kind) => read(kind, clock.now()).slot,
    change: <T>(kind: RequestKind, act: (slot: Slot, now: number) => T) => change.immediate(kind, act) as T,
    close: () => db.close(),
  };
}

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
interface LocalLaneClaims extends LaneClaims {
  take(lane: string): boolean;
}

/** Claims for a destination to which no other process can send. */
export const unclaimed: LaneClaims = { take: () => true, release() {}, close() {} };

interface LaneClaimsOptions {
  /** Path of the small database that the processes share. */
  readonly path: string;
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
