import { sendingDefaults, filesCopier, sendAndVerify } from '../move/import.ts';
import { withDefaults, atTarget, inSession, sentDestination } from '../session.ts';
import type { Store } from '../../store/open.ts';
import type { RefusedCount } from '../../store/failures.ts';
import { DestinationError, UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { addUpMessages } from '../../report/tally.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { importExitCode } from '../../report/verdict.ts';
import { expectedLanes } from '../../delivery/lanes.ts';
import { recoverLane } from '../../delivery/read-back.ts';
import { type ImportResult, openSession } from '../../delivery/session.ts';
import { sendOneByOne } from '../../delivery/import.ts';
import type { Target } from '../../delivery/target.ts';
import { rememberedMedia } from '../../media/media-rules.ts';
import type { Complete, RetryRequest } from '../requests.ts';
import type { RetryChoice, Retried } from '../results.ts';

/** Other content is there under the same id: sending again changes nothing, so such messages are retried only if named. */
const differentContent = 'different-content';

/** Messages that are looked for at once: their items are held in memory, some 2 KB each. */
const atOnceMax = 1000;

export async function retryRefused(given: RetryRequest): Promise<Retried> {
  const request = { ...sendingDefaults, ...withDefaults(given) };
  const { ids, code, oneByOne = false } = request;
  if (oneByOne && (ids.length > 0 || code !== undefined)) throw notBoth();
  return await inSession(request, 'retry', async (session) => {
    const { store } = session;
    const known = sentDestination(store, request, 'retry');
    const codes = oneByOne ? [] : store.failures.choose(known.id, { ids, code, exceptCode: differentContent });
    const begun = oneByOne ? 0 : store.failures.countBegun(known.id, { ids, code });
    const quarantined = store.lanes.countQuarantined(known.id);
    assertRefused(store, known, request, codes);
    return await atTarget(session, request, async (target) => {
      const tally = addUpMessages(store, target.id);
      const asksPeople = !oneByOne && ids.length === 0 && target.profile.people === 'import';
      const arrivals = asksPeople ? failedArrivals(store, target.id, code) : [];
      const choice: RetryChoice = {
        destination: target.name,
        isEmbedded: target.isEmbedded,
        codes,
        chosen: codes.reduce((sum, { chosen }) => sum + chosen, 0),
        begun,
        quarantined,
        pending: tally.totals.pending,
        arrivals,
      };
      const isWanted = await request.confirm(choice);
      // If the last run ended before it had read back what it sent, this one does it.
      const count = oneByOne ? quarantined : choice.chosen + begun + arrivals.length;
      const isLeft =
        count > 0 || (tally.totals.pending + tally.totals.unconfirmed === 0 && store.checks.isToVerify(target.id));
      if (!isLeft || !isWanted) {
        const report = session.report({ destination: target, tally });
        const exit = isWanted ? importExitCode(report) : exitCodes.usage;
        return { report, exit, counted: { destination: target.id, tally }, choice };
      }
      const { confirm: _, ...sending } = request;
      const { lockTakenAtMs } = session;
      const prepare = (runId: number) => {
        if (oneByOne) return sendOneByOne(store, target, { ...request, runId, lockTakenAtMs });
        if (asksPeople) store.arrivals.reopen(target.id, code);
        return putBack(store, target, request, runId);
      };
      // Pending messages are sent as well, and may have been planned after files were copied.
      const media = rememberedMedia(store);
      const copyFiles = media && filesCopier(store, { ...request, media });
      return { ...(await sendAndVerify(session, target, sending, { prepare, copyFiles })), choice };
    });
  });
}

/**
 * Refused is what a destination said; what it did may differ. So each message is read back: what is there is imported
 * (or refused for its other content), what is absent is pending again.
 */
async function putBack(
  store: Store,
  target: Target,
  request: Complete<RetryRequest>,
  run: number,
): Promise<ImportResult> {
  const { clock, signal, stopping } = request;
  const lanes = store.lanes.toRetry(target.id);
  const total = lanes.reduce((sum, { pending }) => sum + pending, 0);
  const connection = openSession(target, request, { name: 'Looking', total });
  const requests = connection.counts;
  const journal = store.batches.openJournal(target.id, run);
  const expected = expectedLanes(store, target);
  try {
    for (const found of lanes) {
      const lane = expected.laneOf(found);
      for (let left = found.pending; left > 0 && !stopping.aborted; left -= atOnceMax) {
        const muids = store.failures.takeChosen(target.id, lane.conversation, atOnceMax);
        const rows = muids.flatMap((muid) => expected.byMuid(lane, muid)?.row ?? []);
        // A refusal is an answer: nothing of it is still on its way, so what is absent is absent.
        await recoverLane(lane, rows, { ...connection, journal, graceEndsAt: clock.monotonic(), signal });
        connection.advance(muids.length);
      }
    }
    return { requests, stopped: undefined };
  } catch (error) {
    if (error instanceof DestinationError) return { requests, stopped: error };
    throw error;
  } finally {
    connection.close();
  }
}

function assertRefused(
  store: Store,
  destination: { readonly id: number; readonly name: string },
  { ids, code }: RetryRequest,
  codes: readonly RefusedCount[],
): void {
  const [unknown] = store.failures.unknown(destination.id, ids);
  if (unknown !== undefined) {
    throw new UsageError(`Cannot retry "${oneLine(unknown)}": no message with this id failed at ${destination.name}`, {
      hint: `chatferry explain ${oneLine(unknown)} shows what became of it`,
    });
  }
  if (code === undefined || store.failures.hadCode(destination.id, code)) return;
  if (failedArrivals(store, destination.id, code).length > 0) return;
  const found = codes.map((each) => each.code).join(', ') || 'no message failed';
  throw new UsageError(`Cannot retry code "${oneLine(code)}": no message failed with it at ${destination.name}`, {
    hint: `Codes there: ${oneLine(found)}`,
  });
}

const failedArrivals = (store: Store, destination: number, code: string | undefined) =>
  store.arrivals.refused(destination).filter((group) => code === undefined || group.code === code);

const notBoth = () =>
  new UsageError('Cannot retry --one-by-one with ids or --code: it is about all messages that are quarantined', {
    hint: 'Pass --one-by-one alone, or leave it out',
  });
