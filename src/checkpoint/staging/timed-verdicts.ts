import type { Database } from 'better-sqlite3';
import type { StagedRow } from './staged-item.ts';

/** Why a message is left out for its time alone, as rules and codes call it: at another time it may be taken, or be the first to be left out. */
const timeReasons = ['too-old', 'time-out-of-range', 'older than olderThan', 'older-than'] as const;

const reasons: ReadonlySet<string | null> = new Set(timeReasons);

export const isLeftOutByTime = ({ verdict, reason }: Pick<StagedRow, 'verdict' | 'reason'>): boolean =>
  verdict !== 'planned' && reasons.has(reason);

/** Messages of these times are taken, in epoch ms, both ends included. It moves with the clock. */
export interface TakenTimes {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whether nothing of a message `m` was ever sent. */
const isUnsent = `NOT EXISTS (SELECT 1 FROM destination CROSS JOIN delivery d ON d.destination = destination.id
  AND d.message = m.seq AND d.state <> 'pending')`;
const inRange = `CROSS JOIN message m ON m.conversation = c.id AND m.sent_at >= @fromMs AND m.sent_at <= @toMs`;

/**
 * Files with rows whose verdict is another by now: nothing was sent of one that is not to be taken any more, or one was left out for its
 * time and is to be taken. What was sent stays as it is. Each conversation is asked for those times alone about which the two differ.
 *
 * @param before What the staged verdicts go by; absent where that is not known: then every row is asked for.
 */
export function filesJudgedOtherwise(db: Database, now: TakenTimes, before: TakenTimes | undefined): number[] {
  const tooMany = db.prepare<TakenTimes, number>(
    `SELECT DISTINCT m.file FROM conversation c ${inRange} AND m.verdict = 'planned'
     WHERE m.vanished = 0 AND m.follows IS NULL AND ${isUnsent}`,
  );
  const tooFew = db.prepare<TakenTimes, number>(
    `SELECT DISTINCT m.file FROM conversation c ${inRange} AND m.verdict IN ('skipped', 'invalid')
     WHERE m.reason IN (${timeReasons.map((reason) => `'${reason}'`).join()})`,
  );
  return [
    ...without(before ?? always, now).flatMap((times) => tooMany.pluck().all(times)),
    ...without(now, before ?? never).flatMap((times) => tooFew.pluck().all(times)),
  ];
}

const always: TakenTimes = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };
const never: TakenTimes = { fromMs: always.toMs, toMs: always.fromMs };

/** What of some times lies outside of others. */
function without({ fromMs, toMs }: TakenTimes, others: TakenTimes): TakenTimes[] {
  const before = { fromMs, toMs: Math.min(toMs, others.fromMs - 1) };
  const behind = { fromMs: Math.max(fromMs, others.toMs + 1), toMs };
  return others.fromMs > others.toMs ? [{ fromMs, toMs }] : [before, behind].filter((rest) => rest.fromMs <= rest.toMs);
}
