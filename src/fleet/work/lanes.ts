import type { LaneClaims } from '../../store/destinations.ts';
import { sha256Base32 } from '../../lib/hash.ts';
import { listedWithinMs, type Profile } from '../../service/profiles.ts';
import type { Query } from '../database/database.ts';

export interface FleetLanesOptions {
  readonly unit: string;
  /** Random; of the worker that has the unit. */
  readonly token: string;
  readonly address: string;
}

/**
 * Which conversations of a destination are a unit's, over all workers. Two exports that overlap are two units: each would else look, find nothing, and
 * send. A unit that is taken over goes on with what is its own.
 */
export class FleetLanes {
  readonly #query: Query;
  readonly #options: FleetLanesOptions;
  #telling: Promise<unknown> = Promise.resolve();

  constructor(query: Query, options: FleetLanesOptions) {
    this.#query = query;
    this.#options = options;
  }

  open({ graceLongMs }: Pick<Profile, 'graceLongMs'>): LaneClaims {
    const { unit, token, address } = this.#options;
    this.#tell('DELETE FROM ferry.lane WHERE address = $1 AND free_at < clock_timestamp()', [address]);
    const free = `UPDATE ferry.lane SET free_at = clock_timestamp() + $3::float8 * interval '1 ms' WHERE address = $1 AND claim = $2 AND free_at IS NULL`;
    return {
      take: async (lane) => {
        // Conversations that were released before are free by now.
        await this.#telling;
        const [row] = await this.#query<{ isOurs: boolean }>('SELECT ferry.take_lane($1, $2, $3, $4, $5) AS "isOurs"', [
          ...[address, laneDigest(lane), unit, token, graceLongMs],
        ]);
        return row!.isOurs;
      },
      release: (lane) =>
        this.#tell(`${free} AND lane = $4`, [address, token, listedWithinMs({ graceLongMs }), laneDigest(lane)]),
      close: () => this.#tell(free, [address, token, graceLongMs]),
    };
  }

  /** Waits until all pending writes are done or have failed. After a failure, others wait for the grace period of a kill. */
  async flush(): Promise<void> {
    await this.#telling;
  }

  /** Runs the statements one after the other, without blocking the caller. */
  #tell(sql: string, values: readonly unknown[]): void {
    this.#telling = this.#telling.then(() => this.#query(sql, values)).catch(() => {});
  }
}

/** Conversations are called after people: the database knows digests alone. */
const laneDigest = (lane: string): string => sha256Base32(lane, 26);
