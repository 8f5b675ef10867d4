import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sha256Base32 } from '../lib/hash.ts';
import { DatabaseDown } from './fleet/database/database.ts';
import { beginTurn, notePlace } from './fleet/database/turns.ts';
import { copiesOf, readUnit } from './fleet/database/units.ts';
import { RunningTurns } from './fleet/running-turns.ts';
import { DatabaseWatch } from './fleet/watch-database.ts';
import type { Guard, WorkerOptions } from './worker-options.ts';

/** How often a turn is looked for where one may run, in ms. */
const pollMs = 500;

/** Claims turns and has each run in a process of its own, until it is asked to stop. */
export class Worker {
  readonly id: string;
  readonly #options: WorkerOptions;
  readonly #turns: RunningTurns;
  readonly #watch: DatabaseWatch;
  #isUp = true;
  #claimed = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.id = `${hostname().slice(0, 40)}-${process.pid}-${sha256Base32(randomUUID(), 4)}`;
    this.#turns = new RunningTurns(options, this.#guard);
    this.#watch = new DatabaseWatch(this.id, options, this.#turns, this.#guard);
  }

  /** Resolves when it was asked to stop and every turn has ended. */
  async run(): Promise<void> {
    const { clock, stopping, turns: most } = this.#options;
    await this.#watch.begin();
    const beating = this.#watch.beatUntil(stopping);
    while (!stopping.aborted) {
      if (this.#turns.size < most) await this.#guard(() => this.#claim());
      if (this.#turns.size >= most || !this.#claimed) await clock.sleep(pollMs, stopping).catch(() => {});
    }
    await this.#turns.stopAll();
    await beating;
    await this.#guard(
      async () => void (await this.#options.database.query('DELETE FROM ferry.worker WHERE id = $1', [this.id])),
    );
  }

  async #claim(): Promise<void> {
    const { engine, database } = this.#options;
    this.#claimed = false;
    const claim = await engine.claim();
    if (!claim) return;
    this.#claimed = true;
    await this.#turns.endOlder(claim);
    const token = randomUUID();
    const begun = await database.transaction(async (query) => {
      // A database that lost commits must not hand out a unit as if nothing had left.
      if (await this.#watch.isBehind(query)) return 'behind' as const;
      await notePlace(query, claim.place);
      const turn = await beginTurn(query, claim, token, this.id);
      if (turn) return { turn, unit: (await readUnit(query, claim.unit))! };
      // Paused, done or dropped since it was sent. Who lets it go on waits for this commit, and sends another.
      await engine.complete(claim, query);
      return undefined;
    });
    if (begun === 'behind') {
      await this.#watch.look();
      await engine.giveBack(claim);
      return;
    }
    if (!begun) return;
    const { turn, unit } = begun;
    const copies = await copiesOf(database.query, unit.id);
    const { files, times, work } = this.#options;
    const folder = join(work, encodeURIComponent(unit.id));
    this.#turns.begin({ claim, token, unit, turn, copies, folder, files, times });
  }

  /** Work that the database does not answer is done again the next time. */
  readonly #guard: Guard = async (work) => {
    const { listener, downHint } = this.#options;
    try {
      await work();
      if (!this.#isUp) listener.database?.(true, 'the database answers again');
      this.#isUp = true;
    } catch (error) {
      if (!(error instanceof DatabaseDown)) {
        this.#options.onLine(error instanceof Error ? (error.stack ?? error.message) : String(error));
        return;
      }
      if (this.#isUp) listener.database?.(false, [error.message, downHint].filter(Boolean).join('; '));
      this.#isUp = false;
    }
  };
}
