import type { Database } from 'better-sqlite3';
import type { RelationRecord } from '../../model/relation.ts';

/** Friends and blocks as files have them. What an earlier plan read of a file is replaced when the file is read again. */
export class Relations {
  readonly #insert: (file: number, type: string, from: number, to: number) => void;
  readonly #drop: (file: number) => void;
  /** Files of which something was written since this began. */
  readonly #begun = new Set<number>();

  constructor(db: Database) {
    const insert = db.prepare('INSERT INTO relation (file, type, from_person, to_person) VALUES (?, ?, ?, ?)');
    const drop = db.prepare('DELETE FROM relation WHERE file = ?');
    this.#insert = (...row) => insert.run(...row);
    this.#drop = (file) => drop.run(file);
  }

  /** @param from, to people of the store. */
  add(file: number, type: RelationRecord['type'], from: number, to: number): void {
    this.#begin(file);
    this.#insert(file, type, from, to);
  }

  /** The file is read from where it ended: what was read of it stays. */
  goOn(file: number): void {
    this.#begun.add(file);
  }

  /** Everything of the file was read. */
  close(file: number, wasRead: boolean): void {
    if (wasRead) this.#begin(file);
    this.#begun.delete(file);
  }

  #begin(file: number): void {
    if (this.#begun.has(file)) return;
    this.#begun.add(file);
    this.#drop(file);
  }
}

/** Different relations between different people, in the files that the export has now. A friendship is one, whoever names whom. */
export const currentRelations = `SELECT DISTINCT r.type,
    CASE r.type WHEN 'friend' THEN min(r.from_person, r.to_person) ELSE r.from_person END AS person,
    CASE r.type WHEN 'friend' THEN max(r.from_person, r.to_person) ELSE r.to_person END AS other
  FROM relation r JOIN source_file f ON f.id = r.file
  WHERE f.role <> 'gone' AND r.from_person <> r.to_person`;

/** How many there are of each type. */
export function countRelations(db: Database): Readonly<Record<RelationRecord['type'], number>> {
  const count = db.prepare<[string], number>(`SELECT count(*) FROM (${currentRelations}) WHERE type = ?`).pluck();
  return { friend: count.get('friend') ?? 0, block: count.get('block') ?? 0 };
}
