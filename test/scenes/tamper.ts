import Database from 'better-sqlite3';

interface Row {
  readonly id: number;
  readonly muid: string;
  readonly data: string;
}

/** Muids of what was done to a sandbox's data. */
export interface Tampered {
  readonly gone: string;
  readonly twice: string;
  readonly altered: string;
  /** Two neighbours that changed places: either may be called the one that moved. */
  readonly swapped: readonly [string, string];
}

/**
 * Changes six messages of the longest conversation without the store's knowledge: deletes one, duplicates one, changes
 * a letter of one, adds a new one by another user, and swaps two. Each is well inside, apart from the others.
 */
export function tamper(path: string): Tampered {
  const db = new Database(path);
  const [conversation] = db
    .prepare('SELECT conversation FROM message GROUP BY conversation ORDER BY count(*) DESC LIMIT 1')
    .pluck()
    .all() as number[];
  const rows = db
    .prepare<[number], Row>('SELECT id, muid, data FROM message WHERE conversation = ? ORDER BY id')
    .all(conversation!);
  const at = (share: number): Row => rows[Math.floor(rows.length * share)]!;
  const [gone, twice, altered, foreign] = [at(0.1), at(0.2), at(0.3), at(0.4)];
  const first = at(0.5);
  const second = rows[rows.indexOf(first) + 1]!;
  const columns = 'conversation, sender, receiver, receiver_type, category, type, tags, sent_at';
  const copy = `INSERT INTO message (muid, data, ${columns}) SELECT ?, ?, ${columns} FROM message WHERE id = ?`;
  db.prepare('DELETE FROM message WHERE id = ?').run(gone.id);
  db.prepare(copy).run(twice.muid, twice.data, twice.id);
  db.prepare('UPDATE message SET data = ? WHERE id = ?').run(altered.data.replace(' end"', ' enD"'), altered.id);
  db.prepare(copy).run('someone-elses', '{"text":"hello"}', foreign.id);
  const move = db.prepare('UPDATE message SET id = ? WHERE id = ?');
  for (const [to, from] of [
    [-1, first.id],
    [first.id, second.id],
    [second.id, -1],
  ])
    move.run(to, from);
  db.close();
  return { gone: gone.muid, twice: twice.muid, altered: altered.muid, swapped: [first.muid, second.muid] };
}
