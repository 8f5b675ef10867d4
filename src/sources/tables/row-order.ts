/** Fields of a message that show the order of rows. */
interface OrderedRow {
  id: string | undefined;
  atMs: number;
  /** The part of the time below a millisecond. */
  nanoseconds: number;
}

/** Neighbours of which the later row is later, or earlier. */
interface Directions {
  rising: number;
  falling: number;
}

export type Order = 'oldest-first' | 'newest-first';

/** Conversations whose last row is remembered. */
const conversationsMax = 1000;

/** The least share of neighbours that must be in one order. */
const shareMin = 0.9;

/** Order of the rows of a file, by neighbours in the same conversation: their times and, if these are equal, ids that end with a number. */
export class RowOrder {
  readonly #last = new Map<string, OrderedRow>();
  readonly times: Directions = { rising: 0, falling: 0 };
  /** Ids of neighbours of one time. */
  readonly ids: Directions = { rising: 0, falling: 0 };
  /** Neighbours of one time: only of these the order of the rows decides. */
  ties = 0;

  note(conversation: string, id: string | undefined, { atMs, nanoseconds }: Omit<OrderedRow, 'id'>): void {
    const last = this.#last.get(conversation);
    if (!last) {
      if (this.#last.size >= conversationsMax) this.#last.clear();
      this.#last.set(conversation, { id, atMs, nanoseconds });
      return;
    }
    const step = atMs - last.atMs || nanoseconds - last.nanoseconds;
    if (step === 0) {
      this.ties += 1;
      count(this.ids, idStep(last.id, id));
    } else count(this.times, step);
    last.id = id;
    last.atMs = atMs;
    last.nanoseconds = nanoseconds;
  }

  /** Undefined if the rows show neither order. */
  get order(): Order | undefined {
    return chooseOrder(this.ids) ?? (this.ids.rising + this.ids.falling > 0 ? undefined : chooseOrder(this.times));
  }
}

function count(directions: Directions, step: number): void {
  if (step > 0) directions.rising += 1;
  if (step < 0) directions.falling += 1;
}

function chooseOrder({ rising, falling }: Directions): Order | undefined {
  const least = (rising + falling) * shareMin;
  if (rising + falling === 0) return undefined;
  return rising >= least ? 'oldest-first' : falling >= least ? 'newest-first' : undefined;
}

/** Returns a number above 0 if the second id is the later one, and 0 if the order is unknown. */
function idStep(one = '', other = ''): number {
  const [first, second] = [one, other].map((id) => /^(\D*)0*(\d{1,30})$/.exec(id));
  if (!first || !second || first[1] !== second[1]) return 0;
  return Number(BigInt(second[2]!) - BigInt(first[2]!));
}
