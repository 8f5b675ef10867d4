import type { Clock } from '../../lib/flow/clock.ts';
import { DestinationError } from '../../lib/errors.ts';
import type { SendPermits, SendPermit, PendingSend } from '../../delivery/destination.ts';
import { DatabaseDown, type Query } from '../database/database.ts';
import type { Claim } from './engine.ts';
import { UnitLost } from './unit-lost.ts';

export interface FleetPermitsOptions {
  readonly claim: Claim;
  /** Random; of the worker that has the unit. */
  readonly token: string;
  readonly clock: Clock;
  /** How long a worker may be silent, in ms: after that it surely has the unit no more. */
  readonly heartbeatMs: number;
  /** When aborted, all waits end. */
  readonly signal: AbortSignal;
  /** Waited for before each request: copies may be too far behind. */
  readonly mayGo: () => Promise<void>;
  /** Called with the database latency in ms. */
  readonly onPermit?: ((ms: number) => void) | undefined;
  readonly onFenced?: (() => void) | undefined;
}

/** So long is waited before a database that did not answer is asked again. */
const againMs = 500;

/**
 * Records in the database each request that is about to leave, if the unit is still this worker's. A request that is
 * not recorded does not leave: not while the database is down, and not after another worker has taken the unit over.
 */
export class FleetPermits implements SendPermits {
  /** Whether another worker has the unit. */
  isLost = false;
  /** Requests since the last copy of the store began. */
  uncopied = 0;
  readonly #query: Query;
  readonly #options: FleetPermitsOptions;
  /** Arrivals still to be recorded for intents, by id. */
  #arrived = new Map<string, string>();
  #telling: Promise<void> | undefined;

  constructor(query: Query, options: FleetPermitsOptions) {
    this.#query = query;
    this.#options = options;
  }

  /** Waits until copies are recent enough for a request to leave. @throws DestinationError if another worker has the unit. */
  async mayGo(): Promise<void> {
    await this.#options.mayGo().catch((error: unknown) => {
      throw error instanceof UnitLost ? this.#fenced() : error;
    });
  }

  async acquire(pending: PendingSend): Promise<SendPermit> {
    const { clock, onPermit, heartbeatMs, signal } = this.#options;
    await this.mayGo();
    const beganMs = clock.monotonic();
    for (;;) {
      const askedMs = clock.monotonic();
      try {
        const left = await this.#ask(pending);
        onPermit?.(clock.monotonic() - askedMs);
        if (!left) throw this.#fenced();
        this.uncopied++;
        return { untilMs: askedMs + left.withinMs, arrived: (ids) => this.#tell(left.intent, ids) };
      } catch (error) {
        if (!(error instanceof DatabaseDown)) throw error;
        if (clock.monotonic() - beganMs > heartbeatMs) throw this.#fenced();
        await clock.sleep(againMs, signal);
      }
    }
  }

  /** Waits until all pending arrivals are recorded, or could not be. */
  async flush(): Promise<void> {
    await this.#telling;
  }

  async #ask(pending: PendingSend): Promise<{ readonly intent: string; readonly withinMs: number } | undefined> {
    const { claim, token } = this.#options;
    const {
      muids = [],
      actions = [],
      arrivals = [],
    }: Partial<Record<'muids' | 'actions' | 'arrivals', readonly unknown[]>> = pending;
    const rows = await this.#query<{ intent: string; withinMs: number }>(
      'SELECT intent::text, within_ms AS "withinMs" FROM ferry.leave($1, $2, $3, $4, $5, $6, $7)',
      [claim.job, claim.attempt, claim.unit, token, muids, actions, arrivals],
    );
    return rows[0];
  }

  #fenced(): DestinationError {
    this.isLost = true;
    this.#options.onFenced?.();
    return new DestinationError('Stopped: another worker has this unit by now', {
      code: 'claim-lost',
      hint: 'No action needed: that worker continues the unit',
    });
  }

  /** Records arrivals without blocking the caller. Arrivals that are not recorded are found by reading back. */
  #tell(intent: string, ids: ReadonlyMap<string, string | undefined>): void {
    this.#arrived.set(intent, JSON.stringify(Object.fromEntries([...ids].map(([muid, id]) => [muid, id ?? '']))));
    this.#telling ??= this.#flush();
  }

  async #flush(): Promise<void> {
    await Promise.resolve();
    while (this.#arrived.size > 0) {
      const told = [...this.#arrived];
      this.#arrived = new Map();
      const { job, attempt, unit } = this.#options.claim;
      // If the database was restored, the id may belong to another intent by now.
      await this.#query(
        `UPDATE ferry.intent i SET arrived = t.arrived::jsonb FROM unnest($1::bigint[], $2::text[]) AS t (id, arrived)
         WHERE i.id = t.id AND i.unit = $3 AND i.job = $4 AND i.attempt = $5`,
        [told.map(([id]) => id), told.map(([, arrived]) => arrived), unit, job, attempt],
      ).catch(() => {});
    }
    this.#telling = undefined;
  }
}
