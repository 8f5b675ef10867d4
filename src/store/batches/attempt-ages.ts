import type { Database } from 'better-sqlite3';
import { systemClock } from '../../lib/flow/clock.ts';

/**
 * In a copy for other machines: in place of when a request that is unconfirmed left by this machine's clocks, how long ago that was, as a
 * negative number. A restored store begins with it: a unit that goes from machine to machine would else wait for the same grace again and again.
 * Actions have stamps of the wall clock alone.
 */
export function stampAges(db: Database, { uptimeMs, nowMs } = clocksNow()): void {
  db.prepare(`UPDATE attempt SET started_uptime = started_uptime - ? WHERE ${isOpenAttempt}`).run(Math.floor(uptimeMs));
  db.prepare(`UPDATE action_delivery SET sent_at = min(sent_at - ?, 0) WHERE state = 'sent'`).run(Math.floor(nowMs));
}

const clocksNow = () => ({ uptimeMs: systemClock.uptime(), nowMs: systemClock.now() });

/**
 * Ages the unconfirmed deliveries of a store that was restored from another machine's copy: when the copy was made they
 * had the age that it records, and they have grown older since. Timestamps of that machine's clocks mean nothing here.
 *
 * @param agoMs Time since the copy was made, at least.
 */
export function ageOpenAttempts(db: Database, agoMs: number, nowMs: number, uptimeMs = systemClock.uptime()): void {
  const [at, uptime] = [Math.ceil(nowMs - agoMs), Math.ceil(uptimeMs - agoMs)];
  db.transaction(() => {
    db.prepare(
      `UPDATE attempt SET started_at = @at + min(coalesce(started_uptime, 0), 0), started_uptime = @uptime + min(coalesce(started_uptime, 0), 0)
       WHERE ${isOpenAttempt}`,
    ).run({ at, uptime });
    db.prepare(`UPDATE action_delivery SET sent_at = ? + min(sent_at, 0) WHERE state = 'sent'`).run(at);
  })();
}

const isOpenAttempt = `batch IN (SELECT id FROM batch WHERE state = 'open' AND destination IN (SELECT id FROM destination))`;
