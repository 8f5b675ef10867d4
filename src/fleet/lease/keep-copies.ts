import { rmSync } from 'node:fs';
import { packStore } from '../copies/pack-store.ts';
import { announceCopy, listCopies } from '../database/units.ts';
import type { FleetPermits } from '../work/permits.ts';
import { UnitLost } from '../work/unit-lost.ts';
import type { Measured, LeaseRequest } from './lease-request.ts';
import type { RestoreOptions } from './restore-unit.ts';
import { unitFiles } from './unit-folder.ts';

/** Requests since the last copy: then another is made, before its time. */
const copyAfter = 1_000;
const usualUncopiedMax = 10_000;
/** How often it is looked whether a copy is due, and how soon one that failed is tried again. In ms. */
const lookMs = 1_000;
const againMs = 5_000;

export interface KeepCopiesOptions extends RestoreOptions {
  readonly number: number;
  readonly measured: (measured: Measured) => void;
  /** Requests without a copy: then the place for copies is down, and nothing leaves until it is back. 10,000 by default. */
  readonly uncopiedMax?: number;
}

/**
 * Makes copies of a unit's store while it is sent, one at a time: every minute, or after a thousand requests. A copy counts once the database
 * knows of it; which intents it surely holds is asked before it is begun.
 */
export class CopyKeeper {
  permits: FleetPermits | undefined;
  readonly #request: LeaseRequest;
  readonly #options: KeepCopiesOptions;
  readonly #over = new AbortController();
  #number: number;
  #latest: string | undefined;
  #copying: Promise<void> | undefined;
  #fault: unknown;
  #madeMs: number;

  constructor(request: LeaseRequest, options: KeepCopiesOptions) {
    this.#request = request;
    this.#options = options;
    this.#number = options.number;
    this.#madeMs = options.clock.monotonic();
  }

  /** Key of the newest copy that this lease made. */
  get latest(): string | undefined {
    return this.#latest;
  }

  /** Makes copies until `end`. Faults are reported with the next `copy`. */
  async run(): Promise<void> {
    const { clock } = this.#options;
    const signal = AbortSignal.any([this.#over.signal, this.#options.signal]);
    while (!signal.aborted) {
      await clock.sleep(lookMs, signal).catch(() => {});
      if (signal.aborted || !this.permits) continue;
      this.#options.measured({ kind: 'uncopied', count: this.permits.uncopied, unit: this.#request.unit.id });
      const isDue = clock.monotonic() - this.#madeMs >= this.#request.times.copyEvery && this.permits.uncopied > 0;
      if (!isDue && this.permits.uncopied < copyAfter) continue;
      await this.copy().catch(async (error: unknown) => {
        this.#fault = error;
        await clock.sleep(againMs, signal).catch(() => {});
      });
    }
  }

  /** Waits while too much left without a copy. @throws UnitLost */
  async mayGo(): Promise<void> {
    const { clock, signal, uncopiedMax = usualUncopiedMax } = this.#options;
    while ((this.permits?.uncopied ?? 0) >= uncopiedMax) {
      if (this.#fault instanceof UnitLost) throw this.#fault;
      await clock.sleep(lookMs, signal);
    }
  }

  /**
   * Resolves when there is a copy of everything that was written before this call. @throws UnitLost; StoreError,
   * MediaFault if none can be made.
   */
  async copy(): Promise<void> {
    // One that is being made may have begun before what is to be in it was written.
    await this.#copying?.catch(() => {});
    this.#copying = this.#make();
    await this.#copying;
  }

  async #make(): Promise<void> {
    const { query, copies, clock, signal, measured } = this.#options;
    const { unit, folder, claim, token } = this.#request;
    const files = unitFiles(folder);
    const beganMs = clock.monotonic();
    const [row] = await query<{ mark: string }>(
      'SELECT coalesce(max(id), 0)::text AS mark FROM ferry.intent WHERE unit = $1',
      [unit.id],
    );
    const left = this.permits?.uncopied ?? 0;
    const isFirst = this.#latest === undefined;
    try {
      const packed = await packStore(files, files.packed, signal);
      const number = this.#number + 1;
      const key = await copies.put(unit.id, number, { path: files.packed, ...packed }, signal, this.#announce);
      this.#number = number;
      const [saved] = await query<{ old: string[] | null }>(
        'SELECT ferry.save($1, $2, $3, $4, $5, $6, $7, $8) AS old',
        [...[claim.job, claim.attempt, unit.id, token, key, packed.sha256, number, row!.mark]],
      );
      if (!saved?.old) throw new UnitLost(`"${unit.id}" is another worker's by now`);
      this.#latest = key;
      this.#madeMs = clock.monotonic();
      if (this.permits) this.permits.uncopied -= left;
      measured({ kind: 'copy', ms: clock.monotonic() - beganMs, bytes: packed.sizeBytes, address: unit.address });
      for (const old of saved.old) await copies.remove(old, signal).catch(() => {});
      if (isFirst) await this.#sweep().catch(() => {});
    } finally {
      rmSync(files.packed, { force: true });
    }
  }

  /** A first copy that is never saved must not look like one that the database forgot. */
  readonly #announce = async (key: string): Promise<void> => {
    const { unit, token, copies } = this.#request;
    if (copies.length > 0 || this.#latest !== undefined) return;
    if (!(await announceCopy(this.#options.query, unit.id, token, key)))
      throw new UnitLost(`"${unit.id}" is another worker's by now`);
  };

  /** Removes copies that a worker wrote there and could not report to the database. */
  async #sweep(): Promise<void> {
    const { query, copies, signal } = this.#options;
    const { id } = this.#request.unit;
    const pointed = await listCopies(query, id);
    await copies.sweep(
      id,
      pointed.map(({ key }) => key),
      signal,
    );
  }

  /** No further copy begins by itself. */
  end(): void {
    this.#over.abort(new Error('the lease is over'));
  }
}
