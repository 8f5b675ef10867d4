import type { Store } from '../store/open.ts';
import { usualRequestTimeoutMs } from '../service/profiles.ts';
import { undoUnfinished } from './import.ts';
import type { Target } from './target.ts';
import type { ActionRow, Actions } from '../store/actions.ts';
import { DestinationError } from '../lib/errors.ts';
import { inLists, inParallel } from '../lib/flow/in-parallel.ts';
import { type ActionKind, actionKinds } from '../model/action.ts';
import {
  endedForMs,
  endOfSending,
  type ImportOptions,
  type ImportResult,
  openSendingSession,
  type SendingSession,
} from './session.ts';
import { shownReactions } from './compare.ts';
import { findListed } from './read-back.ts';
import { doubtsInARowMax, ownErrorGraceMs, roundsMax } from './pace/limits.ts';
import type { DeliveryClient, Observed } from '../service/delivery-client.ts';
import type { ActionOutcome, PeopleOutcome } from '../service/outcome.ts';
import { noRequests } from './destination.ts';
import { makeRequest } from './one-request.ts';

/** Options of an import that performing actions needs. */
export type PerformOptions = Pick<
  ImportOptions,
  'runId' | 'lockTakenAtMs' | 'concurrency' | 'clock' | 'random' | 'progress' | 'stopping' | 'signal'
>;

/**
 * Performs the actions that follow the messages, as far as the messages have arrived: friends, reactions, blocks, and
 * finally deactivations of people for whom nothing else is left to do. Resolves actions that an earlier run left
 * without an answer.
 *
 * @throws StoreError if the store cannot write. Everything else that can happen to a request is an outcome.
 */
export async function performActions(
  store: Store,
  target: Target,
  options: PerformOptions,
  kinds: readonly ActionKind[] = actionKinds,
): Promise<ImportResult> {
  const requests = noRequests();
  store.actions.reopenRefused(target.id);
  const readyCount = store.actions.countReady(target.id, kinds);
  if (readyCount === 0) return { requests, stopped: undefined };
  if (store.undo.hasOpen(target.id)) return { requests, stopped: undoUnfinished(target) };
  const session = openSendingSession(target, { ...options, counts: requests }, { name: 'Actions', total: readyCount });
  const rounds = new ActionRounds({
    ...session,
    actions: store.actions,
    runId: options.runId,
    concurrency: options.concurrency,
    earlierGraceEndsAt: graceAfterEarlier(store, target, options),
  });
  return await endOfSending(session, requests, async () => {
    for (const kind of kinds) {
      const busy = kind === 'deactivations' ? store.actions.busyPeople(target.id) : undefined;
      await rounds.perform(kind, (action: ActionRow) => busy === undefined || !busy.has(action.person));
    }
  });
}

/**
 * When (monotonic ms) what an earlier run asked for can no longer be applied. Nothing of an earlier process can have left after this one
 * took the store; where its holder may still be alive, the deadline of its requests counts.
 */
function graceAfterEarlier(store: Store, target: Target, { clock, lockTakenAtMs }: PerformOptions): number {
  const { graceLongMs, requestTimeoutMs = usualRequestTimeoutMs } = target.profile;
  const nowMs = clock.now();
  if (lockTakenAtMs !== undefined) return clock.monotonic() - Math.max(nowMs - lockTakenAtMs, 0) + graceLongMs;
  const latestMs = store.actions.latestDoubtfulMs(target.id);
  if (latestMs === undefined) return clock.monotonic();
  const sinceMs = Math.max(nowMs - latestMs, 0);
  return clock.monotonic() - endedForMs(sinceMs, { nowMs, lockTakenAtMs, requestTimeoutMs }) + graceLongMs;
}

interface ActionRoundsOptions extends ActionSession {
  readonly concurrency: number;
  /** When (monotonic ms) what an earlier run sent can no longer be applied. */
  readonly earlierGraceEndsAt: number;
}

/**
 * Performs all actions of a kind: first those that were never requested, then, in a few rounds, those that are
 * unconfirmed.
 *
 * An unconfirmed reaction is looked up as the person who gave it, at once and after the grace. It is given again only
 * if it is not shown. Friends, blocks and deactivations cannot be read back; requesting them again changes nothing.
 */
