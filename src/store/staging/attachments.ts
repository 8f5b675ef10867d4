import type { Database } from 'better-sqlite3';
import { printPlace } from '../../lib/text/location.ts';
import { RowBuffer } from '../base/row-buffer.ts';

/** Hosts at which the files of planned messages stay, counted for each file of the export. The caller flushes before it commits. */
export class AttachmentHosts {
  readonly #rows: RowBuffer;
  readonly #drop: (file: number) => void;
  /** By file and host, for the files that are open. */
  readonly #counts = new Map<number, Map<string, number>>();

  constructor(db: Database) {
    const drop = db.prepare('DELETE FROM attachment_host WHERE file = ?');
    this.#rows = new RowBuffer(db, saveSql);
    this.#drop = (file) => drop.run(file);
  }

  add(file: number, host: string): void {
    let counts = this.#counts.get(file);
    if (!counts) {
      counts = new Map();
      this.#counts.set(file, counts);
    }
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }

  /**
   * Nothing more comes of this file.
   *
   * @param isReplaced What an earlier plan counted of it counts no more; else it is added to that.
   */
  close(file: number, isReplaced: boolean): void {
    if (isReplaced) {
      this.flush();
      this.#drop(file);
    }
    for (const [host, count] of this.#counts.get(file) ?? []) this.#rows.add([file, host, count]);
    this.#counts.delete(file);
  }

  flush(): void {
    this.#rows.flush();
  }
}

const saveSql = (rows: string) =>
  `INSERT INTO attachment_host (file, host, count) VALUES ${rows} ON CONFLICT DO UPDATE SET count = count + excluded.count`;

/** The hosts with most files, and how many hosts there are. */
export function listHosts(db: Database, max: number): { hosts: { host: string; count: number }[]; hostCount: number } {
  const hosts = db
    .prepare<[number], { host: string; count: number }>(
      `SELECT host, sum(count) AS count FROM attachment_host CROSS JOIN source_file f ON f.id = file AND f.role <> 'gone'
       GROUP BY host ORDER BY count DESC, host LIMIT ?`,
    )
    .all(max);
  const hostCount = db.prepare('SELECT count(DISTINCT host) FROM attachment_host').pluck().get() as number;
  return { hosts, hostCount };
}

/** A file of a message that is planned, as it is sent. */
export interface PlannedAttachment {
  readonly name: string;
  readonly url: string;
  readonly mimeType: string;
  /** The source file of its message, and the location in it, ready to print. */
  readonly file: number;
  readonly place: string;
}

/** Yields every attached file of every planned message, one at a time, in reading order: the database is busy until the iteration ends. */
export function* plannedAttachments(db: Database): Generator<PlannedAttachment> {
  const rows = db
    .prepare<[], readonly [attachments: string | null, file: number, path: string, place: string]>(
      `SELECT m.payload -> '$.data.attachments', m.file, f.path, m.place FROM message m JOIN source_file f ON f.id = m.file
       WHERE m.verdict = 'planned' AND m.vanished = 0 AND m.facts LIKE '%"attachments":%' ORDER BY m.seq`,
    )
    .raw();
  for (const [attachments, file, path, place] of rows.iterate()) {
    // Null if the mapping attaches none of them.
    const files = JSON.parse(attachments ?? '[]') as Partial<PlannedAttachment>[];
    for (const { name = '', url = '', mimeType = '' } of files)
      yield { name, url, mimeType, file, place: printPlace(path, place) };
  }
}
