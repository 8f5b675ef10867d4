import type { RunControls } from '../lib/flow/run-controls.ts';
import { reportingSlow, slowAfterMs } from '../lib/flow/slow-request.ts';
import { Breaker } from './pace/breaker.ts';
import { noRequests, NotSent, type RequestCounts, permitMaxMs } from './destination.ts';
import { type Ask, type AskOptions, createAsk } from './pace.ts';
import { createReader, type ReadPage } from './read-back.ts';
import { usualRequestTimeoutMs } from '../service/profiles.ts';
import type { Target } from './target.ts';
import { DestinationError } from '../lib/errors.ts';
import type { OutOfOrderPolicy } from '../model/change.ts';
import type { Store } from '../store/open.ts';

/** How a command speaks to a target: within its pace, asking again what fails in passing, and telling what it waits for. */
export interface DestinationSession extends AskOptions {
  readonly target: Target;
  /** Called before each wait with its length and reason. */
  readonly onWait: (ms: number, why: string) => void;
  readonly ask: Ask;
  readonly readPage: ReadPage;
  /** Makes a request, and reports it if it is slow. `what`: as it follows "no answer to", "an import". */
  readonly inSight: <T>(what: string, request: () => Promise<T>) => Promise<T>;
  /** Shows that so many more are done. */
  readonly advance: (count: number) => void;
  /** Closes the line. The code that opened it must call this. */
  readonly close: () => void;
}

export interface SessionOptions extends Pick<RunControls, 'clock' | 'random' | 'progress'> {
  /** Requests are added to these. Default: counts of its own. */
  readonly counts?: RequestCounts;
}

/** Stage that the progress display shows while the line is in use. */
export interface SessionStage {
  readonly name: string;
  readonly total?: number;
  /** By the count so far: how long the rest takes, and how many of them were refused. */
  readonly more?: (done: number) => { readonly etaMs?: number; readonly failed?: number };
}

/** Opens a line. The caller closes it. @param shown Undefined: nothing is shown of it. */
export function openSession(target: Target, options: SessionOptions, shown?: SessionStage): DestinationSession {
  const more = shown?.more ?? (() => ({}));
  const { clock, random, progress, counts = noRequests() } = options;
  const stage = shown && progress.stage(shown.name, shown.total === undefined ? {} : { total: shown.total });
  let done = 0;
  const onWait = (waitMs: number, waiting: string) => stage?.update({ done, ...more(done), waiting, waitMs });
  const onAnswer = () => stage?.update({ done, ...more(done) });
  const pace = target.openPace(onWait);
  const { requestTimeoutMs = usualRequestTimeoutMs } = target.profile;
  const asking = { target, pace, clock, random, counts, onWait, onAnswer, requestTimeoutMs };
  return {
    ...asking,
    ...readersOf(asking),
    onWait,
    inSight(what, request) {
      const onSlow = () => onWait(requestTimeoutMs - slowAfterMs, `no answer to ${what} yet`);
      return reportingSlow(request, { clock, onSlow, onEnd: onAnswer });
    },
    advance(count) {
      done += count;
      stage?.update({ done, ...more(done) });
    },
    close() {
      stage?.finish();
      pace.close();
    },
  };
}

const readersOf = (
  asking: AskOptions & Pick<DestinationSession, 'target'>,
): Pick<DestinationSession, 'ask' | 'readPage'> => ({
  ask: createAsk(asking),
  readPage: createReader({ ...asking, list: (query, abort) => asking.target.client.listMessages(query, abort) }),
});

/** A line of a run that changes something there: it outlasts a destination that is down, and can be stopped while it waits. */
export interface SendingSession extends DestinationSession {
  readonly breaker: Breaker;
  /** Aborted: nothing new is sent and nothing is waited for; what is in flight may finish. */
  readonly pausing: AbortSignal;
  /** Aborted: requests in flight are cut. */
  readonly signal: AbortSignal;
  /** Nothing goes on: no wait is worth its end any more. */
  readonly giveUp: (reason: unknown) => void;
}

export type SendingSessionOptions = SessionOptions & RunControls;

/** Opens a sending line. The caller closes it. */
export function openSendingSession(
  target: Target,
  options: SendingSessionOptions,
  stage: SessionStage,
): SendingSession {
  const { stopping, signal } = options;
  const givenUp = new AbortController();
  const pausing = AbortSignal.any([stopping, signal, givenUp.signal]);
  const session = openSession(target, options, stage);
  const patient = { ...session, breaker: breakerOf(session), pausing };
  // Not the reason itself: that would look as if the run was stopped.
  const giveUp = (cause: unknown) => givenUp.abort(new NotSent('Given up', { cause }));
  return { ...patient, ...readersOf(patient), signal, giveUp };
}

