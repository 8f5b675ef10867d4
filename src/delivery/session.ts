import type { Clock } from '../lib/flow/clock.ts';
import { reportingSlow, slowAfterMs } from '../lib/flow/slow-request.ts';
import type { Progress } from '../lib/flow/progress.ts';
import { Breaker } from './pace/breaker.ts';
import { noRequests, type RequestCounts } from './destination.ts';
import { type Ask, type AskOptions, createAsk } from './ask.ts';
import { createReader, type ReadPage } from './read-back.ts';
import { usualRequestTimeoutMs } from '../service/profiles.ts';
import type { Target } from './target.ts';

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

export interface SessionOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly progress: Progress;
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

/** Opens a line. The caller closes it. */
export function openSession(
  target: Target,
  options: SessionOptions,
  { name, total, more = () => ({}) }: SessionStage,
): DestinationSession {
  const { clock, random, progress, counts = noRequests() } = options;
  const stage = progress.stage(name, total === undefined ? {} : { total });
  let done = 0;
  const onWait = (waitMs: number, waiting: string) => stage.update({ done, ...more(done), waiting, waitMs });
  const onAnswer = () => stage.update({ done, ...more(done) });
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
      stage.update({ done, ...more(done) });
    },
    close() {
      stage.finish();
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

export interface SendingSessionOptions extends SessionOptions {
  /** Aborted: nothing new is sent. */
  readonly stopping: AbortSignal;
  /** Aborted: requests in flight are cut. */
  readonly signal: AbortSignal;
}

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
  return { ...patient, ...readersOf(patient), signal, giveUp: (reason) => givenUp.abort(reason) };
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
