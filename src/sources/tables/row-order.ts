/** A message, as far as it says in which order rows stand. */
interface OrderedRow {
  readonly conversation: string;
  readonly id: string | undefined;
  readonly atMs: number;
  /** What is finer than the millisecond. */
  readonly nanoseconds: number;
}

/** Neighbours of which the later row is later, or earlier. */
interface Directions {
  rising: number;
  falling: number;
}

export type Order = 'oldest-first' | 'newest-first';

/** Conversations whose last row is remembered. */
const conversationsMax = 1000;

/** The least share of neighbours that must stand in one order. */
const shareMin = 0.9;

/**
 * In which order the rows of a file stand, by neighbours in the same conversation: their times, and where these are the same, ids that
 * end with a number.
 */
export class RowOrder {
  readonly #last = new Map<string, OrderedRow>();
  readonly times: Directions = { rising: 0, falling: 0 };
  /** Ids of neighbours of one time. */
  readonly ids: Directions = { rising: 0, falling: 0 };
  /** Neighbours of one time: only of these the order of the rows decides. */
  ties = 0;

  note(row: OrderedRow): void {
    const before = this.#last.get(row.conversation);
    if (!before && this.#last.size >= conversationsMax) this.#last.clear();
    this.#last.set(row.conversation, row);
    if (!before) return;
    const step = row.atMs - before.atMs || row.nanoseconds - before.nanoseconds;
    if (step === 0) {
      this.ties += 1;
      count(this.ids, idStep(before.id, row.id));
    } else count(this.times, step);
  }

  /** Undefined where the rows say neither. */
  get order(): Order | undefined {
    return orderOf(this.ids) ?? (this.ids.rising + this.ids.falling > 0 ? undefined : orderOf(this.times));
  }
}

function count(directions: Directions, step: number): void {
  if (step > 0) directions.rising += 1;
  if (step < 0) directions.falling += 1;
}

function orderOf({ rising, falling }: Directions): Order | undefined {
  const least = (rising + falling) * shareMin;
  if (rising + falling === 0) return undefined;
  return rising >= least ? 'oldest-first' : falling >= least ? 'newest-first' : undefined;
}

/** Above 0 where the second id is the later one; 0 where nobody can say. */
function idStep(one = '', other = ''): number {
  const [first, second] = [one, other].map((id) => /^(\D*)0*(\d{1,30})$/.exec(id));
  if (!first || !second || first[1] !== second[1]) return 0;
  return Number(BigInt(second[2]!) - BigInt(first[2]!));
}
