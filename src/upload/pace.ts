import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import { openDatabase } from '../lib/sqlite.ts';
import type { RateHints } from '../service/outcome.ts';

export type RequestKind = 'import' | 'read';

/** The request rate that we allow ourselves at one destination, over all lanes and processes. */
export interface Pace {
  /** Resolves when the next request of this kind may leave. */
  take(kind: RequestKind, signal: AbortSignal): Promise<void>;
  /** The service asked for silence: nothing of this kind leaves before. */
  hold(kind: RequestKind, ms: number): void;
  /** What an answer's rate headers said. */
  learn(kind: RequestKind, hints: RateHints): void;
  close(): void;
}

/** For the embedded sandbox, which has no rate. */
export const unpaced: Pace = { take: async () => {}, hold() {}, learn() {}, close() {} };

export interface SharedPaceOptions {
  /** The destination's address: every process that sends there shares the slots. */
  readonly address: string;
  /** Requests per minute; a kind without one has no fixed rate, but holds are obeyed. */
  readonly perMinute: Partial<Record<RequestKind, number>>;
  readonly clock: Clock;
  readonly onWait: (ms: number, why: string) => void;
  /** Default: one per user, in the state folder. */
  readonly path?: string;
}

interface Slot {
  readonly next_at: number;
  readonly held_until: number;
}

/** A slot further away than this was written under another clock, and is ignored. */
const slotAheadMaxMs = 60 * 60_000;

/**
 * Evenly spaced slots in a small database: no burst at a window's edge, and what was used up or asked for by the
 * service is remembered across kills. Times are wall time, because several processes must agree on them.
 */
export function sharedPace(options: SharedPaceOptions): Pace {
  const { address, clock, onWait } = options;
  const perMinute = { ...options.perMinute };
  const db = openDatabase(options.path ?? defaultPath(), { synchronous: 'NORMAL' });
  db.exec(
    'CREATE TABLE IF NOT EXISTS slot (key TEXT PRIMARY KEY, next_at INTEGER NOT NULL, held_until INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  );
  const read = db.prepare<[string], Slot>('SELECT next_at, held_until FROM slot WHERE key = ?');
  const write = db.prepare(
    'INSERT INTO slot VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET next_at = excluded.next_at, held_until = excluded.held_until',
  );
  const keyOf = (kind: RequestKind) => `${address} ${kind}`;
  const slotOf = (kind: RequestKind, now: number): Slot => {
    const { next_at = 0, held_until = 0 } = read.get(keyOf(kind)) ?? {};
    const sane = (at: number) => (at > now + slotAheadMaxMs ? 0 : at);
    return { next_at: sane(next_at), held_until: sane(held_until) };
  };

  const reserve = db.transaction((kind: RequestKind, now: number): number => {
    const { next_at, held_until } = slotOf(kind, now);
    const rate = perMinute[kind];
    const at = Math.max(now, held_until, rate === undefined ? 0 : next_at);
    if (rate !== undefined) write.run(keyOf(kind), Math.ceil(at + 60_000 / rate), held_until);
    return at;
  });
  const holdUntil = db.transaction((kind: RequestKind, until: number, now: number) => {
    const { next_at, held_until } = slotOf(kind, now);
    write.run(keyOf(kind), next_at, Math.max(held_until, Math.ceil(until)));
  });

  return {
    async take(kind, signal) {
      for (;;) {
        const now = clock.now();
        const at = reserve.immediate(kind, now);
        if (at <= now) return;
        if (at - now > 1500) onWait(at - now, 'the destination allows no faster rate');
        await clock.sleep(at - now, signal);
        // Another request's answer may have asked for silence meanwhile: then this slot is gone.
        if (slotOf(kind, clock.now()).held_until <= at) return;
      }
    },
    hold: (kind, ms) => holdUntil.immediate(kind, clock.now() + ms, clock.now()),
    learn(kind, hints) {
      if (hints.limitPerMinute !== undefined && options.perMinute[kind] === undefined)
        perMinute[kind] = hints.limitPerMinute;
      if (hints.remaining !== undefined && hints.remaining <= 0 && hints.resetInMs !== undefined) {
        holdUntil.immediate(kind, clock.now() + hints.resetInMs, clock.now());
      }
    },
    close: () => db.close(),
  };
}

function defaultPath(): string {
  const folder =
    process.env.CHATFERRY_STATE_DIR ??
    join(process.env.XDG_STATE_HOME ?? join(homedir(), '.local', 'state'), 'chatferry');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, 'pace.db');
}
