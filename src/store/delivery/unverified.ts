import type { Database } from 'better-sqlite3';
import { touchedSince, unsettled } from '../base/delivery-sql.ts';

/** A verification, of an import or a command, that was about everything it could be about: its run is `r`. */
const isWhole = `r.destination = ? AND r.verify IS NOT NULL
  AND json_extract(r.verify, '$.only') IS NULL AND json_extract(r.verify, '$.sample') IS NULL`;

/** It found everything that was done after the messages. */
const hasActions = `NOT EXISTS (SELECT 1 FROM json_each(r.verify, '$.actions') k WHERE json_extract(k.value, '$.missing') > 0)`;

/** It found no difference at all. */
const isClean = `${hasActions} AND json_extract(r.verify, '$.missing') + json_extract(r.verify, '$.extra')
  + json_extract(r.verify, '$.different') + json_extract(r.verify, '$.duplicated') = 0`;

const latest = (db: Database, destination: number, where: string): number =>
  db.prepare<[number], number>(`SELECT coalesce(max(r.id), 0) FROM run r WHERE ${where}`).pluck().get(destination)!;

/**
 * The latest run that read back what is at a destination, or 0: what was sent before it is compared already. Conversations in
 * which it found something are read again in any case (`unsettled`); actions that were missing are looked for from before it.
 */
export const lastVerifiedRun = (db: Database, destination: number): number =>
  latest(db, destination, `${isWhole} AND ${hasActions}`);

/** Whether something is to be read back: sent or done by runs after this one, or found to differ. @param run Default: the last verified one. */
export function isToVerify(db: Database, destination: number, run = lastVerifiedRun(db, destination)): boolean {
  const asks = [
    db.prepare('SELECT 1 FROM batch WHERE destination = ? AND run > ? LIMIT 1').get(destination, run),
    db.prepare('SELECT 1 FROM action_delivery WHERE destination = ? AND run > ? LIMIT 1').get(destination, run),
    db.prepare(`${unsettled} LIMIT 1`).get({ destination }),
  ];
  return asks.some((found) => found !== undefined);
}

/** Messages that were sent and have not been verified without a difference since. */
export interface Unverified {
  /** When the first run began that sent something after everything was verified clean. */
  readonly sinceMs: number;
  readonly conversations: number;
  /** True if something is known to differ; otherwise it has not been checked. */
  readonly differing: boolean;
}

/** Nothing where everything that was sent was verified clean. */
export function unverifiedAt(db: Database, destination: number): Unverified | undefined {
  const run = lastVerifiedRun(db, destination);
  if (!isToVerify(db, destination, run)) return undefined;
  // Before the first verification all of them are unsettled: who looks while it imports need not go through every message for that.
  const which = run === 0 ? unsettled : `${unsettled} UNION ${touchedSince}`;
  const conversations = db
    .prepare<object, number>(`SELECT count(*) FROM (${which})`)
    .pluck()
    .get(run === 0 ? { destination } : { destination, run })!;
  const isMissingActions = latest(db, destination, isWhole) > run;
  const isDiffering = db
    .prepare(`SELECT 1 FROM (${unsettled} AND k.conversation IS NOT NULL) LIMIT 1`)
    .get({ destination });
  const sinceMs = db
    .prepare<[number, number], number>(
      `SELECT started_at FROM run WHERE destination = ? AND id > ?
       ORDER BY NOT EXISTS (SELECT 1 FROM batch WHERE batch.run = run.id), id LIMIT 1`,
    )
    .pluck()
    .get(destination, latest(db, destination, `${isWhole} AND ${isClean}`));
  return { sinceMs: sinceMs ?? 0, conversations, differing: isDiffering !== undefined || isMissingActions };
}
