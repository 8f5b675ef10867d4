import { type ActionLine, type Doubt, performAction } from './perform-action.ts';
import { findListed, shownReactions } from './shown-reactions.ts';
import type { ActionRow, actionRowsReader } from '../../checkpoint/delivery/action-rows.ts';
import { DestinationError } from '../../lib/errors.ts';
import type { ActionKind } from '../../model/action.ts';
import type { Profile } from '../../service/profiles.ts';
import { inParallel } from '../../lib/in-parallel.ts';

export interface ActionRoundsOptions extends ActionLine {
  readonly rowsOf: ReturnType<typeof actionRowsReader>;
  readonly profile: Pick<Profile, 'graceLongMs' | 'graceShortMs'>;
  readonly concurrency: number;
  /** When (monotonic ms) what an earlier run sent can no longer be applied. */
  readonly earlierGraceEndsAt: number;
  /** Told why nothing goes on: no wait is worth its end then. */
  readonly giveUp: (reason: unknown) => void;
  readonly onDone: () => void;
  readonly signal: AbortSignal;
}

/** So often what is in doubt is asked for again in one run. */
const roundsMax = 3;
/** Actions in a row that nobody answers: the destination answers none. */
const doubtsInARowMax = 20;

/**
 * Does everything of a kind: first what was never asked for, then, a few times over, what is in doubt.
 *
 * A reaction in doubt is looked for as the person who gave it, at once and after the grace; only where it is not shown it is
 * given again. Friends, blocks and deactivations cannot be read back; asked for again they change nothing.
 */
export class ActionRounds {
  readonly #options: ActionRoundsOptions;
  /** Nothing of this kind that is in doubt can be applied after it: monotonic ms. */
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
    const { rowsOf } = this.#options;
    await this.#each(filtered(rowsOf(kind, 'ready'), isWanted), (action) => this.#ask(action));
    for (let round = 1; round <= roundsMax; round++) {
      if (kind === 'reactions' && !(await this.#lookForReactions())) return;
      let isLeft = false;
      await this.#each(filtered(rowsOf(kind, 'sent'), isWanted), async (action) => {
        isLeft = true;
        await this.#ask(action);
      });
      if (!isLeft) return;
    }
    if (kind === 'reactions' && (await this.#lookForReactions())) await this.#refuseFailing();
  }

  /** @returns Whether any is still in doubt, and none of them can arrive any more. */
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
    const { rowsOf, client, journal, signal, onDone } = this.#options;
    let isLeft = false;
    await this.#each(rowsOf('reactions', 'sent'), async (action) => {
      const listed = await findListed(action, client, this.#options, signal, action.uid);
      const isShown =
        listed && shownReactions(listed)?.some((one) => one.reaction === action.reaction && one.reactedByMe);
      if (!isShown) {
        isLeft = true;
        return;
      }
      await journal.settle(action.id, { state: 'done' });
      onDone();
    });
    return isLeft;
  }

  /** Asked for again and again, and not there: where the service itself failed each time, it never will be. */
  async #refuseFailing(): Promise<void> {
    const { rowsOf, journal } = this.#options;
    await this.#each(rowsOf('reactions', 'sent'), async ({ id }) => {
      const doubt = this.#doubts.get(id);
      if (doubt?.byService) await journal.settle(id, { state: 'refused', code: doubt.code, detail: doubt.detail });
    });
  }

  async #ask(action: ActionRow): Promise<void> {
    const { clock, profile, onDone, signal } = this.#options;
    const doubt = await performAction(action, this.#options, signal);
    if (!doubt) {
      this.#doubtsInARow = 0;
      this.#doubts.delete(action.id);
      return onDone();
    }
    const graceMs = doubt.byService ? profile.graceShortMs : profile.graceLongMs;
    this.#graceEndsAt = Math.max(this.#graceEndsAt, clock.monotonic() + graceMs);
    this.#doubts.set(action.id, doubt);
    if (++this.#doubtsInARow >= doubtsInARowMax) throw unanswered(doubt);
  }

  async #each(actions: Iterable<ActionRow>, work: (action: ActionRow) => Promise<void>): Promise<void> {
    const { concurrency, pausing, giveUp } = this.#options;
    const guarded = (action: ActionRow) =>
      work(action).catch((error: unknown) => {
        giveUp(error);
        throw error;
      });
    await inParallel(actions, concurrency, guarded, pausing);
    pausing.throwIfAborted();
  }
}

function* filtered(actions: Iterable<ActionRow>, isWanted: (action: ActionRow) => boolean): Generator<ActionRow> {
  for (const action of actions) if (isWanted(action)) yield action;
}

const unanswered = ({ code, detail }: Doubt) =>
  new DestinationError(
    `Stopped: the destination answered none of the last ${doubtsInARowMax} actions: ${code}: ${detail}`,
    {
      code,
      hint: 'Run the same command again when the service answers',
    },
  );
