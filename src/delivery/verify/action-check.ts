import type { DoneReaction } from '../../store/actions.ts';
import type { VerifyResult } from '../../model/totals.ts';
import type { ListedMessage } from '../../service/outcome.ts';
import { findListed } from '../read-back.ts';
import { shownReactions } from '../compare.ts';
import type { Reading } from './reading.ts';

interface Lacking extends Pick<ListedMessage, 'conversationId'> {
  readonly serverId: string;
  readonly sentAtMs: number;
  readonly expected: readonly DoneReaction[];
  readonly missing: number;
}

/** Messages whose missing reactions are looked for once more: about 300 bytes each. */
const lackingMax = 1_000;
/** Before that: a destination may show a reaction, or a member, late. In ms. */
const waitMs = 5_000;

/** Compares what was done after the messages with what a destination shows of it: reactions while messages are listed, and people. */
export class ActionCheck {
  readonly #reading: Reading;
  /** Whether listings have to show something of what was done. */
  readonly looks: boolean;
  readonly #lacking: Lacking[] = [];
  readonly #reactions = none();
  /** A listing has shown reactions, whosever. */
  #isShowing = false;

  constructor(reading: Reading) {
    const { store, target } = reading;
    this.#reading = reading;
    this.looks = store.actions.hasDoneReactions(target.id);
  }

  /**
   * @param ownMessage Returns the number of the listed message in the store, if Chatferry imported it.
   */
  check(listed: ListedMessage, ownMessage: (listed: ListedMessage) => number | undefined): void {
    if (!this.looks) return;
    this.#isShowing ||= (shownReactions(listed)?.length ?? 0) > 0;
    const { store, target } = this.#reading;
    const message = ownMessage(listed);
    const expected = message === undefined ? [] : store.actions.doneReactions(target.id, message, listed.id);
    if (expected.length === 0) return;
    const missing = this.#compare(expected, listed);
    if (missing === 0) return;
    const { conversationId, id: serverId, sentAt } = listed;
    if (this.#lacking.length < lackingMax)
      this.#lacking.push({ conversationId, serverId, sentAtMs: sentAt * 1000, expected, missing });
    this.#reactions.missing += missing;
  }

  /** @returns How many are missing; the others are counted as the same. */
  #compare(expected: readonly DoneReaction[], listed: ListedMessage): number {
    const shown = new Map(shownReactions(listed)?.map(({ reaction, count }) => [reaction, count]));
    let missing = 0;
    for (const { reaction, count } of expected) {
      const left = reaction === null ? sumOf(shown.values()) : (shown.get(reaction) ?? 0);
      const found = Math.min(left, count);
      if (reaction !== null) shown.set(reaction, left - found);
      this.#reactions.same += found;
      missing += count - found;
    }
    return missing;
  }

  /**
   * When everything was listed: what was not shown is looked for once more, and people are asked for.
   *
   * @param since Only people whom runs after this one deactivated, and groups to which they brought members.
   * @param isWhole Whether groups are looked at.
   * @throws DestinationError if the destination cannot be read.
   */
  async finish(since: number, isWhole: boolean): Promise<VerifyResult['actions']> {
    if (this.#lacking.length > 0 && this.#isShowing) await this.#verifyAgain();
    const reactions = this.#reactions;
    if (!this.#isShowing) {
      reactions.notShown = reactions.missing;
      reactions.missing = 0;
    }
    const deactivations = await this.#lookAtPeople(since);
    const members = isWhole ? await this.#lookAtGroups(since) : none();
    const found = {
      ...(reactions.same + reactions.missing + reactions.notShown > 0 && { reactions }),
      ...(deactivations.same + deactivations.missing > 0 && { deactivations }),
      ...(members.same + members.missing + members.notShown > 0 && { members }),
    };
    return Object.keys(found).length === 0 ? undefined : found;
  }

  async #pause(why: string): Promise<void> {
    const { target, clock, onWait, signal } = this.#reading;
    const ms = Math.min(waitMs, target.profile.graceLongMs);
    if (ms <= 0) return;
    onWait(ms, why);
    await clock.sleep(ms, signal);
  }

  async #verifyAgain(): Promise<void> {
    const { signal } = this.#reading;
    await this.#pause('reactions that were not found may still be shown');
    for (const { expected, missing, ...message } of this.#lacking) {
      const listed = await findListed(message, this.#reading, signal);
      if (!listed) continue;
      // Those that were there before were counted then.
      const { same } = this.#reactions;
      const left = this.#compare(expected, listed);
      this.#reactions.same = same + missing - left;
      this.#reactions.missing -= missing - left;
    }
  }

  /** Checks people. The service answers for a deactivated user as for one that does not exist. */
  async #lookAtPeople(since: number) {
    const counts = none();
    const { store, target, ask, signal } = this.#reading;
    const { client, id } = target;
    for (const uid of store.actions.deactivatedUids(id, since)) {
      const found = await ask((abort) => client.listUserMessages(uid, abort), signal);
      if (found.kind === 'answered') counts.missing++;
      else if (found.why === 'not-found') counts.same++;
      else counts.notShown++;
    }
    return counts;
  }

  /** Counts members of groups: a group may have more than were brought, and not fewer. The specification has no list of them. */
  async #lookAtGroups(since: number) {
    const counts = none();
    const { store, target, ask, signal } = this.#reading;
    const look = async (guid: string) => {
      const found = await ask((abort) => target.client.getGroup(guid, abort), signal);
      if (found.kind === 'answered') return found.value.membersCount;
      return found.why === 'not-found' ? 0 : undefined;
    };
    let hasPaused = false;
    for (const { guid, count } of store.arrivals.arrivedMembers(target.id, since)) {
      let shown = await look(guid);
      if (shown !== undefined && shown < count) {
        if (!hasPaused) await this.#pause('members that are not counted may still be');
        hasPaused = true;
        shown = await look(guid);
      }
      if (shown === undefined) counts.notShown += count;
      else {
        counts.same += Math.min(shown, count);
        counts.missing += Math.max(count - shown, 0);
      }
    }
    return counts;
  }
}

const none = () => ({ same: 0, missing: 0, notShown: 0 });

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, count) => sum + count, 0);
