import type { Clock } from '../../lib/clock.ts';
import { DestinationError } from '../../lib/errors.ts';
import { keyOf } from './compare.ts';
import type { LaneRow } from '../lanes/lanes.ts';
import { conversationIds, readConversation, type ReadPage } from './read-back.ts';

/** By what a destination lets us recognise a message that it lists: our key (or muid), only its own id, or nothing. */
export type ShownBy = 'key' | 'id' | 'nothing';

export interface ReadBackProofOptions {
  /** What earlier runs saw there. */
  readonly known: ShownBy | undefined;
  /** Not wanted: nothing is ever read back there, and what nobody answered stays in doubt. */
  readonly isWanted: boolean;
  readonly duplicates: 'unknown' | 'refused';
  /** As a person would say it. */
  readonly destination: string;
  readonly readPage: ReadPage;
  /** How long a message may take until it is listed. */
  readonly graceMs: number;
  readonly clock: Clock;
  readonly onWait: (ms: number, why: string) => void;
  /** Told once for everything new: the next run knows it. */
  readonly onLearn: (shownBy: ShownBy) => void;
  /** Aborted: no wait is worth its end any more. */
  readonly pausing: AbortSignal;
}

/** A message with a receipt is looked for at least so long, whatever the grace is. */
const patienceMinMs = 10_000;

/**
 * Whether what was sent can be read back. Everything that is done about a lost answer rests on it, so it is proved before
 * the second batch of a run leaves: by a message that was just confirmed, unless a read has shown one of ours anyway.
 */
export class ReadBackProof {
  readonly #options: ReadBackProofOptions;
  #shownBy: ShownBy | undefined;

  constructor(options: ReadBackProofOptions) {
    this.#options = options;
    // Where the destination does not refuse duplicates, the run begins by looking whether it lists messages by now.
    const isUseless = options.known === 'nothing' && options.duplicates === 'unknown';
    this.#shownBy = isUseless ? undefined : options.known;
  }

  /** Nothing has shown yet that messages can be read back: one batch at a time. */
  get isNeeded(): boolean {
    return this.#options.isWanted && this.#shownBy === undefined;
  }

  /** Reading back tells something. */
  get reads(): boolean {
    return this.#options.isWanted && this.#shownBy !== 'nothing';
  }

  /**
   * A message that is not found is not there. Where only ids are shown, one without a receipt would never be found; where an
   * earlier run found nothing, this one has to see something first. At a destination that is new, the first request may be
   * one without an answer: it is looked for as everywhere else.
   */
  get tellsAbsence(): boolean {
    return this.reads && this.#shownBy !== 'id' && !this.isUnseenAsBefore;
  }

  /** An earlier run stopped because nothing is listed there, and this one has seen nothing either. */
  get isUnseenAsBefore(): boolean {
    return this.isNeeded && this.#options.known === 'nothing';
  }

  /** Why such a run cannot go on. */
  notListed(): DestinationError {
    return notListed(`${this.#options.destination} lists none of the messages that it has confirmed`);
  }

  /** A read has shown a message of ours. */
  note(shownBy: 'key' | 'id'): void {
    if (this.#shownBy === 'key' || this.#shownBy === shownBy) return;
    this.#shownBy = shownBy;
    this.#options.onLearn(shownBy);
  }

  /**
   * Looks for a message that the destination has just confirmed: at once, and then again until the grace is over.
   *
   * @param serverId from its receipt.
   * @throws DestinationError if it is not listed, and duplicates are not refused there: the choice is the user's.
   */
  async prove(row: LaneRow, serverId: string | undefined, signal: AbortSignal): Promise<void> {
    const { clock, graceMs, onWait, onLearn, duplicates, pausing, destination } = this.#options;
    const endsAt = clock.monotonic() + Math.max(graceMs, patienceMinMs);
    for (let waitMs = 1000; ; waitMs *= 2) {
      const shownBy = await this.#look(row, serverId, signal);
      if (shownBy) return this.note(shownBy);
      const leftMs = endsAt - clock.monotonic();
      if (leftMs <= 0) break;
      onWait(Math.min(waitMs, leftMs), 'the destination does not list yet what it has confirmed');
      await clock.sleep(Math.min(waitMs, leftMs), pausing);
    }
    this.#shownBy = 'nothing';
    onLearn('nothing');
    if (duplicates === 'refused') return;
    const which = `${row.muid}${serverId === undefined ? '' : `, there ${serverId}`}`;
    throw notListed(`${destination} does not list a message that it has confirmed (${which})`);
  }

  async #look(row: LaneRow, serverId: string | undefined, signal: AbortSignal): Promise<'key' | 'id' | undefined> {
    const second = Math.floor(row.sentAtMs / 1000);
    // One second of room on both sides: whether the bounds are inclusive is not specified.
    const window = { fromTimestamp: second - 1, toTimestamp: second + 1 };
    let shownBy: 'id' | undefined;
    for (const conversationId of conversationIds(row.lane)) {
      for await (const page of readConversation(this.#options.readPage, { conversationId, ...window }, signal)) {
        if (page.some((listed) => keyOf(listed) === row.muid)) return 'key';
        if (page.some(({ id }) => id === serverId)) shownBy = 'id';
      }
    }
    return shownBy;
  }
}

const whatToDo =
  'A message whose answer is lost could not be looked for there. If the destination refuses a message id that it has, pass ' +
  '--duplicates refused: such messages are then sent again. If not, or if you do not know, pass --no-read-back: they stay ' +
  'in doubt, and are never sent twice';

const notListed = (what: string) => new DestinationError(`Stopped: ${what}`, { code: 'not-listed', hint: whatToDo });
