import type { Database } from 'better-sqlite3';
import { printPlace } from '../../lib/text/location.ts';

/** Losses that copying files cannot prevent. Each query is one pass over the messages. */

// By an index of planned messages each row would be looked up.
const rows = 'message m NOT INDEXED';
const isPlanned = `m.verdict = 'planned' AND m.vanished = 0 AND m.files IS NULL`;

/** Whether there are files whose address is neither one of the web nor a path of the export. */
export const hasForeignAddresses = (db: Database): boolean =>
  db
    .prepare<[], number>(
      `SELECT EXISTS (SELECT 1 FROM ${rows} WHERE ${isPlanned} AND m.facts LIKE '%"filesWithoutAddress":%'
         AND m.payload LIKE '%"why":"not a web address"%')`,
    )
    .pluck()
    .get() === 1;

const isOnlyFiles = `${isPlanned} AND m.facts LIKE '%"onlyFiles":%'`;

export const countOnlyFiles = (db: Database): number =>
  db.prepare<[], number>(`SELECT count(*) FROM ${rows} WHERE ${isOnlyFiles}`).pluck().get()!;

/** Yields messages that consist only of files that the export does not have: their locations, and the name of their first file. */
export function* messagesOfOnlyFiles(db: Database): Generator<{ readonly location: string; readonly detail: string }> {
  const rows = db.prepare<[], { path: string; place: string; name: string | null }>(
    `SELECT s.path, m.place, m.payload ->> '$.data.metadata.chatferry.files[0].name' AS name
     FROM message m CROSS JOIN source_file s ON s.id = m.file WHERE ${isOnlyFiles} ORDER BY m.seq`,
  );
  for (const { path, place, name } of rows.iterate())
    yield { location: printPlace(path, place), detail: name === null ? '' : `"${name}"` };
}
