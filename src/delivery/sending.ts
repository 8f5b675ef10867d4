import type { Journal } from '../store/batches.ts';
import { type LaneClaims, unclaimed, type DestinationFacts } from '../store/destinations.ts';
import type { Store } from '../store/open.ts';
import type { IdCounts } from '../lib/maps/id-counts.ts';
import type { Clock } from '../lib/flow/clock.ts';
import type { DestinationError } from '../lib/errors.ts';
import { smoothedRate } from '../lib/flow/smoothed-rate.ts';
import type { OutOfOrderPolicy } from '../model/change.ts';
import { inTime } from './destination.ts';
import { withPace } from './pace.ts';
import { ByteLimit } from './batches.ts';
import { laneRowsReader, type LaneRowsReader } from './lane-rows.ts';
import { openSendingSession, type SendingSession, type SendingSessionOptions } from './session.ts';
import { AdaptiveConcurrency, withAdaptiveConcurrency } from './pace/adaptive-concurrency.ts';
import type { Destination, RequestCounts } from './destination.ts';
import { withAttemptLog } from './pace/with-attempt-log.ts';
import { withPermits } from './pace/with-permits.ts';
import { withRetry } from './pace/with-retry.ts';
import { ReadBackProof } from './read-back/proof.ts';
import type { Target } from './target.ts';

/** Decisions of a user about sending. */
export interface SendChoices {
  /** When people's and groups' details travel with a message. */
  readonly sendProfiles: 'first' | 'always' | 'never';
  /** The run stops when more than this share of the last 200 messages fails with one code; 1 never stops. Default: 0.2. */
  readonly maxFailureShare: number;
  /** Policy for new messages that are older than those already there. Default: sent, and counted as late. */
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

/** Messages of a run, and what is written down of them. */
export interface SendingRecords {
  readonly journal: Journal;
  readonly rows: LaneRowsReader;
  /** People whose details are there; grows with every receipt. */
  readonly knownPeople: IdCounts;
}

/** How requests of a run leave. */
export interface Flight {
  /** Destination for batches, including everything that happens to a request on its way. */
  readonly destination: Destination;
  readonly inFlight: AdaptiveConcurrency;
  readonly byteLimit: ByteLimit;
  readonly claims: LaneClaims;
}

/** A run; each step takes of it what it uses. */
export interface Sending {
  readonly store: Store;
  readonly options: ImportOptions;
  readonly session: SendingSession;
  readonly records: SendingRecords;
  readonly flight: Flight;
  readonly proof: ReadBackProof;
}

/** Opens the sending of a run. The caller closes its session and its claims. `total` is the number of messages to send. */
export function openSending(store: Store, target: Target, options: ImportOptions, total: number): Sending {
  const { profile, id } = target;
  const { clock, sendProfiles, chosenOnly = false, outOfOrder, runId } = options;
  const facts = store.destinations.facts(id);
  const learn = (news: DestinationFacts) => store.destinations.learn(id, news);
  const knownPeople = store.people.knownAt(id);
  const rows = laneRowsReader(store, { ...profile, destination: id, sendProfiles, knownPeople, chosenOnly });
  const journal = store.batches.journal(id, runId, outOfOrder === 'allow');
  const bytesMax = Math.min(profile.batchBytesMax, facts.batchBytesMax ?? Number.POSITIVE_INFINITY);
  const inFlight = new AdaptiveConcurrency(options.concurrency);
  const left = timeLeft({ total, forecastMs: forecastMs(total, target), clock });
  const more = (done: number) => ({ ...left(done), failed: journal.failedCount });
  const session = openSendingSession(target, options, { name: 'Sending', total, more });
  const proof = new ReadBackProof(session, {
    known: target.isEmbedded ? 'key' : facts.shownBy,
    onLearn: (shownBy) => learn({ shownBy }),
  });
  const flight = {
    destination: wrappedDestination(session, { journal, inFlight, proof }),
    inFlight,
    byteLimit: new ByteLimit(bytesMax, (bytes) => learn({ batchBytesMax: bytes })),
    claims: target.openClaims?.(profile) ?? unclaimed,
  };
  return { store, options, session, records: { journal, rows, knownPeople }, flight, proof };
}

/** A request, wrapped from the inside: time it, ask whether it may leave, write it down, wait for the pace before that, repeat what may be repeated. */
function wrappedDestination(
  session: SendingSession,
  { journal, inFlight, proof }: Pick<SendingRecords, 'journal'> & Pick<Flight, 'inFlight'> & Pick<Sending, 'proof'>,
): Destination {
  const { target, pace, clock, counts, pausing, inSight } = session;
  const service: Destination = {
    async send(batch, signal, permit) {
      const muids = batch.rows.map(({ muid }) => muid);
      const client = inTime(target.client, permit, clock);
      const outcome = await inSight('an import', () => client.importBatch(batch.body, muids, signal));
      pace.learn('import', outcome.hints);
      return outcome;
    },
  };
  const gated = withPermits(withAdaptiveConcurrency(service, inFlight, clock), target.permits);
  const logged = withAttemptLog(gated, journal, clock);
  return withRetry(withPace(logged, pace, counts, pausing, target.permits && clock), {
    ...session,
    readsBackFirst: () => proof.readsBackFirst,
  });
}

/** Returns how long sending takes at the destination's rate, if that rate is known. Holds before the first request. */
function forecastMs(messages: number, { profile }: Target): number | undefined {
  if (profile.importsPerMinute === undefined) return undefined;
  return (Math.ceil(messages / profile.batchItemsMax) / profile.importsPerMinute) * 60_000;
}

export interface TimeLeftOptions {
  readonly total: number;
  /** Forecast for all messages, in ms. Absent if the rate of the destination is unknown. */
  readonly forecastMs: number | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Long enough that a wait asked for by the service counts, but does not count permanently. */
const windowMs = 5 * 60_000;
/** From the forecast alone to what is seen alone. */
const trustedAfterMs = 60_000;

/**
 * How long the rest takes: by the forecast before the first message, by what was seen in the last five minutes after the first,
 * and in between by both, each for its share of that minute. A request that waits counts, one that is fast as well.
 *
 * @returns A function of the count so far; nothing where neither says anything yet.
 */
export function timeLeft({ total, forecastMs, clock }: TimeLeftOptions): (done: number) => { readonly etaMs?: number } {
  const startedMs = clock.monotonic();
  const seen = smoothedRate(windowMs);
  seen.add(startedMs, 0);
  const forecastEachMs = forecastMs === undefined ? undefined : forecastMs / Math.max(total, 1);
  return (done) => {
    const nowMs = clock.monotonic();
    seen.add(nowMs, done);
    const perSecond = seen.perSecond(nowMs);
    const seenEachMs = perSecond === null || perSecond === 0 ? undefined : 1_000 / perSecond;
    const trust = forecastEachMs === undefined ? 1 : Math.min(1, (nowMs - startedMs) / trustedAfterMs);
    const eachMs = seenEachMs === undefined ? forecastEachMs : trust * seenEachMs + (1 - trust) * (forecastEachMs ?? 0);
    return eachMs === undefined ? {} : { etaMs: Math.max(0, total - done) * eachMs };
  };
}
