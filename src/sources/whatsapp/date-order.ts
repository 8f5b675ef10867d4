import { type DateOrder, type Head, localTime } from './format.ts';

/** How dates are read, and whether anything says so. */
export interface DateDecision {
  readonly order: DateOrder;
  /** Days and months cannot be distinguished: the user has to decide. */
  readonly isAssumed: boolean;
}

const dayMs = 86_400_000;

/**
 * Evidence for which number of a file's dates is the day. It is taken in order of its worth:
 *
 * 1. the way dates are written: a year of four digits in front, dots and hyphens (no one writes `12.24.2023`), Chinese
 * and similar languages;
 * 2. dates that exist: `24/12/23` has no 24th month; the reading under which fewer lines are not a date;
 * 3. time moves forward: the reading under which fewer lines step back by more than a day;
 * 4. a number that has three or more values while the other has one: people do not write on the 11th of each month
 * alone.
 *
 * Otherwise days come first, as nearly everywhere, and `isAssumed` is set. Memory: some numbers.
 */
export class DateEvidence {
  readonly #readings: readonly Reading[] = (['day-first', 'month-first', 'year-first'] as const).map(
    (order) => new Reading(order),
  );
  /** Values that the first and the second number have, a bit each. */
  #values: [number, number] = [0, 0];
  #candidates: readonly DateOrder[] = [];
  #isEastern = false;
  #hasDifference = false;

  add(head: Head): void {
    const [a, b] = head.date;
    this.#candidates = possibleOrders(head);
    this.#isEastern = head.dateShape.isEastern;
    this.#hasDifference ||= a !== b;
    this.#values = [this.#values[0] | (1 << Math.min(a, 31)), this.#values[1] | (1 << Math.min(b, 31))];
    for (const reading of this.#readings) reading.add(head);
  }

  /** Whether further lines can change nothing: many lines are no dates under every reading but one. */
  get isClear(): boolean {
    const counts = this.#possible().map(({ impossible }) => impossible);
    return counts.filter((count) => count === 0).length === 1 && counts.every((count) => count === 0 || count >= 20);
  }

  decide(): DateDecision {
    const possible = fewest(this.#possible(), ({ impossible }) => impossible);
    const steady = fewest(possible, ({ stepsBack }) => stepsBack);
    const [first] = steady;
    if (steady.length === 1 || !this.#hasDifference) return { order: first!.order, isAssumed: false };
    const [a, b] = this.#values.map(bitCount) as [number, number];
    if (a >= 3 && b === 1) return { order: 'day-first', isAssumed: false };
    if (b >= 3 && a === 1) return { order: 'month-first', isAssumed: false };
    return { order: first!.order, isAssumed: true };
  }

  /** Returns the possible readings. Years of two digits in front are rare outside East Asia: they count only if nothing else fits. */
  #possible(): readonly Reading[] {
    const possible = this.#readings.filter(({ order }) => this.#candidates.includes(order));
    const others = possible.filter(({ order }) => (order === 'year-first') === this.#isEastern);
    const least = Math.min(...possible.map(({ impossible }) => impossible));
    return others.some(({ impossible }) => impossible === least) ? others : possible;
  }
}

/** Orders that the way of writing a date allows. */
export function possibleOrders({ dateShape: { year, isSlashed, isEastern } }: Head): readonly DateOrder[] {
  if (year === 'first') return ['year-first'];
  if (year === 'short' && isEastern) return ['day-first', 'year-first'];
  if (!isSlashed) return year === 'last' ? ['day-first'] : ['day-first', 'year-first'];
  return year === 'last' ? ['day-first', 'month-first'] : ['day-first', 'month-first', 'year-first'];
}

/** Evidence against one way of reading the dates. */
class Reading {
  readonly order: DateOrder;
  impossible = 0;
  stepsBack = 0;
  #lastMs = -Infinity;

  constructor(order: DateOrder) {
    this.order = order;
  }

  add(head: Head): void {
    const localMs = localTime(head, this.order);
    if (localMs === undefined) {
      this.impossible += 1;
      return;
    }
    if (localMs < this.#lastMs - dayMs) this.stepsBack += 1;
    this.#lastMs = localMs;
  }
}

function fewest(readings: readonly Reading[], countOf: (reading: Reading) => number): readonly Reading[] {
  const least = Math.min(...readings.map(countOf));
  return readings.filter((reading) => countOf(reading) === least);
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits >>> 0; rest > 0; rest >>>= 1) count += rest & 1;
  return count;
}
