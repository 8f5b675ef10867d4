import type { Store } from '../../src/store/open.ts';
import type { Clock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import type { VerifyResult } from '../../src/model/totals.ts';
import { activatePeople } from '../../src/delivery/activate-people.ts';
import { DeliveryClient } from '../../src/service/delivery-client.ts';
import type { Transport } from '../../src/service/transport.ts';
import { noRequests } from '../../src/delivery/destination.ts';
import { sharedPace, unpaced } from '../../src/delivery/pace.ts';
import type { ImportOptions, ImportResult } from '../../src/delivery/session.ts';
import { performActions } from '../../src/delivery/perform-actions.ts';
import { removeFormer } from '../../src/delivery/remove-former.ts';
import { sendArrivals } from '../../src/delivery/send-arrivals.ts';
import { sendPending, sendOneByOne } from '../../src/delivery/import.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import type { Target } from '../../src/delivery/target.ts';
import { verify } from '../../src/delivery/verify.ts';
import { type Broken, blindOpening } from './broken.ts';
import { hasDeactivations, type Schedule } from './schedule.ts';

/** The key of the simulated service. */
export const apiKey = 'simulated';
const address = 'https://simulated.example';
const never = new AbortController().signal;

export interface ClientOptions {
  readonly store: Store;
  readonly transport: Transport;
  /** Clock of the machine that it runs on. */
  readonly clock: Clock;
  readonly random: () => number;
  readonly schedule: Schedule;
  readonly broken?: Broken | undefined;
  /** The conversations to which each client sends, if two clients live at the same time. */
  readonly openClaims?: Target['openClaims'];
}

/** Sends people and groups, then the pending messages of a planned store, as every import does. Its waits may never end. */
export async function sendAsClient(
  options: ClientOptions,
  signals: Pick<ImportOptions, 'stopping' | 'signal'>,
  { oneByOne = false } = {},
): Promise<ImportResult> {
  const { store, clock, random, schedule } = options;
  const target = targetOf(options);
  const { concurrency, details, profile } = schedule;
  const nowMs = clock.now();
  const runId = store.runs.start({
    command: 'import',
    destination: target.id,
    profile: profile.name,
    nowMs,
  });
  const sending: ImportOptions = {
    runId,
    clock,
    random,
    lockTakenAtMs: nowMs,
    progress: silent,
    concurrency,
    sendProfiles: details,
    maxFailureShare: 1,
    ...signals,
  };
  for (const step of [
    () => activatePeople(store, target, sending),
    () => removeFormer(store, target, sending, 'unanswered'),
    () => sendArrivals(store, target, sending),
    async () => (oneByOne ? await sendOneByOne(store, target, sending) : undefined),
    () => sendPending(store, target, sending),
    () => removeFormer(store, target, sending, 'ready'),
  ]) {
    const done = await step();
    if (done && (done.stopped || signals.stopping.aborted)) return done;
  }
  return hasDeactivations(schedule)
    ? await performActions(store, target, sending)
    : { requests: noRequests(), stopped: undefined };
}

/** Result of reading everything back, and the resulting state in the store. */
export interface Verified {
  readonly found: VerifyResult;
  readonly says: 'verified' | 'not verified';
}

/** Reads everything back, at any rate. */
export async function verifyAsClient({ schedule, ...options }: ClientOptions): Promise<Verified> {
  const { store, clock, random } = options;
  const target = targetOf({ ...options, schedule: { ...schedule, isPaced: false } });
  const { concurrency, profile } = schedule;
  const nowMs = clock.now();
  const run = store.runs.start({ command: 'verify', destination: target.id, profile: profile.name, nowMs });
  const found = await verify(store, target, {
    concurrency,
    clock,
    random,
    counts: noRequests(),
    progress: silent,
    signal: never,
  });
  store.runs.end(run, { exit: 0, nowMs: clock.now(), requests: null, verify: found, stopped: null });
  return { found, says: store.checks.unverified(target.id) === undefined ? 'verified' : 'not verified' };
}

function targetOf({ store, transport, clock, schedule, broken, openClaims }: ClientOptions): Target {
  const { profile, isPaced } = schedule;
  const client = new DeliveryClient({ transport, apiKey: new Secret(apiKey), clock });
  const { importsPerMinute } = profile;
  const perMinute = importsPerMinute === undefined ? {} : { import: importsPerMinute };
  return {
    id: store.destinations.use({ address, name: address, profile: profile.name, nowMs: clock.now() }),
    name: address,
    isEmbedded: false,
    profile: broken === 'no-grace' ? { ...profile, graceLongMs: 0 } : profile,
    client: broken === 'blind-opening' ? blindOpening(client) : client,
    ...(openClaims && broken !== 'no-claims' && { openClaims }),
    openPace: (onWait) => (isPaced ? sharedPace({ address, clock, onWait, path: ':memory:', perMinute }) : unpaced),
    async close() {},
  };
}
