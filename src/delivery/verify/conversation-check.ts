import type { Store } from '../../store/open.ts';
import type { Difference } from '../../store/checks.ts';
import { muidShape } from '../../mapping/ids.ts';
import type { VerifyCounts } from '../../model/totals.ts';
import type { ListedMessage } from '../../service/outcome.ts';
import { type LaneRowsReader, isBefore, type Lane, type LaneRow } from '../lanes.ts';
import { differingFields, isOwnRemoval, isWrittenSo, keyOf, sentMessage } from '../compare.ts';

/** Findings of a verification: what it meets, misses and finds. All of it is in SQLite, so memory stays flat. */
export type Findings = ReturnType<typeof openFindings>;

/**
 * Forgets what an earlier verification of the same connection met.
 *
 * @param insideOnly Only messages that `chooseInside` wrote down are compared.
 */
export function openFindings(store: Store, destination: number, insideOnly: boolean) {
  return {
    seen: store.checks.openSeen(),
    absent: store.checks.openAbsent(destination, insideOnly),
    receipts: store.checks.openReceipts(destination),
    differences: store.checks.openDifferences(destination),
    isInside: (message: number) => !insideOnly || store.lanes.isInside(message),
    wasRemoved: (conversation: number, uid: string) => store.arrivals.wasRemoved(destination, conversation, uid),
    homeOf: (muid: string) => store.checks.homeOf(destination, muid),
  };
}

type Found = NonNullable<ReturnType<LaneRowsReader['byMuid']>>;

export const noCounts = (): { -readonly [Key in keyof VerifyCounts]: number } => ({
  same: 0,
  missing: 0,
  extra: 0,
  different: 0,
  duplicated: 0,
  foreign: 0,
});

/** Findings in one conversation while its listing is read, a page at a time. */
export class ConversationCheck {
  readonly lane: Lane;
  readonly counts = noCounts();
  listedCount = 0;
  readonly #findings: Findings;
  readonly #rows: LaneRowsReader;
  /** The message before, of those that say something about the order. */
  #previous: { readonly cursor: Lane['cursor']; readonly serverId: string } | undefined;
  #mayBeDisordered = false;

  constructor(lane: Lane, findings: Findings, rows: LaneRowsReader) {
    this.lane = lane;
    this.#findings = findings;
    this.#rows = rows;
  }

  compare(listed: ListedMessage): void {
    this.listedCount++;
    const found = this.#find(listed);
    if (found) this.#inStore(found, listed);
    else this.#notInStore(listed);
  }

  /** Compares a row again. A row found in a second look belongs somewhere in between: only all rows together show the order. */
  compareAgain(listed: ListedMessage): void {
    this.#mayBeDisordered = true;
    this.#previous = undefined;
    this.compare(listed);
  }

  /** Whether this row is the message of that number: a second look takes only what it is looking for. */
  ownMessage(listed: ListedMessage): number | undefined {
    return this.#find(listed)?.row.seq;
  }

  /**
   * Returns whether every expected message was found once, as it was sent and in order, and no other message of
   * Chatferry's. Call it when everything has been read.
   */
  isWhole(): boolean {
    const { different, duplicated, extra } = this.counts;
    if (this.#mayBeDisordered || different + duplicated + extra > 0) return false;
    return this.#findings.absent.note(this.lane.conversation) === 0;
  }

  /** As if nothing of it had been read. */
  forget(): void {
    const { conversation } = this.lane;
    const { seen, absent, receipts, differences } = this.#findings;
    for (const found of [seen, absent, receipts]) found.forget(conversation);
    differences.clearConversation(conversation);
  }

  /** Records missing messages and messages in the wrong position. Call it when everything has been read. */
  finish(): void {
    const { conversation } = this.lane;
    const { seen, absent, receipts, differences } = this.#findings;
    this.counts.missing = absent.count(conversation);
    if (this.counts.missing > 0) differences.addMissing(conversation, 'sent, and not there any more');
    if (this.#mayBeDisordered) this.#judgeOrder();
    seen.forget(conversation);
    absent.forget(conversation);
    receipts.forget(conversation);
  }

  #judgeOrder(): void {
    const { conversation } = this.lane;
    const { seen, differences } = this.#findings;
    for (const message of outOfOrder(seen.inSourceOrder(conversation))) {
      if (!differences.addField(message, conversation, 'order')) continue;
      this.counts.same--;
      this.counts.different++;
    }
  }

  /** Finds the row by muid, then by our key. If the listing shows neither, uses the server id of its receipt. */
  #find(listed: ListedMessage): Found | undefined {
    const muid = keyOf(listed) ?? this.#findings.receipts.muidOf(this.lane.conversation, listed.id);
    return muid === undefined ? undefined : this.#rows.byMuid(this.lane, muid);
  }

  #inStore({ row, delivery }: Found, listed: ListedMessage): void {
    const { muid, seq } = row;
    if (!this.#findings.isInside(seq)) return;
    const { id } = listed;
    const isAtDestination = delivery === 'imported' || delivery === 'existing' || delivery === 'sent';
    const isOrdered = isAtDestination && !row.isLate;
    const place = { conversation: this.lane.conversation, message: seq, serverId: id, place: this.listedCount };
    const seen = this.#findings.seen.add({ ...place, isOrdered });
    if (seen === 'copy') this.#note('duplicated', muid, seq, `again as server id ${id}`);
    if (seen !== 'first') return;
    if (isOrdered) this.#lookAtOrder(row, id);

    const fields = isWrittenSo(row, listed) ? [] : differingFields(sentMessage(muid, row.wire), listed);
    if (!isAtDestination && (delivery !== 'failed' || fields.length === 0))
      this.#note('extra', muid, seq, `there as server id ${id}, though the store says ${delivery ?? 'pending'}`);
    else if (fields.length > 0) this.#note('different', muid, seq, `differs in ${fields.join(', ')}`);
    else this.counts.same++;
  }

  /** Counts a message that is not in the store: as extra if its muid has Chatferry's form, otherwise as foreign. */
  #notInStore(listed: ListedMessage): void {
    const key = keyOf(listed);
    if (key === undefined || !muidShape.test(key)) {
      const { conversation } = this.lane;
      if (!isOwnRemoval(listed, (uid) => this.#findings.wasRemoved(conversation, uid))) this.counts.foreign++;
      return;
    }
    const home = this.#findings.homeOf(key);
    const where = home === undefined ? 'not in the store' : 'belongs to another conversation in the store';
    this.#note('extra', key, null, `${where}; there as server id ${listed.id}`);
  }

  /** Cheap: in a listing in order, by id or by time, both the source's order and the ids ascend from row to row. */
  #lookAtOrder(row: LaneRow, serverId: string): void {
    const before = this.#previous;
    if (before && (isBefore(row, before.cursor) || isLowerId(serverId, before.serverId))) this.#mayBeDisordered = true;
    this.#previous = { cursor: [row.sentAtMs, row.sortKey, row.seq], serverId };
  }

  #note(kind: Difference['kind'], muid: string, message: number | null, detail: string): void {
    this.counts[kind]++;
    this.#findings.differences.add({ kind, muid, conversation: this.lane.conversation, message, detail });
  }
}

/** Ids that are no numbers say nothing. */
function isLowerId(id: string, than: string): boolean {
  if (!/^\d+$/.test(id) || !/^\d+$/.test(than)) return false;
  return id.length === than.length ? id < than : id.length < than.length;
}

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
