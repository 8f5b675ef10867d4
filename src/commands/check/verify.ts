import { formatCount } from '../../lib/text/count.ts';
import { DestinationError, UsageError } from '../../lib/errors.ts';
import { addUpMessages } from '../../report/tally.ts';
import { errorExitCode, exitCodes } from '../../model/exit-codes.ts';
import { verifyExitCode } from '../../report/verdict.ts';
import { noRequests } from '../../delivery/destination.ts';
import type { Target } from '../../delivery/target.ts';
import { repairMissing, resolveUnconfirmed, verify, verifySample } from '../../delivery/verify.ts';
import { chooseOnly } from './choose-only.ts';
import {
  atTarget,
  beginRun,
  inSession,
  type Run,
  type RunEnding,
  sentDestination,
  type Session,
  withDefaults,
} from '../session.ts';
import type { Store } from '../../store/open.ts';
import { rememberedMedia } from '../../media/media-rules.ts';
import type { Complete, VerifyRequest } from '../requests.ts';
import type { Outcome } from '../results.ts';

export async function verifyDestination(given: VerifyRequest): Promise<Outcome> {
  const request = withDefaults(given);
  const { repair, sample, only } = request;
  if (repair && sample) {
    throw new UsageError('Cannot repair from a sample: it says nothing about most messages', {
      hint: 'Pass --repair without --sample',
    });
  }
  return await inSession(request, 'verify', async (session) => {
    const { store } = session;
    sentDestination(store, request, 'verify');
    return await atTarget(session, request, async (target) => {
      if (only) chooseOnly(store, target, only, 'verify');
      const run = beginRun(session, target.profile.name, target);
      const exit = await verifyTarget(session, target, request, run);
      const tally = addUpMessages(store, target.id);
      const report = session.report({ destination: target, run: run.id, checks: only ? 'inside' : 'whole', tally });
      return { report, exit, counted: { destination: target.id, tally } };
    });
  });
}

/** @returns What the run ends with. */
async function verifyTarget(
  { store, lockTakenAtMs }: Session,
  target: Target,
  request: Complete<VerifyRequest>,
  run: Run,
): Promise<number> {
  const { repair, sample, only } = request;
  const requests = noRequests();
  const end = (exit: number, ending: Omit<RunEnding, 'requests'>) => {
    run.end(exit, { requests, ...ending });
    return exit;
  };
  try {
    const options = { ...request, insideOnly: only !== undefined, counts: requests };
    const repairing = repair && { ...options, ...repair, runId: run.id, lockTakenAtMs };
    if (repairing) await resolveUnconfirmed(store, target, repairing);
    const found = sample
      ? await verifySample(store, target, { ...options, ...sample, seed: sample.seed ?? String(run.id) })
      : await verify(store, target, options);
    if (repairing && found.missing + store.checks.countGone(target.id) > 0)
      await applyFileVerdicts(store, { nowMs: request.clock.now(), dataBytesMax: target.profile.limits.dataBytesMax });
    const repaired = repairing ? await repairMissing(store, target, found, repairing) : found;
    const result = only ? { ...repaired, only: only.text } : repaired;
    const unconfirmed = store.batches.countUnconfirmed(target.id);
    if (unconfirmed > 0) return end(exitCodes.stopped, { verify: result, stopped: leftUnconfirmed(unconfirmed) });
    const exit = verifyExitCode(result);
    const isWhole = exit === exitCodes.done && !only && !sample;
    const gone = isWhole ? store.checks.countGone(target.id) : 0;
    if (gone > 0) return end(exitCodes.stopped, { verify: result, stopped: leftToSend(gone) });
    return end(exit, { verify: result });
  } catch (error) {
    if (error instanceof DestinationError) return end(errorExitCode(error), { stopped: error });
    // No one could be asked whether to repair.
    if (error instanceof UsageError) end(exitCodes.usage, {});
    throw error;
  }
}

const leftToSend = (count: number) =>
  new DestinationError(`${formatCount(count)} messages that were there are gone, and still to be sent again`, {
    code: 'put-back',
    hint: 'Run "chatferry verify --repair" or "chatferry import": an earlier run was cut off before it sent them',
  });

const leftUnconfirmed = (count: number) =>
  new DestinationError(
    `${formatCount(count)} messages are unconfirmed: they are neither here nor missing until that is found out`,
    {
      code: 'unconfirmed',
      hint: 'Run "chatferry import" again; it finds out first what became of them',
    },
  );

/**
 * Gives messages the addresses of copied files, and copies none: a plan made since then has the addresses of the
 * export. A message waits if its file has not been tried yet. If no files are copied, nothing is done.
 */
async function applyFileVerdicts(
  store: Store,
  when: { readonly nowMs: number; readonly dataBytesMax: number | undefined },
): Promise<void> {
  const rules = rememberedMedia(store);
  if (!rules) return;
  const { noteFiles } = await import('../../media/note-files.ts');
  const { makePayloads } = await import('../../media/make-payloads.ts');
  noteFiles(store);
  const missing = store.media.sums().waiting > 0 ? 'wait' : rules.missing;
  makePayloads(store, { ...when, missing, drift: 'report' });
}
