import { hostname } from 'node:os';
import { oneLine } from '../../lib/text/plain-text.ts';
import { version } from '../../lib/version.ts';
import type { Query } from '../database/database.ts';
import { type DatabasePlace, isBehind, noteLoss, readPlace } from '../database/epoch.ts';
import { noteProgress } from '../database/leases.ts';
import { buryUnit } from '../database/units.ts';
import { MediaFault } from '../../media/media-location.ts';
import { type RunningLease, type RunningLeases, say } from '../work/running-leases.ts';
import type { Guard, WorkerOptions } from '../worker-options.ts';

/** How often what was seen of the database is put down outside of it, in ms. */
const rememberMs = 60_000;
/** How soon that is asked for again where it cannot be read, in ms. */
const memoryMs = 5_000;

/** Reports to the database that a worker is alive, and reads from it the state of the worker's leases, and of the database itself. */
export class DatabaseWatch {
  readonly #id: string;
  readonly #options: WorkerOptions;
  readonly #leases: RunningLeases;
  readonly #guard: Guard;
  #place: DatabasePlace | undefined;
  #rememberedMs = Number.NEGATIVE_INFINITY;

  constructor(id: string, options: WorkerOptions, leases: RunningLeases, guard: Guard) {
    this.#id = id;
    this.#options = options;
    this.#leases = leases;
    this.#guard = guard;
  }

  /** Begins with the last known position of the database: without it, a worker cannot detect that the database is behind. */
  async begin(): Promise<void> {
    this.#place = await this.#remembered();
    await this.#guard(() => this.check());
  }

  async #remembered(): Promise<DatabasePlace | undefined> {
    const { seen, clock, stopping, onLine } = this.#options;
    for (let asked = 0; seen && !stopping.aborted; asked++) {
      try {
        return await seen.read();
      } catch (error) {
        if (!(error instanceof MediaFault)) {
          onLine(`How far the database was is not known: ${oneLine((error as Error).message)}`);
          return undefined;
        }
        if (asked === 0) onLine(`Nothing is taken before copies can be read: ${oneLine((error as Error).message)}`);
        await clock.sleep(memoryMs, stopping).catch(() => {});
      }
    }
    return undefined;
  }

  /** Returns whether the database has lost commits since it was last checked. A beat may check in the meantime, and see it further. */
  async isBehind(query: Query): Promise<boolean> {
    const seen = this.#place;
    return isBehind(await readPlace(query), seen);
  }

  /** Beats until the worker stops and its leases have ended. */
  async beatUntil(stopping: AbortSignal): Promise<void> {
    const { clock, times } = this.#options;
    const over = new AbortController();
    stopping.addEventListener('abort', () => setTimeout(() => over.abort(), 0), { once: true });
    // Leases that end are held until they have ended.
    while (!stopping.aborted || this.#leases.size > 0) {
      await this.#guard(() => this.#beat());
      this.#options.listener.beat?.();
      const waitMs = stopping.aborted ? 500 : times.heartbeat / 4;
      await clock.sleep(waitMs, stopping.aborted ? new AbortController().signal : over.signal).catch(() => {});
    }
    await this.#remember();
  }

  async #beat(): Promise<void> {
    const { database, engine, leases, listener } = this.#options;
    const running = this.#leases.open();
    const lost = await engine.beat(running.map(({ claim }) => claim));
    for (const { claim, child } of running) {
      if (!lost.includes(claim)) continue;
      listener.measured?.({ kind: 'fenced', unit: claim.unit });
      say(child, { kind: 'stop', why: 'lost' });
    }
    await database.query(
      `INSERT INTO ferry.worker (id, host, version, leases, running) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO UPDATE SET seen = clock_timestamp(), running = excluded.running`,
      [this.#id, hostname(), version, leases, this.#leases.size],
    );
    const at = running.flatMap(({ unit, token, progress }) => (progress ? [{ unit: unit.id, token, progress }] : []));
    await noteProgress(database.query, at);
    await this.#stopPaused(running);
    await this.#bury();
    await database.query('SELECT ferry.place_due()');
    await this.check();
  }

  async #stopPaused(running: readonly RunningLease[]): Promise<void> {
    if (running.length === 0) return;
    const rows = await this.#options.database.query<{ id: string }>(
      `SELECT id FROM ferry.unit WHERE id = ANY($1) AND state = 'running'`,
      [running.map(({ unit }) => unit.id)],
    );
    const wanted = new Set(rows.map(({ id }) => id));
    for (const { unit, child } of running) if (!wanted.has(unit.id)) say(child, { kind: 'stop', why: 'worker' });
  }

  /** Units whose workers died again and again. */
  async #bury(): Promise<void> {
    const { engine, database } = this.#options;
    await database.transaction(async (query) => {
      for (const unit of await engine.buried(query)) {
        await query('SELECT 1 FROM ferry.unit WHERE id = $1 FOR UPDATE', [unit]);
        // The unit may have been resumed in the meantime.
        if (!(await engine.hasLease(unit, query))) await buryUnit(query, unit, 'its workers died, one after the other');
      }
    });
  }

  /** Looks whether the database has everything that it had. */
  async check(): Promise<void> {
    const seen = this.#place;
    const { database, listener, clock } = this.#options;
    let now = await readPlace(database.query);
    if (isBehind(now, seen)) {
      await noteLoss(database, seen);
      listener.lost?.();
      now = await readPlace(database.query);
    }
    this.#place = now;
    if (clock.monotonic() - this.#rememberedMs >= rememberMs) await this.#remember();
  }

  async #remember(): Promise<void> {
    const { seen, clock } = this.#options;
    this.#rememberedMs = clock.monotonic();
    if (this.#place) await seen?.write(this.#place).catch(() => {});
  }
}
