import { hostname } from 'node:os';
import type { Clock } from '../../lib/flow/clock.ts';
import type { HeldStore, Look } from '../engine/held-store.ts';
import type { DeskRun, RunKind } from '../shapes.ts';
import { noStage } from './runner.ts';

export interface FollowerOptions {
  /** Which process works on one of the stores of the migration. */
  readonly look: () => Promise<Look>;
  /** The run of this desk that goes on, or its last one. */
  readonly ownRun: () => Pick<DeskRun, 'startedAtMs' | 'endedAtMs'> | null;
  readonly clock: Pick<Clock, 'now'>;
  /** Sends a process the signal of Ctrl-C. */
  readonly interrupt: (pid: number) => void;
  /** Called when another process has begun or ended. */
  readonly onChange: () => void;
  readonly onFault: (fault: unknown) => void;
}

/** Time between two looks, in ms; nine times as long as a look takes, if that is more. */
const everyMs = 1_000;
const pauseFactor = 9;

/** Commands that stop at Ctrl-C, and that the same command continues. */
const kinds: readonly string[] = ['plan', 'import', 'verify', 'undo'] satisfies readonly RunKind[];

const noEnd = { endedAtMs: null, outcome: null, exit: null, error: null };
const noResult = { notices: [], problems: [], findings: [], undo: null };

/** Follows what another process does with the store: a terminal, or what a desk started that was killed. */
export class Follower {
  readonly #options: FollowerOptions;
  #held: HeldStore | null = null;
  #isStopping = false;
  #isLooking = false;
  #nextMs = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  get run(): DeskRun | null {
    if (this.#held === null) return null;
    const { command, host, sinceMs, destination, done, total } = this.#held;
    const isKnown = kinds.includes(command);
    const begun = { command, destination, startedAtMs: sinceMs, text: `chatferry ${command}` };
    return {
      kind: isKnown ? (command as RunKind) : null,
      ...begun,
      ...noEnd,
      stages: [{ ...noStage, name: 'Messages', done, total }],
      ...noResult,
      isOurs: false,
      // On Windows a signal from another process ends it at once.
      canStop: isKnown && host === hostname() && process.platform !== 'win32',
      isStopping: this.#isStopping,
    };
  }

  /** Looks, unless it has looked just now. Returns at once: what is found is there the next time. */
  check(): void {
    const { clock, onFault } = this.#options;
    if (this.#isLooking || clock.now() < this.#nextMs) return;
    this.#isLooking = true;
    void this.#look()
      .catch(onFault)
      .finally(() => {
        this.#isLooking = false;
      });
  }

  /** Whether another process works with the store at this moment: one that was seen is looked for again. */
  async isHeld(): Promise<boolean> {
    if (this.#held !== null) await this.#look();
    return this.#held !== null;
  }

  async #look(): Promise<void> {
    const { look, ownRun, clock } = this.#options;
    const before = ownRun()?.startedAtMs;
    const { held, tookMs } = await look();
    this.#nextMs = clock.now() + Math.max(everyMs, pauseFactor * tookMs);
    const own = ownRun();
    // A run of our own that began since may be what was seen, also if it has ended by now.
    const maySeeOwn = own?.endedAtMs === null || own?.startedAtMs !== before;
    this.#take(maySeeOwn ? null : held);
  }

  stop(): DeskRun | null {
    if (this.run?.canStop && !this.#isStopping) {
      this.#isStopping = true;
      this.#options.interrupt(this.#held!.pid);
    }
    return this.run;
  }

  #take(held: HeldStore | null): void {
    const isSame = held?.pid === this.#held?.pid;
    this.#held = held;
    if (isSame) return;
    this.#isStopping = false;
    this.#options.onChange();
  }
}
