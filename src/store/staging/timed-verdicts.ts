import type { Database } from 'better-sqlite3';
import type { StagedRow } from '../../model/staged-item.ts';

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
 * Returns files with rows whose verdict has changed: an unsent row that must no longer be taken, or a row that was left
 * out for its time and must now be taken. Sent messages stay as they are. Each conversation is queried only for the
 * times on which the two ranges differ.
 *
 * @param before The times that the staged verdicts are based on; if they are unknown, leave it out: then every row is
 *   checked.
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

/** Returns the part of some times that is outside of others. */
function without({ fromMs, toMs }: TakenTimes, others: TakenTimes): TakenTimes[] {
  const before = { fromMs, toMs: Math.min(toMs, others.fromMs - 1) };
  const behind = { fromMs: Math.max(fromMs, others.toMs + 1), toMs };
  return others.fromMs > others.toMs ? [{ fromMs, toMs }] : [before, behind].filter((rest) => rest.fromMs <= rest.toMs);
}