class ActionRounds {
  readonly #options: ActionRoundsOptions;
  /** Nothing of this kind that is unconfirmed can be applied after it: monotonic ms. */
  #graceEndsAt: number;
  #doubtsInARow = 0;
  /** Doubts of the latest round, by action: why. Bounded by `doubtsInARowMax` in a row, and by what the breaker lets pass. */
  readonly #doubts = new Map<number, Doubt>();

  constructor(options: ActionRoundsOptions) {
    this.#options = options;
    this.#graceEndsAt = options.earlierGraceEndsAt;
  }

  /** @throws DestinationError, NotSent */
  async perform(kind: ActionKind, isWanted: (action: ActionRow) => boolean): Promise<void> {
    const { actions, target } = this.#options;
    const rows = (state: 'ready' | 'sent') => filtered(actions.rows(target.id, kind, state), isWanted);
    if (kind !== 'deactivations') await this.#each(rows('ready'), (action) => this.#ask(action));
    else await this.#each(inLists(rows('ready'), target.profile.batchItemsMax), (people) => this.#deactivate(people));
    for (let round = 1; round <= roundsMax; round++) {
      if (kind === 'reactions' && !(await this.#lookForReactions())) return;
      let isLeft = false;
      await this.#each(rows('sent'), async (action) => {
        isLeft = true;
        await this.#ask(action);
      });
      if (!isLeft) return;
    }
    if (kind === 'reactions' && (await this.#lookForReactions())) await this.#refuseFailing();
  }

  /** @returns Whether any is still unconfirmed, and none of them can arrive any more. */
  async #lookForReactions(): Promise<boolean> {
    const { clock, onWait, pausing } = this.#options;
    if (!(await this.#look())) return false;
    const waitMs = this.#graceEndsAt - clock.monotonic();
    if (waitMs <= 0) return true;
    onWait(waitMs, 'reactions without an answer may still be applied');
    await clock.sleep(waitMs, pausing);
    return this.#look();
  }

  async #look(): Promise<boolean> {
    const { actions, target, signal, advance } = this.#options;
    let isLeft = false;
    await this.#each(actions.rows(target.id, 'reactions', 'sent'), async (action) => {
      const listed = await findListed(action, this.#options, signal, action.uid);
      const isShown =
        listed && shownReactions(listed)?.some((one) => one.reaction === action.reaction && one.reactedByMe);
      if (!isShown) {
        isLeft = true;
        return;
      }
      await actions.receive(target.id, [action], { state: 'done' });
      advance(1);
    });
    return isLeft;
  }

  /**
   * Marks reactions as failed that were requested repeatedly and are still not there, if the service itself failed each
   * time: they never will be.
   */
  async #refuseFailing(): Promise<void> {
    const { actions, target } = this.#options;
    await this.#each(actions.rows(target.id, 'reactions', 'sent'), async (action) => {
      const doubt = this.#doubts.get(action.id);
      if (doubt?.byService) await actions.receive(target.id, [action], { state: 'failed', ...wordsOf(doubt) });
    });
  }

  async #ask(action: ActionRow): Promise<void> {
    const { clock, target, advance } = this.#options;
    const doubt = await performAction(action, this.#options);
    if (!doubt) {
      this.#doubtsInARow = 0;
      this.#doubts.delete(action.id);
      return advance(1);
    }
    const { graceLongMs } = target.profile;
    const graceMs = doubt.byService ? Math.min(graceLongMs, ownErrorGraceMs) : graceLongMs;
    this.#graceEndsAt = Math.max(this.#graceEndsAt, clock.monotonic() + graceMs);
    this.#doubts.set(action.id, doubt);
    if (++this.#doubtsInARow >= doubtsInARowMax) throw unanswered(doubt);
  }

  /**
   * One request for as many people as an import has items: the service names no limit of these lists. Those whom the answer does not
   * name stay unconfirmed, and are asked for one by one: one of them may be what the service cannot take.
   */
  async #deactivate(people: readonly ActionRow[]): Promise<void> {
    const { actions, target, runId, clock, advance } = this.#options;
    const uids = people.map(({ uid }) => uid);
    const { outcome } = await makeRequest<PeopleOutcome>(
      {
        kind: 'action',
        name: 'an action',
        pending: { actions: people.map(({ id }) => id) },
        intend: () => actions.intend({ destination: target.id, run: runId, nowMs: clock.now() }, people),
        request: (client, signal) => client.deactivatePeople(uids, signal),
        reopen: (failure) => actions.receive(target.id, people, { state: 'pending', ...wordsOf(failure) }),
      },
      this.#options,
    );
    if (outcome.kind !== 'answered') {
      await actions.receive(target.id, people, { state: 'sent', ...wordsOf(outcome) });
      if (outcome.kind === 'unknown' && ++this.#doubtsInARow >= doubtsInARowMax) throw unanswered(outcome);
      return;
    }
    this.#doubtsInARow = 0;
    const named = people.filter(({ uid }) => outcome.uids.has(uid));
    await actions.receive(target.id, named, { state: 'done' });
    advance(named.length);
  }

  async #each<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
    const { concurrency, pausing, giveUp } = this.#options;
    const guarded = (item: T) =>
      work(item).catch((error: unknown) => {
        giveUp(error);
        throw error;
      });
    await inParallel(items, concurrency, guarded, pausing);
    pausing.throwIfAborted();
  }
}

