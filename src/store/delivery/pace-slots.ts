import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../lib/flow/clock.ts';
import { openShared } from './shared-database.ts';

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
