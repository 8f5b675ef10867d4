import type { Database } from 'better-sqlite3';
import { formatCount } from '../lib/text/count.ts';
import { printPlace } from '../lib/text/location.ts';
import { RowBuffer } from './base/row-buffer.ts';
import { lateStatements, sql, tuple, value, withStatements } from './base/statements.ts';

/** Findings of one code that are kept one by one for each file; the others of the file are one row that counts them. */
const listedMax = 100;
/** The same for the export as a whole. */
const listedOfWholeMax = 1000;

interface NewProblem {
  readonly code: string;
  readonly reason: string;
  readonly place: string;
  /** Where it stands for so many cases. Default: 1. */
  readonly count?: number;
  /** Ids of the people or conversations that it is about. */
  readonly about?: readonly string[] | undefined;
}

export interface FoundProblem extends Omit<NewProblem, 'count' | 'about'> {
  readonly file: number;
}

/** Findings of a check on everything that is staged, read on demand. */
interface WholeFindings {
  readonly code: string;
  readonly findings: Iterable<() => Pick<NewProblem, 'reason' | 'place' | 'about'>>;
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

/** The file number of what is said of the export as a whole: no file has it. */
const wholeExport = 0;

const statements = lateStatements({
  add: sql<[file: number | null, code: string, reason: string, place: string, count: number, about: string | null]>`
    INSERT INTO problem (file, code, reason, place, count, about) VALUES (?, ?, ?, ?, ?, ?)`,
  drop: sql<[code: string]>`DELETE FROM problem WHERE code = ?`,
  dropOfFile: sql<[file: number]>`DELETE FROM problem WHERE file = ?`,
  dropUnfiled: sql<[code: string]>`DELETE FROM problem WHERE file IS NULL AND code = ?`,
  dropOtherUnfiled: sql<[code: string]>`DELETE FROM problem WHERE file IS NULL AND code <> ?`,
  hosts: sql<[max: number], { host: string; count: number }>`
    SELECT host, sum(count) AS count FROM attachment_host CROSS JOIN source_file f ON f.id = file AND f.role <> 'gone'
    GROUP BY host ORDER BY count DESC, host LIMIT ?`,
  countHosts: value<[], number>`SELECT count(DISTINCT host) FROM attachment_host`,
  dropHosts: sql<[file: number]>`DELETE FROM attachment_host WHERE file = ?`,
  attachments: tuple<[], readonly [attachments: string | null, file: number, path: string, place: string]>`
    SELECT m.payload -> '$.data.attachments', m.file, f.path, m.place FROM message m JOIN source_file f ON f.id = m.file
    WHERE m.verdict = 'planned' AND m.vanished = 0 AND m.facts LIKE '%"attachments":%' ORDER BY m.seq`,
});

/** Everything that a person should know about the export although every row is valid, and the hosts at which files of messages stay. */
export class Problems extends withStatements(statements) {
  /** For a plan: problems of the files that it reads. */
  openFileProblems(): FileProblems {
    return new FileProblems(this.db);
  }

  /**
   * Notes what is said of the inputs, or of the mapping, and belongs to no file. The caller begins and commits.
   *
   * Those of an earlier plan go when the next one begins (`forgetAllBut`), but for what only comes up where something is read.
   */
  note(code: string, reason: string, place: string): void {
    this.sql.add.run(null, code, reason, place, 1, null);
  }

  forget(code: string): void {
    this.sql.dropUnfiled.run(code);
  }

  forgetAllBut(code: string): void {
    this.sql.dropOtherUnfiled.run(code);
  }

  /** Puts what was found in the export as a whole in the place of what was found before. */
  replaceWhole(found: readonly WholeFindings[]): void {
    this.sql.dropOfFile.run(wholeExport);
    for (const { code, findings } of found) {
      let count = 0;
      // Nothing can be written while a query is read.
      const listed: (readonly [reason: string, place: string, count: 1, about: string | null])[] = [];
      for (const describe of findings) {
        if (count++ >= listedOfWholeMax) continue;
        const { reason, place, about } = describe();
        listed.push([reason, place, 1, toJson(about)]);
      }
      for (const found of listed) this.sql.add.run(wholeExport, code, ...found);
      const others = count - listed.length;
      if (others > 0) this.sql.add.run(wholeExport, code, `${formatCount(others)} more`, '', others, null);
    }
  }

