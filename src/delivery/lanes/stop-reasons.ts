import { DestinationError } from '../../lib/errors.ts';
import { NotSent } from '../destination.ts';
import type { Sending } from './sending.ts';
import type { Lane } from '../lanes.ts';
import { isRetentionKnown, keptFromMs, usualRetentionDays } from '../../service/profiles.ts';
import { parkedError, FailureWatch, type FailureSurge, surgeError, type SurgeFacts } from './stop-rules.ts';

/**
 * Why nothing else is sent; the first reason counts: an answer after which nothing can succeed, one failure too many,
 * no answer, a store that cannot write. Requests in flight still get their answer. A run that was asked to pause is
 * stopping without a reason.
 */
export class StopReasons {
  readonly #sending: Pick<Sending, 'store' | 'session' | 'proof'>;
  readonly #watch: FailureWatch;
  #stopped: DestinationError | undefined;
  /** One refusal code has taken over. */
  #surge: FailureSurge | undefined;
  #failure: unknown;

  constructor({ options, ...sending }: Pick<Sending, 'store' | 'options' | 'session' | 'proof'>) {
    const { store, session } = sending;
    this.#sending = sending;
    const before = store.runs.sentBefore(session.target.id, options.runId)?.stopped;
    this.#watch = new FailureWatch(options.maxFailureShare, surgeCode(before));
  }

  get isStopping(): boolean {
    const isOver = this.#stopped !== undefined || this.#surge !== undefined || this.#failure !== undefined;
    return isOver || this.#sending.session.pausing.aborted;
  }

  /** Whether it is still to be seen that the run does not stop as the one before did. */
  get isCautious(): boolean {
    return this.#watch.isCautious;
  }

  note(error: DestinationError): void {
    this.#stopped ??= error;
  }

  /** Records the error that ended a task. Anything but a destination's fault also ends every wait. */
  noteThrown(error: unknown): void {
    const { pausing, signal, giveUp } = this.#sending.session;
    if (error instanceof DestinationError) {
      this.note(error);
      return;
    }
    // A wait that ended because the run is being stopped, or a request that was cut for that: no failure.
    if (signal.aborted || (pausing.aborted && (error === pausing.reason || error instanceof NotSent))) return;
    this.#failure ??= error;
    giveUp(error);
  }

  /** Looks at a refusal, or at a good receipt (without a code): one code that takes over stops the run before anything else leaves. */
  noteAnswer(code: string | undefined, detail: string): void {
    this.#surge ??= this.#watch.note(code, detail);
  }

  /**
   * @param parked Lanes that could not be opened.
   * @returns Why it stopped early, if it did. @throws What kept the store from writing.
   */
  end(parked: readonly Lane[]): DestinationError | undefined {
    const { proof } = this.#sending;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#surge !== undefined) this.#stopped ??= surgeError(this.#surge, this.#readSurgeFacts(this.#surge));
    const isUnseenAsBefore = parked.length > 0 && proof.isUnseenAsBefore;
    return this.#stopped ?? (isUnseenAsBefore ? proof.notListed() : parkedError(parked));
  }

  /** If the retention of the destination is unknown, the age of the messages is considered: most services keep them as long as the public one. */
  #readSurgeFacts({ code }: FailureSurge): SurgeFacts {
    const { store, session } = this.#sending;
    const { clock, target } = session;
    const days = usualRetentionDays;
    const oldBeforeMs = keptFromMs(clock.now(), days);
    const { isOfTheOld, ...counts } = store.failures.countByAge({ destination: target.id, code, oldBeforeMs });
    return { ...counts, olderThanDays: isOfTheOld && !isRetentionKnown(target.profile) ? days : undefined };
  }
}

/** Returns the code with which a run was stopped by refusals; no other stop asks for a decision. */
function surgeCode(stopped: string | null | undefined): string | undefined {
  const { code, goOn } = JSON.parse(stopped ?? '{}') as { readonly code?: string; readonly goOn?: readonly string[] };
  return goOn === undefined ? undefined : code;
}
