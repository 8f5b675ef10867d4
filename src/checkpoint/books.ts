import type { Database } from 'better-sqlite3';
import type { Books } from '../model/books.ts';

/** The sums of the export and of one destination, counted from the rows themselves. */
export function readBooks(db: Database, destination: number | null): Books {
  const verdicts = counts(db.prepare(`SELECT verdict AS name, count(*) AS count FROM message GROUP BY verdict`).all());
  const states = counts(
    db
      .prepare(
        `SELECT coalesce(d.state, 'pending') AS name, count(*) AS count FROM message m
         LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq WHERE m.verdict = 'planned' GROUP BY 1`,
      )
      .all(destination),
  );
  const late = db
    .prepare(`SELECT count(*) FROM delivery WHERE destination = ? AND is_late = 1 AND state = 'imported'`)
    .pluck()
    .get(destination) as number;
  const planned = verdicts('planned');
  const skipped = verdicts('skipped');
  const rejected = verdicts('rejected');
  return {
    read: planned + skipped + rejected,
    repeated: verdicts('repeated'),
    skipped,
    rejected,
    planned,
    imported: states('imported'),
    present: states('present'),
    refused: states('refused'),
    pending: states('pending'),
    inDoubt: states('sent'),
    late,
  };
}

function counts(rows: unknown[]): (name: string) => number {
  const byName = new Map((rows as { name: string; count: number }[]).map(({ name, count }) => [name, count]));
  return (name) => byName.get(name) ?? 0;
}
