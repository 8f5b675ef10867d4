import { hostname } from 'node:os';
import type { Database } from 'better-sqlite3';

/** Starts a run in the store. @returns Its id; people see `r<id>`. */
export function startRun(
  db: Database,
  run: { command: string; destination: number | null; profile: string | null; nowMs: number },
): number {
  return Number(
    db
      .prepare('INSERT INTO run (command, started_at, host, pid, destination, profile) VALUES (?, ?, ?, ?, ?, ?)')
      .run(run.command, run.nowMs, hostname(), process.pid, run.destination, run.profile).lastInsertRowid,
  );
}

export interface RunEnd {
  readonly exit: number;
  readonly nowMs: number;
  readonly requests: unknown;
  readonly verify: unknown;
  readonly stopped: unknown;
}

export function endRun(db: Database, id: number, end: RunEnd): void {
  const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));
  db.prepare('UPDATE run SET ended_at = ?, exit = ?, requests = ?, verify = ?, stopped = ? WHERE id = ?').run(
    end.nowMs,
    end.exit,
    json(end.requests),
    json(end.verify),
    json(end.stopped),
    id,
  );
}

export interface RunRow {
  readonly id: number;
  readonly command: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly exit: number | null;
  readonly requests: string | null;
  readonly verify: string | null;
  readonly stopped: string | null;
}

const columns = 'id, command, started_at AS startedAtMs, ended_at AS endedAtMs, exit, requests, verify, stopped';

/** The latest run at a destination, other than looking at it. */
export function lastRun(db: Database, destination: number | null): RunRow | undefined {
  return db
    .prepare<[number | null], RunRow>(`SELECT ${columns} FROM run WHERE destination IS ? ORDER BY id DESC LIMIT 1`)
    .get(destination);
}

/** The run before this one that sent to a destination, by itself or again. */
export function sentBefore(db: Database, destination: number, run: number): RunRow | undefined {
  return db
    .prepare<[number, number], RunRow>(
      `SELECT ${columns} FROM run WHERE destination = ? AND id < ? AND command IN ('import', 'retry') ORDER BY id DESC LIMIT 1`,
    )
    .get(destination, run);
}

/** The run that began last, wherever to. */
export function latestRun(db: Database): RunRow | undefined {
  return db.prepare<[], RunRow>(`SELECT ${columns} FROM run ORDER BY id DESC LIMIT 1`).get();
}

export function runById(db: Database, id: number): RunRow | undefined {
  return db.prepare<[number], RunRow>(`SELECT ${columns} FROM run WHERE id = ?`).get(id);
}
