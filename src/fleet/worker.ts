import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sha256Base32, sha256Hex } from '../lib/hash.ts';
import { faultWords } from '../lib/sqlite.ts';
import { DatabaseDown } from './database/database.ts';
import { beginLease, notePlace } from './database/leases.ts';
import { listCopies, readUnit } from './database/units.ts';
import { RunningLeases } from './work/running-leases.ts';
import { DatabaseWatch } from './watch/watch-database.ts';
import type { Guard, WorkerOptions, SeenPlace } from './worker-options.ts';
import type { MediaLocation } from '../media/media-location.ts';
import type { DatabasePlace } from './database/epoch.ts';

/** How often a lease is looked for where one may run, in ms. */
const pollMs = 500;

/** Claims leases and has each run in a process of its own, until it is asked to stop. */
export class Worker {
  readonly id: string;
  readonly #options: WorkerOptions;
  readonly #leases: RunningLeases;
  readonly #watch: DatabaseWatch;
  #isUp = true;
  #claimed = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.id = `${hostname().slice(0, 40)}-${process.pid}-${sha256Base32(randomUUID(), 4)}`;
    this.#leases = new RunningLeases(options, this.#guard);
    this.#watch = new DatabaseWatch(this.id, options, this.#leases, this.#guard);
  }

  /** Resolves when it was asked to stop and every lease has ended. */
  async run(): Promise<void> {
    const { clock, stopping, leases: most } = this.#options;
    await this.#watch.begin();
    const beating = this.#watch.beatUntil(stopping);
    while (!stopping.aborted) {
      if (this.#leases.size < most) await this.#guard(() => this.#claim());
      if (this.#leases.size >= most || !this.#claimed) await clock.sleep(pollMs, stopping).catch(() => {});
    }
    await this.#leases.stopAll();
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
    await this.#leases.endOlder(claim);
    const token = randomUUID();
    const begun = await database.transaction(async (query) => {
      // A database that lost commits must not hand out a unit as if nothing had left.
      if (await this.#watch.isBehind(query)) return 'behind' as const;
      await notePlace(query, claim.place);
      const lease = await beginLease(query, claim, token, this.id);
      if (lease) return { lease: lease, unit: (await readUnit(query, claim.unit))! };
      // Paused, done or dropped since it was sent. Who lets it go on waits for this commit, and sends another.
      await engine.complete(claim, query);
      return undefined;
    });
    if (begun === 'behind') {
      await this.#watch.check();
      await engine.giveBack(claim);
      return;
    }
    if (!begun) return;
    const { lease, unit } = begun;
    const copies = await listCopies(database.query, unit.id);
    const { files, times, work } = this.#options;
    const folder = join(work, encodeURIComponent(unit.id));
    this.#leases.begin({ claim, token, unit, lease, copies, folder, files, times });
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
        this.#options.onLine(faultWords(error));
        return;
      }
      if (this.#isUp) listener.database?.(false, [error.message, downHint].filter(Boolean).join('; '));
      this.#isUp = false;
    }
  };
}

const key = 'seen-database.json';
const bytesMax = 4096;

/** How far the database was seen to be, at the fleet's files: also where every worker is gone, a database that was restored is noticed. */
export const seenAt = (location: MediaLocation, signal: AbortSignal): SeenPlace => ({
  async read() {
    if (!(await location.head(key, signal))) return undefined;
    let text = '';
    for await (const chunk of location.read(key, signal)) {
      text += Buffer.from(chunk).toString('utf8');
      if (text.length > bytesMax) return undefined;
    }
    const { flushed, ...place } = JSON.parse(text) as Omit<DatabasePlace, 'flushed'> & { readonly flushed: string };
    return { ...place, flushed: BigInt(flushed) };
  },
  async write({ systemId, timeline, epoch, flushed }) {
    const text = JSON.stringify({ systemId, timeline, epoch, flushed: flushed.toString() });
    const bytes = Buffer.from(text);
    await location.put(
      key,
      {
        sizeBytes: bytes.length,
        sha256: sha256Hex(text),
        contentType: 'application/json',
        disposition: '',
        async *open(from = 0, to = bytes.length) {
          yield bytes.subarray(from, to);
        },
      },
      signal,
    );
  },
});
