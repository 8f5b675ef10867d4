import type { CheckScope } from '../checkpoint/repair/verify-results.ts';
import { hasDeliveries } from '../checkpoint/base/destinations.ts';
import { countInDoubt } from '../checkpoint/repair/put-back.ts';
import { endRun, startRun } from '../checkpoint/base/runs.ts';
import { openStore, type Store } from '../checkpoint/base/store.ts';
import { DestinationError, StoreError, UsageError } from '../lib/errors.ts';
import type { Filter } from '../mapping/filter/filter.ts';
import type { VerifyResult } from '../model/books.ts';
import { noRequests } from '../upload/pace/destination.ts';
import { chooseOnly } from './choose-only.ts';
import { collectReport } from '../report/collect/collect-report.ts';
import { exitCodes, exitOfVerify } from '../report/exit-codes.ts';
import type { ImportOptions } from '../upload/import.ts';
import type { Outcome } from './session.ts';
import { knownDestination, openTarget, type Target, type TargetOptions } from '../upload/target.ts';
import { verify, type VerifyOptions } from '../verify/verify.ts';
import { type RepairOptions, repairMissing } from '../verify/repair.ts';
import { verifySample } from '../verify/sample.ts';

export interface VerifyRequest
  extends TargetOptions,
    Pick<VerifyOptions, 'random' | 'progress' | 'signal'>,
    Pick<ImportOptions, 'stopping'> {
  readonly store: string;
  /** Only messages that it finds are compared, repaired and called missing. */
  readonly only?: Filter | undefined;
  /** Sends what is missing again. */
  readonly repair?: Pick<RepairOptions, 'details' | 'maxRefusedShare' | 'confirm'> | undefined;
  /** Looks at so many messages only; the seed is the run's id unless given. */
  readonly sample?: { readonly size: number; readonly seed?: string | undefined } | undefined;
}

/**
 * Reads back what the destination has of ours, and compares.
 *
 * @throws StoreError, UsageError. That the destination cannot be read is an outcome, resumable.
 */
export async function verifyDestination(request: VerifyRequest): Promise<Outcome> {
  const { clock, repair, sample } = request;
  if (repair && sample) {
    throw new UsageError('Cannot repair from a sample: it says nothing about most messages', {
      hint: 'Pass --repair without --sample',
    });
  }
  const startedMs = clock.monotonic();
  const lockTakenAtMs = clock.now();
  const store = openStore(request.store, { command: 'verify', nowMs: lockTakenAtMs });
  try {
    const known = knownDestination(store, request);
    if (!known || !hasDeliveries(store.db, known.id)) {
      throw new StoreError(
        `Cannot verify: nothing of "${request.store}" was sent to ${request.appId ?? request.to} yet`,
        {
          path: request.store,
          hint: 'Run "chatferry import EXPORT" first, or pass --to with the destination of an import',
        },
      );
    }
    const target = await openTarget(store, request);
    try {
      if (request.only) chooseOnly(store, target, request.only, 'verify');
      const { run, exit } = await verifyTarget(store, target, request, lockTakenAtMs);
      const checks: CheckScope = request.only ? 'inside' : 'whole';
      const elapsedMs = clock.monotonic() - startedMs;
      const about = { command: 'verify', nowMs: clock.now(), destination: target, elapsedMs, run, checks };
      return { report: collectReport(store, about), exit, counted: { destination: target.id } };
    } finally {
      await target.close();
    }
  } finally {
    store.close();
  }
}

/** One run in the books. @returns Its id, and what it ends with. */
async function verifyTarget(
  store: Store,
  target: Target,
  request: VerifyRequest,
  lockTakenAtMs: number,
): Promise<{ readonly run: number; readonly exit: number }> {
  const { clock } = request;
  const run = startRun(store.db, {
    command: 'verify',
    destination: target.id,
    profile: target.profile.name,
    nowMs: clock.now(),
  });
  const counts = noRequests();
  const end = (exit: number, verified: VerifyResult | null, stopped: DestinationError | undefined) => {
    const why = stopped && { code: stopped.code, message: stopped.message, hint: stopped.hint ?? null };
    endRun(store.db, run, { exit, nowMs: clock.now(), requests: counts, verify: verified, stopped: why ?? null });
    return { run, exit };
  };
  try {
    const { repair, sample, only } = request;
    const options = { ...request, insideOnly: only !== undefined, counts };
    const found = sample
      ? await verifySample(store, target, { ...options, ...sample, seed: sample.seed ?? String(run) })
      : await verify(store, target, options);
    const repaired =
      repair && found.missing > 0
        ? await repairMissing(store, target, found, { ...options, ...repair, runId: run, lockTakenAtMs })
        : found;
    const result = only ? { ...repaired, only: only.text } : repaired;
    const inDoubt = countInDoubt(store.db, target.id);
    if (inDoubt > 0) return end(exitCodes.stopped, result, leftInDoubt(inDoubt));
    return end(exitOfVerify(result), result, undefined);
  } catch (error) {
    if (error instanceof DestinationError) return end(exitCodes.stopped, null, error);
    // Nobody could be asked whether to repair.
    if (error instanceof UsageError) end(exitCodes.usage, null, undefined);
    throw error;
  }
}

const leftInDoubt = (count: number) =>
  new DestinationError(`${count} messages are in doubt: they are neither here nor missing until that is found out`, {
    code: 'in-doubt',
    hint: 'Run "chatferry import" again; it finds out first what became of them',
  });
