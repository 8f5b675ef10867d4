import type { Journal } from '../../store/batches.ts';
import { type LaneClaims, unclaimed, type DestinationFacts } from '../../store/destinations.ts';
import type { Store } from '../../store/open.ts';
import type { IdCounts } from '../../lib/maps/id-counts.ts';
import { timeLeft } from '../../lib/flow/smoothed-rate.ts';
import { withPace } from '../pace.ts';
import { ByteLimit } from './batches.ts';
import { laneRowsReader, type LaneRowsReader } from '../lanes.ts';
import { type ImportOptions, openSendingSession, type SendingSession } from '../session.ts';
import { AdaptiveConcurrency, withAdaptiveConcurrency } from '../pace/adaptive-concurrency.ts';
import { type Destination, inTime } from '../destination.ts';
import { withAttemptLog } from '../pace/with-attempt-log.ts';
import { withPermits } from '../pace/with-permits.ts';
import { withRetry } from '../pace/with-retry.ts';
import { ReadBackProof } from '../read-back/proof.ts';
import { Outsiders } from './outsiders.ts';
import type { Target } from '../target.ts';

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
  readonly outsiders: Outsiders;
}

/** Opens the sending of a run. The caller closes its session and its claims. `total` is the number of messages to send. */
export function openSending(store: Store, target: Target, options: ImportOptions, total: number): Sending {
  const { profile, id } = target;
  const { clock, sendProfiles, chosenOnly = false, outOfOrder, runId } = options;
  const facts = store.destinations.facts(id);
  const learn = (news: DestinationFacts) => store.destinations.learn(id, news);
  const knownPeople = store.people.knownAt(id);
  const rows = laneRowsReader(store, { ...profile, destination: id, sendProfiles, knownPeople, chosenOnly });
  const journal = store.batches.openJournal(id, runId, outOfOrder === 'allow');
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
  const outsiders = new Outsiders(store, target);
  return { store, options, session, records: { journal, rows, knownPeople }, flight, proof, outsiders };
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

/** Returns how long it takes to send messages, or to import people, at the destination's rate, if it is known. Holds before the first request. */
export function forecastMs(count: number, { profile }: Target): number | undefined {
  if (profile.importsPerMinute === undefined) return undefined;
  return (Math.ceil(count / profile.batchItemsMax) / profile.importsPerMinute) * 60_000;
}
