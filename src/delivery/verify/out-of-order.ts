/** A message in the order of the source, with its rank in the order of arrival. Ranks are 1 to n, each once. */
export interface Ranked {
  readonly message: number;
  readonly rank: number;
}

/** Held in memory at most, about 40 bytes each: a longer stretch of disorder is judged in parts. */
const stretchMax = 500_000;

/**
 * Yields the fewest messages without which all others are in order. When one message was moved, yields that one, and
 * not everything that it was moved past.
 *
 * If the first k of the source are the first k to arrive, nothing after them can affect them. So only stretches between
 * two such positions are held.
 */
export function* outOfOrder(rows: Iterable<Ranked>): Generator<number> {
  let count = 0;
  let maxRank = 0;
  /** Ranks that earlier parts of the same stretch have kept are below this. */
  let floor = 0;
  let stretch: Ranked[] = [];
  for (const row of rows) {
    count++;
    maxRank = Math.max(maxRank, row.rank);
    if (row.rank < floor) yield row.message;
    else stretch.push(row);
    const isClosed = maxRank === count;
    if (!isClosed && stretch.length < stretchMax) continue;
    floor = yield* judge(stretch);
    stretch = [];
  }
}

/**
 * @returns The highest rank among those that are in order.
 */
function* judge(stretch: readonly Ranked[]): Generator<number, number> {
  const kept = longestAscending(stretch);
  for (const [index, { message }] of stretch.entries()) if (!kept.has(index)) yield message;
  return stretch.findLast((_, index) => kept.has(index))?.rank ?? 0;
}

/** Indexes of a longest ascending subsequence, by patience sorting: n log n. */
function longestAscending(stretch: readonly Ranked[]): Set<number> {
  /** By length - 1: the index of the lowest rank with which an ascending run of that length can end. */
  const tails: number[] = [];
  const before = new Int32Array(stretch.length);
  for (const [index, { rank }] of stretch.entries()) {
    const length = firstNotBelow(tails, stretch, rank);
    before[index] = length > 0 ? tails[length - 1]! : -1;
    tails[length] = index;
  }
  const kept = new Set<number>();
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]!) kept.add(index);
  return kept;
}

function firstNotBelow(tails: readonly number[], stretch: readonly Ranked[], rank: number): number {
  let low = 0;
  let high = tails.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretch[tails[middle]!]!.rank < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}
