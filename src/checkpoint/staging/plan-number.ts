import type { Database } from 'better-sqlite3';
import { readMeta, writeMeta } from '../base/meta.ts';

/** A new plan begins: it gets a number, and what is known before it is remembered. Inside the caller's transaction. */
export function beginPlan(db: Database): void {
  writeMeta(db, 'plan', String(planNumber(db) + 1));
  const greatest = db.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM message').pluck().get()!;
  writeMeta(db, 'knownUpTo', String(greatest));
}

/** Of the latest plan, from 1; 0 before there was one. */
export const planNumber = (db: Database): number => Number(readMeta(db, 'plan') ?? 0);
