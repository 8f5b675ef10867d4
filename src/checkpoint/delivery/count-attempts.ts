import type { Database } from 'better-sqlite3';

/** Import requests that left, to any destination, those of killed runs included. */
export const countAttempts = (db: Database): number =>
  db.prepare<[], number>('SELECT count(*) FROM attempt').pluck().get() ?? 0;
