import { withDefaults, atTarget, beginRun, endReported, inSession, type RunEnding, type Session } from '../session.ts';
import type { Store } from '../../store/open.ts';
import { optionDefaults } from '../../config/options.ts';
import { DestinationError, UsageError } from '../../lib/errors.ts';
import { addUpMessages } from '../../report/tally.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { differenceCount, importExitCode } from '../../report/verdict.ts';
import { type ActionKind, actionKinds } from '../../model/action.ts';
import { performActions } from '../../delivery/perform-actions.ts';
import { activatePeople } from '../../delivery/activate-people.ts';
import { removeFormer } from '../../delivery/remove-former.ts';
import { sendArrivals } from '../../delivery/send-arrivals.ts';
import { sendPending } from '../../delivery/import.ts';
import type { ImportOptions, ImportResult, SendChoices } from '../../delivery/session.ts';
import { addRequests, noRequests, type RequestCounts } from '../../delivery/destination.ts';
import { type AboutKey, askWhetherKeyHolds } from '../../delivery/ask-about-key.ts';
import { checkTarget, knownDestination, profileOf, type Target } from '../../delivery/target.ts';
import { verify, verifyDeactivations } from '../../delivery/verify.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { MediaRules } from '../../mapping/rules.ts';
import { resolveMediaRules, rememberedMedia } from '../../media/media-rules.ts';
import { waitingForFiles } from '../../media/waiting-for-files.ts';
import { planInto } from '../prepare/plan.ts';
import { isReadingConfirmed } from '../confirm-reading.ts';
import type { Complete, ImportRequest, PlanRequest } from '../requests.ts';
import type { RunControls } from '../../lib/flow/run-controls.ts';
import type { Outcome } from '../results.ts';

export async function importExport(given: ImportRequest): Promise<Outcome> {
  const request = { ...sendingDefaults, ...withDefaults(given) };
  checkTarget(request);
  return await inSession(request, 'import', async (session) => {
    if (request.from.length === 0) assertPlanned(session);
    else {
      await planInto(session, request);
      request.onPlanned?.();
    }
    if (!(await isReadingConfirmed(session, request))) return unconfirmed(session, request);
    const media = resolveMediaRules(request.mapping?.media ?? rememberedMedia(session.store), request.media ?? {});
    const copyFiles = media && filesCopier(session.store, { ...request, media });
    return await atTarget(session, request, (target) => sendAndVerify(session, target, request, { media, copyFiles }));
  });
}

/** The plan alone, which nobody has confirmed. */
export function unconfirmed({ store, report }: Session, request: Complete<PlanRequest>): Outcome {
  const known = knownDestination(store, request);
  const tally = addUpMessages(store, known?.id ?? null);
  const name = known?.name ?? request.appId ?? request.to;
  const destination = { id: known?.id ?? null, name, profile: profileOf(request) };
  return {
    report: report({ destination, tally }),
    exit: exitCodes.usage,
    counted: { destination: destination.id, tally },
  };
}

/** Defaults for sending, if a request does not set them. */
export const sendingDefaults = {
  sendProfiles: optionDefaults.sendProfiles,
  maxFailureShare: optionDefaults.maxFailures,
  verify: optionDefaults.verify,
};

/** Loaded where files are copied: most imports do without. */
export const filesCopier =
  (store: Store, request: Pick<ImportRequest, 'drift' | 'env'> & RunControls & { readonly media: MediaRules }) =>
  async (target: Target) => {
    const { copyPlannedFiles } = await import('./media/copy-planned-files.ts');
    const { env = process.env } = request;
    const { dataBytesMax } = target.profile.limits;
    return (await copyPlannedFiles(store, { ...request, env, dataBytesMax })).stopped;
  };

export type SendRequest = RunControls &
  SendChoices &
  Pick<ImportOptions, 'concurrency'> &
  Required<Pick<ImportRequest, 'verify'>> &
  Pick<ImportRequest, 'confirm' | 'asksKey'>;

export interface SendTask {
  /** Puts back what is to be sent again, under the id of the run; its requests are counted with the run's. */
  readonly prepare?: (run: number) => Promise<ImportResult>;
  /** Rules for copying files, for the question beforehand. */
  readonly media?: MediaRules | undefined;
  /** Copies the files of messages first. @returns Why nothing can be sent, if so. */
  readonly copyFiles?: ((target: Target) => Promise<DestinationError | undefined>) | undefined;
  /** Send only what `Lanes.choose` named. */
  readonly chosenOnly?: boolean;
}