function* filtered(actions: Iterable<ActionRow>, isWanted: (action: ActionRow) => boolean): Generator<ActionRow> {
  for (const action of actions) if (isWanted(action)) yield action;
}

const unanswered = ({ code, detail }: Doubt) =>
  new DestinationError(
    `Stopped: the destination answered none of the last ${doubtsInARowMax} actions: ${code}: ${detail}`,
    { code, hint: 'Run the same command again when the service answers' },
  );

/** Line that every action of a run goes through. */
export interface ActionSession extends SendingSession {
  readonly actions: Actions;
  readonly runId: number;
}

/** Action without an answer, or with one that is not in the service's format. `byService`: the service itself answered, and failed. */
export type Doubt = Extract<ActionOutcome, { kind: 'unknown' }>;

/**
 * Asks for one action and writes down what came of it. The intent is committed before the request leaves, so that a kill leaves
 * the action unconfirmed and not forgotten.
 *
 *     ready ──intent──▶ unconfirmed ──applied──▶ done            ──it was so before──▶ present
 *                          ├──the service says no──▶ refused  ──surely not applied──▶ ready, again after a wait
 *                          └──no answer──▶ stays unconfirmed
 *
 * @returns Why it is unconfirmed, if it is.
 * @throws DestinationError if nothing of this run can succeed any more; NotSent if the run is being stopped.
 */
async function performAction(action: ActionRow, session: ActionSession): Promise<Doubt | undefined> {
  const { target, actions, runId, clock } = session;
  const { outcome, attempts } = await makeRequest<ActionOutcome>(
    {
      kind: 'action',
      name: 'an action',
      pending: { actions: [action.id] },
      intend: () => actions.intend({ destination: target.id, run: runId, nowMs: clock.now() }, [action]),
      request: (client, signal) => actionRequests[action.kind](action, client, signal),
      reopen: (failure) => actions.receive(target.id, [action], { state: 'pending', ...wordsOf(failure) }),
    },
    session,
  );
  if (outcome.kind === 'unknown') {
    await actions.receive(target.id, [action], { state: 'sent', ...wordsOf(outcome) });
    return outcome;
  }
  await actions.receive(target.id, [action], receiptOf(outcome, action.attempts + attempts > 1));
  return undefined;
}

type Answered = Extract<ActionOutcome, { kind: 'applied' | 'existing' | 'failed' }>;

/** @param wasAsked By us, before: then it is so because of us, as far as anybody knows. */
function receiptOf(outcome: Answered, wasAsked: boolean) {
  if (outcome.kind === 'applied' || (outcome.kind === 'existing' && wasAsked)) return { state: 'done' } as const;
  return { state: outcome.kind, ...wordsOf(outcome) };
}

const wordsOf = ({ code, detail }: { readonly code: string; readonly detail: string }) => ({ code, detail });

type Ask = (action: ActionRow, client: DeliveryClient, signal: AbortSignal) => Promise<Observed<ActionOutcome>>;

const actionRequests: Readonly<Record<ActionKind, Ask>> = {
  friends: ({ uid, otherUid }, client, signal) => client.addFriend(uid, otherUid, signal),
  reactions: ({ serverId, reaction, uid }, client, signal) => client.addReaction(serverId!, reaction, uid, signal),
  blocks: ({ uid, otherUid }, client, signal) => client.blockUser(uid, otherUid, signal),
  deactivations: ({ uid }, client, signal) => client.deactivatePerson(uid, signal),
};