/** Works on a sending line to its end, and closes it. @returns Why it stopped, if no further request can help. */
export async function endOfSending(
  session: SendingSession,
  requests: RequestCounts,
  work: () => Promise<void>,
): Promise<ImportResult> {
  const { pausing, signal } = session;
  try {
    await work();
    return { requests, stopped: undefined };
  } catch (error) {
    if (error instanceof DestinationError) return { requests, stopped: error };
    const isOfStopping = error instanceof NotSent || (pausing.aborted && error === pausing.reason);
    if (isOfStopping || signal.aborted) return { requests, stopped: undefined };
    throw error;
  } finally {
    session.close();
  }
}

/** Asks a destination that is down for one message, whatever it is: any answer shows that it is back. */
function breakerOf({ target, pace, clock, counts, onWait, inSight }: DestinationSession): Breaker {
  const probe = async (signal: AbortSignal): Promise<boolean> => {
    await pace.take('read', signal);
    counts.list++;
    const outcome = await inSight('a probe', () => target.client.listMessages({ limit: 1 }, signal));
    signal.throwIfAborted();
    return outcome.kind === 'answered' || outcome.why !== 'retry';
  };
  return new Breaker({ probe, clock, onWait });
}

/** Decisions about sending. */
export interface SendChoices {
  /** When people's and groups' details travel with a message. */
  readonly sendProfiles: 'first' | 'always' | 'never';
  /** The run stops when more than this share of the last 200 messages fails with one code; 1 never stops. Default: 0.2. */
  readonly maxFailureShare: number;
  /** For new messages that are older than those already there. Default: sent, counted as late. */
  readonly outOfOrder?: OutOfOrderPolicy | undefined;
  /** Asks the destination about people before their first message, so that an undo may deactivate those it did not have. */
  readonly trackUsers?: boolean;
}

export interface ImportOptions extends SendChoices, Omit<SendingSessionOptions, 'counts'> {
  readonly runId: number;
  /**
   * When this process took the store: nothing of an earlier one can still be sent after it, but may still be applied. Undefined: an
   * earlier holder may still be alive, and only the deadline of its requests says when they have ended.
   */
  readonly lockTakenAtMs: number | undefined;
  readonly concurrency: number;
  /** Sends nothing but what `Lanes.choose` named; everything else that is pending stays so. */
  readonly chosenOnly?: boolean;
  /** A message alone that stays unanswered `attemptsMax` times has failed, whether or not others are answered: the user has decided so. */
  readonly oneByOne?: boolean;
  /** Whether chosen messages are sent although they are late, because they were named explicitly. Default: yes. */
  readonly chosenMayBeLate?: boolean;
}

export interface ImportResult {
  readonly requests: RequestCounts;
  /** Why it stopped before everything was sent, if it did. The same command continues. */
  readonly stopped: DestinationError | undefined;
}

/**
 * When (monotonic ms) what an earlier run sent can no longer arrive: the long grace, counted from the latest instant at
 * which its last request can have ended.
 */
export function graceAfterKill(store: Store, target: Target, { clock, lockTakenAtMs }: ImportOptions): number {
  const { duplicates, graceLongMs, requestTimeoutMs = usualRequestTimeoutMs } = target.profile;
  const nowMs = clock.now();
  const sinceMs = store.batches.sinceDoubtfulMs(target.id, { nowMs, uptimeMs: clock.uptime() });
  // If duplicates are refused, a message that arrives after it was sent again is refused as well.
  if (sinceMs === undefined || duplicates === 'refused') return clock.monotonic();
  return clock.monotonic() - endedForMs(sinceMs, { nowMs, lockTakenAtMs, requestTimeoutMs }) + graceLongMs;
}

/**
 * Returns for how many ms a request that left `sinceMs` ago has surely ended. Negative if it may still be running.
 *
 * @param sinceMs Minimum. If another holder may be alive, its request may have left a little later than it was written
 *   down.
 */
export function endedForMs(
  sinceMs: number,
  {
    nowMs,
    lockTakenAtMs,
    requestTimeoutMs,
  }: Pick<ImportOptions, 'lockTakenAtMs'> & { readonly nowMs: number; readonly requestTimeoutMs: number },
): number {
  if (lockTakenAtMs === undefined) return sinceMs - permitMaxMs - requestTimeoutMs;
  return Math.max(sinceMs - requestTimeoutMs, Math.min(Math.max(nowMs - lockTakenAtMs, 0), sinceMs));
}