/** Sends what is pending, does what follows the messages, and reads back what was sent. */
export async function sendAndVerify(
  session: Session,
  target: Target,
  request: SendRequest,
  { prepare, media, copyFiles, chosenOnly = false }: SendTask,
): Promise<Outcome> {
  const { store } = session;
  if (request.confirm && !target.isEmbedded) {
    const tally = addUpMessages(store, target.id);
    const followUps = store.messages.followUps.count(target.id);
    if (
      tally.totals.pending + followUps.pending > 0 ||
      store.actions.countReady(target.id) > 0 ||
      store.arrivals.countOpen(target.id) > 0
    ) {
      if (media) await noteMedia(store);
      const report = session.report({ destination: target, tally, media });
      if (!(await request.confirm(report)))
        return { report, exit: exitCodes.usage, counted: { destination: target.id, tally } };
    }
  }
  const run = beginRun(session, target.profile.name, target);
  const stopped = await copyFiles?.(target);
  const ending = stopped
    ? { requests: noRequests(), stopped }
    : await sendReady(session, target, { ...request, chosenOnly }, run.id, prepare);
  return endReported(run, ending, () => {
    const tally = addUpMessages(store, target.id);
    const report = session.report({ destination: target, run: run.id, tally });
    const { unasked } = ending;
    return { report, exit: importExitCode(report), counted: { destination: target.id, tally }, unasked };
  });
}

export const askAboutKey = (request: Complete<ImportRequest>): Promise<AboutKey> =>
  inSession(request, 'import', (session) =>
    atTarget(session, request, (target) => askWhetherKeyHolds(target, request)),
  );

/** Records which messages have which files. Files are counted before the user is asked: copying them is a part of the import. */
async function noteMedia(store: Store): Promise<void> {
  const { noteFiles } = await import('../../media/note-files.ts');
  noteFiles(store);
}

/** Everything but messages that wait for a file, and what comes behind them in their conversations. */
async function sendReady(
  session: Session,
  target: Target,
  request: SendRequest & Pick<SendTask, 'chosenOnly'>,
  runId: number,
  prepare: SendTask['prepare'],
): Promise<RunEnding> {
  const { store } = session;
  if (request.chosenOnly || !store.media.hasWaiting()) return await sendAll(session, target, request, runId, prepare);
  // Messages that are put back are chosen from as well.
  const choose = async (run: number) => {
    const done = await prepare?.(run);
    store.media.chooseBeforeWaiting(target.id);
    return done;
  };
  const ending = await sendAll(
    session,
    target,
    { ...request, chosenOnly: true, chosenMayBeLate: false },
    runId,
    choose,
  );
  // Who ends a run has nothing to decide: the same command copies what is left.
  const isCut = request.stopping.aborted;
  return { ...ending, stopped: ending.stopped ?? (isCut ? undefined : waitingForFiles(store, target.id)) };
}

/**
 * Sends people and groups, then messages, then what follows them, then checks what arrived; each only if nothing has stopped the run before.
 * If everyone was imported active, people are deactivated after that: one who is deactivated gets no message any more.
 */
