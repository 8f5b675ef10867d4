import type { Store } from '../../store/open.ts';
import type { Lane, LaneRow } from '../lanes.ts';
import type { Target } from '../target.ts';

/** The answer about a message of a person who is no member of the group. */
const notJoined = 'ERR_GROUP_NOT_JOINED';

/**
 * People who wrote in groups of which they are no members. If members are imported, the service may refuse their messages: then their
 * conversation waits for a decision. In a request nothing follows the first message of such a person, so that nothing overtakes it.
 */
export class Outsiders {
  readonly #arrivals: Store['arrivals'];
  readonly #destination: number;
  readonly #isImporting: boolean;
  readonly #hasUndecided: boolean;
  /** By lane, whether a message of each author may be refused. A lane that is done is forgotten. */
  readonly #mayBeRefused = new WeakMap<Lane, Map<number, boolean>>();

  constructor({ arrivals }: Pick<Store, 'arrivals'>, { id, profile }: Pick<Target, 'id' | 'profile'>) {
    this.#arrivals = arrivals;
    this.#destination = id;
    this.#isImporting = profile.people === 'import';
    this.#hasUndecided = this.#isImporting && arrivals.countAsked().undecided > 0;
  }

  /** Rows of a lane up to the first that may be refused. */
  upToFirst(lane: Lane, rows: LaneRow[]): LaneRow[] {
    if (!this.#hasUndecided || lane.receiverType !== 'group') return rows;
    const first = rows.findIndex((row) => this.#authorsOf(row).get(row.sender.id));
    return first === -1 ? rows : rows.slice(0, first + 1);
  }

  noteTaken(row: LaneRow): void {
    this.#mayBeRefused.get(row.lane)?.set(row.sender.id, false);
  }

  /** Whether a message that is refused so waits, and what follows in its conversation with it. */
  async waits({ lane, sender }: LaneRow, code: string): Promise<boolean> {
    if (code !== notJoined || !this.#isImporting || lane.receiverType !== 'group') return false;
    const membership = this.#arrivals.membership(this.#destination, lane.conversation, sender.id);
    // The next run makes them a member again.
    if (membership === 'temporary') await this.#arrivals.noteGone(this.#destination, lane.conversation, sender.id);
    return membership === 'temporary' || membership === 'undecided';
  }

  #authorsOf({ lane, sender }: LaneRow): Map<number, boolean> {
    const authors = this.#mayBeRefused.get(lane) ?? new Map<number, boolean>();
    this.#mayBeRefused.set(lane, authors);
    if (!authors.has(sender.id)) {
      const membership = this.#arrivals.membership(this.#destination, lane.conversation, sender.id);
      authors.set(sender.id, membership === 'undecided');
    }
    return authors;
  }
}