  /** Puts what was found now in the place of everything that was found before under these codes, at once. */
  replace(codes: readonly string[], found: readonly FoundProblem[]): void {
    this.db
      .transaction(() => {
        for (const code of codes) this.sql.drop.run(code);
        for (const { file, code, reason, place } of found) this.sql.add.run(file, code, reason, place, 1, null);
      })
      .immediate();
  }

  /** For a plan: hosts of the files of planned messages. */
  openAttachmentHosts(): AttachmentHosts {
    return new AttachmentHosts(this.db, (file) => this.sql.dropHosts.run(file));
  }

  /** The hosts with most files, and how many hosts there are. */
  hosts(max: number): { hosts: { host: string; count: number }[]; hostCount: number } {
    return { hosts: this.sql.hosts.all(max), hostCount: this.sql.countHosts.get()! };
  }

  /** Yields every attached file of every planned message, one at a time, in reading order: the database is busy until the iteration ends. */
  *attachments(): Generator<PlannedAttachment> {
    for (const [attachments, file, path, place] of this.sql.attachments.iterate()) {
      // Null if the mapping attaches none of them.
      const files = JSON.parse(attachments ?? '[]') as Partial<PlannedAttachment>[];
      for (const { name = '', url = '', mimeType = '' } of files)
        yield { name, url, mimeType, file, place: printPlace(path, place) };
    }
  }
}

const toJson = (ids: readonly string[] | undefined): string | null => (ids ? JSON.stringify(ids) : null);

/** Numbers by file and key, for the files that are open. */
class FileCounts {
  readonly #counts = new Map<number, Map<string, number>>();

  /** @returns How many there are now. */
  add(file: number, key: string): number {
    const counts = this.#counts.get(file) ?? new Map<string, number>();
    this.#counts.set(file, counts);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  }

  take(file: number): Iterable<[key: string, count: number]> {
    const counts = this.#counts.get(file) ?? [];
    this.#counts.delete(file);
    return counts;
  }
}

/**
 * Writes problems of files. A check may find something in every row of ten million, so only the first of each file and code are kept
 * with their places. The caller flushes before it commits.
 */
export class FileProblems {
  readonly #rows: RowBuffer;
  readonly #counts = new FileCounts();

  constructor(db: Database) {
    this.#rows = new RowBuffer(
      db,
      (rows) => `INSERT INTO problem (file, code, reason, place, count, about) VALUES ${rows}`,
    );
  }

  add(file: number, { code, reason, place, count = 1, about }: NewProblem): void {
    // A problem that represents many cases is rare, and gives their number itself. For a decision, the cases that depend on it are counted.
    if (count > 1 || about || this.#counts.add(file, code) <= listedMax)
      this.#rows.add([file, code, reason, place, count, toJson(about)]);
  }

  /** Nothing more is said of this file. */
  close(file: number, path: string): void {
    for (const [code, count] of this.#counts.take(file)) {
      const others = count - listedMax;
      if (others > 0) this.#rows.add([file, code, `${formatCount(others)} more in this file`, path, others, null]);
    }
  }

  flush(): void {
    this.#rows.flush();
  }
}

const saveHosts = (rows: string) =>
  `INSERT INTO attachment_host (file, host, count) VALUES ${rows} ON CONFLICT DO UPDATE SET count = count + excluded.count`;

/** Hosts at which the files of planned messages stay, counted for each file of the export. The caller flushes before it commits. */
export class AttachmentHosts {
  readonly #rows: RowBuffer;
  readonly #drop: (file: number) => void;
  readonly #counts = new FileCounts();

  constructor(db: Database, drop: (file: number) => void) {
    this.#rows = new RowBuffer(db, saveHosts);
    this.#drop = drop;
  }

  add(file: number, host: string): void {
    this.#counts.add(file, host);
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
    for (const [host, count] of this.#counts.take(file)) this.#rows.add([file, host, count]);
  }

  flush(): void {
    this.#rows.flush();
  }
}