async function sendAll(
  { store, lockTakenAtMs }: Session,
  target: Target,
  request: SendRequest & Pick<ImportOptions, 'chosenOnly' | 'chosenMayBeLate'>,
  runId: number,
  prepare: ((run: number) => Promise<ImportResult | undefined>) | undefined,
): Promise<RunEnding> {
  const options = { ...request, runId, lockTakenAtMs };
  const requests = noRequests();
  const isLast = (kind: ActionKind) => kind === 'deactivations' && target.profile.people === 'import';
  const kinds = actionKinds.filter((kind) => !isLast(kind));
  const steps = [
    () => prepare?.(runId),
    () => activatePeople(store, target, options),
    () => removeFormer(store, target, options, 'unanswered'),
    () => (request.stopping.aborted ? undefined : sendArrivals(store, target, options)),
    () => (request.stopping.aborted ? undefined : sendPending(store, target, options)),
    () => (request.stopping.aborted ? undefined : performActions(store, target, options, kinds)),
  ];
  for (const step of steps) {
    const done = await step();
    if (done) addRequests(requests, done.requests);
    if (done?.stopped) return { requests, stopped: done.stopped };
  }
  let verified = await verifyRun(store, target, request, requests);
  if (!verified.stopped && !request.stopping.aborted && !(verified.verify && differenceCount(verified.verify) > 0)) {
    const removed = await removeFormer(store, target, options, 'ready');
    addRequests(requests, removed.requests);
    if (removed.stopped || request.stopping.aborted) return { requests, ...verified, stopped: removed.stopped };
    // Bans come last as well.
    const banned = await sendArrivals(store, target, options);
    addRequests(requests, banned.requests);
    if (banned.stopped || request.stopping.aborted) return { requests, ...verified, stopped: banned.stopped };
    const done = await performActions(store, target, options, actionKinds.filter(isLast));
    addRequests(requests, done.requests);
    if (done.stopped) return { requests, ...verified, stopped: done.stopped };
    if (done.requests.action && request.verify)
      verified = await verifyDeactivated(store, target, { ...request, runId, counts: requests }, verified.verify);
  }
  verified = { ...verified, stopped: verified.stopped ?? waitingForMembers(store, target, options) };
  const isSilent = request.asksKey && !verified.stopped && Object.values(requests).every((count) => count === 0);
  return {
    requests,
    ...verified,
    ...(isSilent && (await askWhetherKeyHolds(target, { ...request, counts: requests }))),
  };
}

/** Why a run does not end although everything else was done. Who ends a run has nothing to decide. */
function waitingForMembers(
  { arrivals, failures }: Store,
  { id, name }: Target,
  { stopping }: Pick<SendRequest, 'stopping'>,
): DestinationError | undefined {
  const count = stopping.aborted || !arrivals.hasFormer() ? 0 : failures.countRefusedOutsiders(id);
  if (count === 0) return undefined;
  const [messages, wait] = count === 1 ? ['message', 'waits'] : ['messages', 'wait'];
  const isDecided = arrivals.countAsked().undecided === 0;
  return new DestinationError(
    `${formatCount(count)} ${messages} of people who are no members of the group ${wait}, because ${name} refuses them, and so does what follows in the same conversations`,
    {
      code: 'former-members',
      hint: isDecided
        ? 'Run the same command again: it makes them members again'
        : 'Set people.former to join or to leave-out in the mapping, plan again, and run the same command. The decision former-member says what each does, and members-not-listed is about groups without a list of members',
    },
  );
}

/** Reads back what was touched since something was read back, by this run and by those before it that were interrupted, and what differed then. */
async function verifyRun(
  store: Store,
  target: Target,
  request: SendRequest,
  counts: RequestCounts,
): Promise<Pick<RunEnding, 'verify' | 'stopped'>> {
  if (!request.verify || target.profile.readBack === false || request.stopping.aborted) return {};
  const since = store.checks.lastVerifiedRun(target.id);
  if (!store.checks.isToVerify(target.id, since)) return {};
  try {
    return { verify: await verify(store, target, { ...request, since, counts }) };
  } catch (error) {
    if (error instanceof DestinationError) return { stopped: error };
    if (request.signal.aborted) return {};
    throw error;
  }
}

/** Looks whether those whom this run deactivated are gone; their messages were verified before, by this run if `before` is there. */
async function verifyDeactivated(
  store: Store,
  target: Target,
  request: SendRequest & { readonly runId: number; readonly counts: RequestCounts },
  before: RunEnding['verify'],
): Promise<Pick<RunEnding, 'verify' | 'stopped'>> {
  if (!before) return await verifyRun(store, target, request, request.counts);
  try {
    const found = await verifyDeactivations(store, target, { ...request, since: request.runId - 1 });
    return { verify: { ...before, actions: { ...before.actions, ...found } } };
  } catch (error) {
    if (error instanceof DestinationError) return { verify: before, stopped: error };
    if (request.signal.aborted) return { verify: before };
    throw error;
  }
}

function assertPlanned({ store }: Session): void {
  if (store.facts.read('isComplete') === 'yes') return;
  throw new UsageError(`Cannot import: the checkpoint store "${store.path}" holds no complete plan`, {
    hint: 'Name the export: chatferry import EXPORT',
  });
}
