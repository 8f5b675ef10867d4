import { hostname } from 'node:os';
import { lateStatements, sql, withStatements } from './base/statements.ts';

/** How a run ended. What is no number is kept as JSON. */
interface RunEnd {
  readonly exit: number;
  readonly nowMs: number;
  readonly requests: unknown;
  readonly verify: unknown;
  readonly stopped: unknown;
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

const select =
  'SELECT id, command, started_at AS startedAtMs, ended_at AS endedAtMs, exit, requests, verify, stopped FROM run';

const statements = lateStatements({
  start: sql<
    [command: string, nowMs: number, host: string, pid: number, destination: number | null, profile: string | null]
  >`
    INSERT INTO run (command, started_at, host, pid, destination, profile) VALUES (?, ?, ?, ?, ?, ?)`,
  end: sql<Record<'id' | 'exit' | 'nowMs', number> & Record<'requests' | 'verify' | 'stopped', string | null>>`
    UPDATE run SET ended_at = @nowMs, exit = @exit, requests = @requests, verify = @verify, stopped = @stopped WHERE id = @id`,
  find: sql<[id: number], RunRow>`${select} WHERE id = ?`,
  latest: sql<[], RunRow>`${select} ORDER BY id DESC LIMIT 1`,
  latestAt: sql<[destination: number | null], RunRow>`${select} WHERE destination IS ? ORDER BY id DESC LIMIT 1`,
  sentBefore: sql<[destination: number, run: number], RunRow>`
    ${select} WHERE destination = ? AND id < ? AND command IN ('import', 'retry') ORDER BY id DESC LIMIT 1`,
});

const toJson = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));

export class Runs extends withStatements(statements) {
  /** @returns Its id; people see `r<id>`. */
  start(run: { command: string; destination: number | null; profile: string | null; nowMs: number }): number {
    const { command, destination, profile, nowMs } = run;
    return Number(this.sql.start.run(command, nowMs, hostname(), process.pid, destination, profile).lastInsertRowid);
  }

  end(id: number, { exit, nowMs, requests, verify, stopped }: RunEnd): void {
    const texts = { requests: toJson(requests), verify: toJson(verify), stopped: toJson(stopped) };
    this.sql.end.run({ id, exit, nowMs, ...texts });
  }

  find(id: number): RunRow | undefined {
    return this.sql.find.get(id);
  }

  /** The run that began last, wherever to. */
  latest(): RunRow | undefined {
    return this.sql.latest.get();
  }

  /** The latest run at a destination, other than looking at it. */
  latestAt(destination: number | null): RunRow | undefined {
    return this.sql.latestAt.get(destination);
  }

  /** The run before this one that sent to a destination, by itself or again. */
  sentBefore(destination: number, run: number): RunRow | undefined {
    return this.sql.sentBefore.get(destination, run);
  }
}
