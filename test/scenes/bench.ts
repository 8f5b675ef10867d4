import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseOf, openStore } from '../../src/store/open.ts';
import { stoppedBy } from '../../src/commands/session.ts';
import type { Clock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { collectReport } from '../../src/report/collect-report.ts';
import type { ImportOptions, ImportResult } from '../../src/delivery/session.ts';
import { sendPending, sendOneByOne } from '../../src/delivery/import.ts';
import { plan } from '../../src/plan/plan.ts';
import { type Progress, silent } from '../../src/lib/flow/progress.ts';
import type { Target } from '../../src/delivery/target.ts';
import { verify } from '../../src/delivery/verify.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import type { VerifyResult } from '../../src/model/totals.ts';
import { DeliveryClient } from '../../src/service/delivery-client.ts';
import { type Profile, profiles } from '../../src/service/profiles.ts';
import type { Transport } from '../../src/service/transport.ts';
import { noRequests } from '../../src/delivery/destination.ts';
import { type Pace, unpaced } from '../../src/delivery/pace.ts';

/** The key of the sandbox that replaces a server. */
export const apiKey = 'bench-key';
export const never: AbortSignal = new AbortController().signal;

/** Plans an export into a store that runs are then copied from: planning is the same for every seed. */
export async function planTemplate(path: string, exports: readonly string[], clock: Clock): Promise<void> {
  const store = openStore(path, { command: 'plan', nowMs: clock.now() });
  const profile = profiles.spec;
  const mapping = await loadMapping(undefined);
  await plan(store, { exports, mapping, allowMappingChange: false, profile, clock, progress: silent, signal: never });
  databaseOf(store).pragma('wal_checkpoint(TRUNCATE)');
  store.close();
}

export function copyStore(template: string, folder: string, name = 'chatferry.db'): string {
  const path = join(folder, name);
  copyFileSync(template, path);
  return path;
}

export interface Sending {
  readonly store: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly profile?: Partial<Profile>;
  readonly options?: Partial<
    Pick<ImportOptions, 'concurrency' | 'sendProfiles' | 'maxFailureShare' | 'stopping' | 'signal'>
  >;
  /** Messages that earlier runs left quarantined are sent before the others, each alone, and given up if they stay unanswered. */
  readonly oneByOne?: boolean;
  readonly pace?: () => Pace;
  readonly address?: string;
  /** Silent by default. */
  readonly progress?: Progress;
}

export interface Sent extends ImportResult {
  readonly report: ReportData;
}

/** One run of an import, without its plan. */
export async function send(sending: Sending): Promise<Sent> {
  const { clock, random, options = {}, oneByOne = false, progress = silent } = sending;
  return withTarget(sending, async (store, target) => {
    const runId = store.runs.start({
      command: 'import',
      destination: target.id,
      profile: 'spec',
      nowMs: clock.now(),
    });
    const all: ImportOptions = {
      runId,
      clock,
      random,
      lockTakenAtMs: clock.now(),
      progress,
      concurrency: 3,
      sendProfiles: 'first',
      maxFailureShare: 1,
      stopping: never,
      signal: never,
      ...options,
    };
    if (oneByOne) await sendOneByOne(store, target, all);
    const result = await sendPending(store, target, all);
    const { requests, stopped } = result;
    const why = stopped && stoppedBy(stopped);
    store.runs.end(runId, {
      exit: stopped ? 5 : 0,
      nowMs: clock.now(),
      requests,
      verify: null,
      stopped: why,
    });
    return { ...result, report: reportOf(store, target, clock) };
  });
}

/** Reads everything back. */
export async function check(sending: Sending): Promise<VerifyResult> {
  const { clock, random, progress = silent } = sending;
  return withTarget(sending, (store, target) =>
    verify(store, target, { clock, random, counts: noRequests(), progress, signal: never }),
  );
}

async function withTarget<T>(
  { store: path, transport, clock, profile, pace = () => unpaced, address = 'http://bench.example' }: Sending,
  work: (store: ReturnType<typeof openStore>, target: Target) => Promise<T>,
): Promise<T> {
  const store = openStore(path, { command: 'import', nowMs: clock.now() });
  try {
    return await work(store, {
      id: store.destinations.use({ address, name: address, profile: 'spec', nowMs: clock.now() }),
      name: address,
      isEmbedded: false,
      profile: { ...profiles.spec, ...profile },
      client: new DeliveryClient({ transport, apiKey: new Secret(apiKey), clock }),
      openPace: pace,
      async close() {},
    });
  } finally {
    store.close();
  }
}

function reportOf(store: ReturnType<typeof openStore>, target: Target, clock: Clock): ReportData {
  return collectReport(store, { command: 'import', nowMs: clock.now(), destination: target, elapsedMs: null });
}
