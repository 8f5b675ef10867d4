import type { Database } from 'better-sqlite3';
import { muidLength } from './settle-parts.ts';

/** The texts of a message that was split, in order, by the muid of any of its parts. */
export function partTextsReader(db: Database): (muid: string) => string[] {
  const select = db
    .prepare<[string, string], string | null>(
      `SELECT payload ->> '$.data.text' FROM message WHERE muid = ? AND verdict = 'planned'
       UNION ALL SELECT * FROM (SELECT payload ->> '$.data.text' FROM message
         WHERE substr(muid, 1, ${muidLength}) = ? AND part > 1 AND verdict = 'planned' ORDER BY part)`,
    )
    .pluck();
  return (muid) => {
    const head = muid.slice(0, muidLength);
    return select.all(head, head).map((text) => text ?? '');
  };
}
