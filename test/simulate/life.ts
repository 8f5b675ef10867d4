import type { Clock } from '../../src/lib/flow/clock.ts';

/** Thrown into a transaction that was being written when the client died. */
class Died extends Error {}

/**
 * One life of a client, from its start to its end or its death. Whatever it waits for goes through here, so that after its
 * death nothing of it runs any more: what it waited for never comes, and nothing that it still does reaches disk or network.
 */
export class Life {
  #momentsLeft: number;
  #isOver = false;
  readonly #onMoment: () => void;
  readonly #dead = Promise.withResolvers<'died'>();

  /**
   * @param moments number of possible instants of a kill after which one comes; `Infinity` for never.
   * @param onMoment called for each.
   */
  constructor(moments: number, onMoment: () => void = () => {}) {
    this.#momentsLeft = moments;
    this.#onMoment = onMoment;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when it dies. */
  get death(): Promise<'died'> {
    return this.#dead.promise;
  }

  /** An instant at which a kill can come: when a request leaves or is answered, a timer rings, a commit begins or is done. */
  moment(): void {
    if (this.#isOver) return;
    this.#onMoment();
    this.#momentsLeft--;
    if (this.#momentsLeft <= 0) this.kill();
  }

  /** It dies at once. */
  kill(): void {
    this.#isOver = true;
    this.#dead.resolve('died');
  }

  /**
   * @throws Died if it is dead: an unfinished transaction does not count.
   */
  assertAlive(): void {
    if (this.#isOver) throw new Died('The client is dead');
  }

  /** Returns the result of the promise. If the client dies before, it never settles. */
  through<T>(awaited: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const whenAlive = (go: () => void) => {
        this.moment();
        if (!this.#isOver) go();
      };
      awaited.then(
        (value) => whenAlive(() => resolve(value)),
        (error: unknown) => whenAlive(() => reject(error)),
      );
    });
  }

  /**
   * The world's clock as a client sees it in this life.
   *
   * @param wallAheadMs by how much the machine's wall clock is ahead of the world's. Its monotonic clock began with the life.
   */
  clock(world: Clock, wallAheadMs: () => number): Clock {
    const bornAt = world.monotonic();
    return {
      now: () => world.now() + wallAheadMs(),
      monotonic: () => world.monotonic() - bornAt,
      uptime: () => world.uptime(),
      sleep: (ms, signal) => this.through(world.sleep(ms, signal)),
    };
  }
}
