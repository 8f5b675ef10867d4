import type { Database } from 'better-sqlite3';
import { printPlace } from '../base/message-facts.ts';

/** A file of a message that is planned, as it is sent. */
export interface PlannedAttachment {
  readonly name: string;
  readonly url: string;
  readonly mimeType: string;
  /** The source file that its message stands in, and the place there, ready to print. */
  readonly file: number;
  readonly place: string;
}

/** Every attached file of every planned message, one at a time, in reading order: the database is busy meanwhile. */
export function* plannedAttachments(db: Database): Generator<PlannedAttachment> {
  const rows = db
    .prepare<[], readonly [attachments: string | null, file: number, path: string, place: string]>(
      `SELECT m.payload -> '$.data.attachments', m.file, f.path, m.place FROM message m JOIN source_file f ON f.id = m.file
       WHERE m.verdict = 'planned' AND m.vanished = 0 AND m.facts LIKE '%"attachments":%' ORDER BY m.seq`,
    )
    .raw();
  for (const [attachments, file, path, place] of rows.iterate()) {
    // Null where the mapping attaches none of them.
    const files = JSON.parse(attachments ?? '[]') as Partial<PlannedAttachment>[];
    for (const { name = '', url = '', mimeType = '' } of files)
      yield { name, url, mimeType, file, place: printPlace(path, place) };
  }
}
