import type { Sending } from './sending.ts';
import { addressOfLane, type Lane, type LaneRow } from '../lanes.ts';
import type { Lanes } from './queue.ts';
import type { Opened } from './open-lane.ts';
import type { StopReasons } from './stop-reasons.ts';
import type { Traffic } from './traffic.ts';
import { askAgainMs } from '../pace/limits.ts';

/** Handles a lane from its opening until it is done and the claim on it is released. */
export class OpenLanes {
  /** Those that cannot be opened: what they hold stays pending. */
  readonly parked: Lane[] = [];
  readonly #session: Sending['session'];
  readonly #claims: Sending['flight']['claims'];
  readonly #lanes: Lanes;
  readonly #traffic: Traffic;
  readonly #stops: StopReasons;
  /** Those that another process sends to. */
  #claimed: Lane[] = [];

  constructor(
    { session, flight }: Pick<Sending, 'session' | 'flight'>,
    lanes: Lanes,
    traffic: Traffic,
    stops: StopReasons,
  ) {
    this.#session = session;
    this.#claims = flight.claims;
    this.#lanes = lanes;
    this.#traffic = traffic;
    this.#stops = stops;
  }

  /** Adds the result of opening a lane: how many of its pending messages need no sending. */
  add(lane: Lane, found: Opened): void {
    if (found === 'claimed by another') {
      this.#claimed.push(lane);
      if (this.#traffic.count('waiting') === 0) this.#traffic.start('waiting', () => this.#waitForOthers());
      return;
    }
    if (found === 'last message gone') {
      lane.state = 'parked';
      this.parked.push(lane);
      this.#claims.release(addressOfLane(lane));
      return;
    }
    lane.pendingCount -= found;
    if (found > 0) this.#session.advance(found);
    this.#free(lane);
  }

  /** Nothing more is done about these rows in this run; a lane is free again with the last of its rows. */
  release(rows: readonly LaneRow[]): void {
    for (const { lane } of rows) if (--lane.inFlightCount === 0) this.#free(lane);
    if (rows.length === 0) return;
    this.#session.advance(rows.length);
    this.#traffic.change();
  }

  #free(lane: Lane): void {
    this.#lanes.release(lane);
    // If the run is being stopped, something of it may still arrive: that is borne when the claims are closed.
    const isDone = lane.state === 'done' && lane.quarantinedCount === 0;
    if (isDone && !this.#stops.isStopping) this.#claims.release(addressOfLane(lane));
  }

  /** Waits for other processes; other lanes continue. */
  async #waitForOthers(): Promise<void> {
    const { clock, onWait, pausing } = this.#session;
    onWait(askAgainMs, 'another process sends to the same conversations');
    await clock.sleep(askAgainMs, pausing);
    this.#lanes.putBack(this.#claimed);
    this.#claimed = [];
  }
}
