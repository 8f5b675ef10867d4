import type { Database } from 'better-sqlite3';
import { UsageError } from '../../lib/errors.ts';
import { isPending } from '../base/is-pending.ts';
import { readMeta } from '../base/meta.ts';

/**
 * What `forget-content` wiped cannot be sent: to a destination that does not have it yet, or again after an undo.
 *
 * @throws UsageError where something pending at the destination has no content any more.
 */
export function assertContentKept(db: Database, destination: number): void {
  if (readMeta(db, 'contentForgotten') === undefined) return;
  const count = db
    .prepare<[number], number>(
      `SELECT count(*) FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE m.verdict = 'planned' AND m.vanished = 0 AND m.payload IS NULL AND ${isPending}`,
    )
    .pluck()
    .get(destination)!;
  if (count === 0) return;
  throw new UsageError(`Cannot send: the content of ${count} pending messages was forgotten`, {
    hint: 'Plan the export into another store: chatferry import EXPORT --store another.db',
  });
}
