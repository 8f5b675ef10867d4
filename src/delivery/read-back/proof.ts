import { DestinationError } from '../../lib/errors.ts';
import type { LaneRow } from '../lanes.ts';
import type { SendingSession } from '../session.ts';
import { keyOf } from '../compare.ts';
import { conversationIds, readConversation, windowAround } from '../read-back.ts';
import { patienceMinMs } from '../pace/limits.ts';

/** By what a destination lets us recognise a message that it lists: our key (or muid), only its own id, or nothing. */
export type ShownBy = 'key' | 'id' | 'nothing';

/**
 * Whether what was sent can be read back. Everything that is done about a lost answer rests on it, so it is proved before
 * the second batch of a run leaves: by a message that was just confirmed, unless a read has shown one of ours anyway.
 */
export class ReadBackProof {
  readonly #line: SendingSession;
  readonly #known: ShownBy | undefined;
  readonly #onLearn: (shownBy: ShownBy) => void;
  #shownBy: ShownBy | undefined;

  /**
   * @param known What earlier runs saw there.
   * @param onLearn Called once with everything new, so that the next run knows it.
   */
  constructor(
    session: SendingSession,
    { known, onLearn }: { readonly known: ShownBy | undefined; readonly onLearn: (shownBy: ShownBy) => void },
  ) {
    this.#line = session;
    this.#known = known;
    this.#onLearn = onLearn;
    // If the destination does not refuse duplicates, the run begins by checking whether it lists messages by now.
    const isUseless = known === 'nothing' && session.target.profile.duplicates === 'unknown';
    this.#shownBy = isUseless ? undefined : known;
  }

  /** Whether read-back is wanted. If not, nothing is ever read back there, and unanswered messages stay unconfirmed. */
  get #isWanted(): boolean {
    return this.#line.target.profile.readBack ?? true;
  }

  /** Nothing has shown yet that messages can be read back: one batch at a time. */
  get isNeeded(): boolean {
    return this.#isWanted && this.#shownBy === undefined;
  }

  /** Whether reading back gives any information. */
  get reads(): boolean {
    return this.#isWanted && this.#shownBy !== 'nothing';
  }

  /**
   * Whether a message that is not found is absent. If only ids are shown, a message without a receipt would never be
   * found. If an earlier run found nothing, this run has to see something first. At a new destination, the first
   * request may remain unanswered; its messages are looked up as anywhere else.
   */
  get tellsAbsence(): boolean {
    return this.reads && this.#shownBy !== 'id' && !this.isUnseenAsBefore;
  }

  /**
   * Whether messages of a request that was refused as a whole are looked up before they are sent again: they may be
   * stored nevertheless. False if duplicates are refused, or if reading back gives no information: then the answer is
   * believed.
   */
  get readsBackFirst(): boolean {
    return this.tellsAbsence && this.#line.target.profile.duplicates !== 'refused';
  }

  /** A message that was not found may be sent again: it is not there, or would be refused. */
  get allowsAgain(): boolean {
    return this.tellsAbsence || this.#line.target.profile.duplicates === 'refused';
  }

  /** An earlier run stopped because nothing is listed there, and this one has seen nothing either. */
  get isUnseenAsBefore(): boolean {
    return this.isNeeded && this.#known === 'nothing';
  }

  /** Why such a run cannot go on. */
  notListed(): DestinationError {
    return notListed(`${this.#line.target.name} lists none of the messages that it has confirmed`);
  }

  /** A read has shown a message of ours. */
  note(shownBy: 'key' | 'id'): void {
    if (this.#shownBy === 'key' || this.#shownBy === shownBy) return;
    this.#shownBy = shownBy;
    this.#onLearn(shownBy);
  }

  /**
   * Looks for a message that the destination has just confirmed: at once, and then again until the grace is over.
   *
   * @param serverId from its receipt.
   * @throws DestinationError if it is not listed, and duplicates are not refused there: the choice is the user's.
   */
  async prove(row: LaneRow, serverId: string | undefined): Promise<void> {
    const { clock, onWait, pausing, target } = this.#line;
    const { duplicates, graceLongMs } = target.profile;
    const patienceMs = duplicates === 'refused' ? patienceMinMs : Math.max(graceLongMs, patienceMinMs);
    const endsAt = clock.monotonic() + patienceMs;
    for (let waitMs = 1000; ; waitMs *= 2) {
      const shownBy = await this.#look(row, serverId);
      if (shownBy) return this.note(shownBy);
      const leftMs = endsAt - clock.monotonic();
      if (leftMs <= 0) break;
      onWait(Math.min(waitMs, leftMs), 'the destination does not list a confirmed message yet');
      await clock.sleep(Math.min(waitMs, leftMs), pausing);
    }
    this.#shownBy = 'nothing';
    this.#onLearn('nothing');
    if (duplicates === 'refused') return;
    const which = `${row.muid}${serverId === undefined ? '' : `, there ${serverId}`}`;
    throw notListed(`${target.name} does not list a message that it has confirmed (${which})`);
  }

  async #look(row: LaneRow, serverId: string | undefined): Promise<'key' | 'id' | undefined> {
    const { readPage, signal } = this.#line;
    const window = windowAround(row.sentAtMs);
    let shownBy: 'id' | undefined;
    for (const conversationId of conversationIds(row.lane)) {
      for await (const page of readConversation(readPage, { conversationId, ...window }, signal)) {
        if (page.some((listed) => keyOf(listed) === row.muid)) return 'key';
        if (page.some(({ id }) => id === serverId)) shownBy = 'id';
      }
    }
    return shownBy;
  }
}

const whatToDo =
  'If the answer to a message is lost, it cannot be looked up there. If the destination refuses a message id that it has, pass ' +
  '--duplicates refused: such messages are then sent again. If not, or if you do not know, pass --no-read-back: they stay ' +
  'unconfirmed, and are never sent twice';

const notListed = (what: string) => new DestinationError(`Stopped: ${what}`, { code: 'not-listed', hint: whatToDo });
