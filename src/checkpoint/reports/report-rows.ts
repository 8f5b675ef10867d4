import type { Database } from 'better-sqlite3';
import { printPlace } from '../base/message-facts.ts';
import { hasMessageIndex } from '../base/message-indexes.ts';

/** Problems by code, most first, with the first few of each. */
export function problemGroups(db: Database, examplesMax: number) {
  const groups = db
    .prepare<[], { code: string; count: number }>(
      'SELECT code, sum(count) AS count FROM problem GROUP BY code ORDER BY count DESC, code',
    )
    .all();
  const examples = db.prepare<[string, number], { location: string; detail: string }>(
    'SELECT place AS location, reason AS detail FROM problem WHERE code = ? AND count = 1 ORDER BY id LIMIT ?',
  );
  return groups.map((group) => ({ ...group, examples: examples.all(group.code, examplesMax) }));
}

/** Files by what they were. */
export function fileRoles(db: Database): { shared: number; rows: number; skipped: number; unknown: number } {
  const roles = { shared: 0, rows: 0, skipped: 0, unknown: 0 };
  const counts = db
    .prepare<[], { role: keyof typeof roles; count: number }>(
      `SELECT role, count(*) AS count FROM source_file WHERE role NOT IN ('gone', 'rest') GROUP BY role`,
    )
    .all();
  for (const { role, count } of counts) roles[role] = count;
  return roles;
}

export function peopleCounts(db: Database): { total: number; bots: number; deleted: number; placeholders: number } {
  return db
    .prepare<[], { total: number; bots: number; deleted: number; placeholders: number }>(
      `SELECT count(*) AS total, coalesce(sum(record ->> '$.isBot'), 0) AS bots,
         coalesce(sum(record ->> '$.isDeleted'), 0) AS deleted, coalesce(sum(is_placeholder), 0) AS placeholders FROM person`,
    )
    .get()!;
}

/** Name of a conversation, and where it goes. */
export function conversationRows(db: Database) {
  const select = db.prepare<
    [number],
    { source_id: string; name: string; receiver_type: string; guid: string; a: string | null; b: string | null }
  >(
    `SELECT c.source_id, c.name, c.receiver_type, c.guid, a.uid AS a, b.uid AS b FROM conversation c
     LEFT JOIN person a ON a.id = c.person_a LEFT JOIN person b ON b.id = c.person_b WHERE c.id = ?`,
  );
  return (id: number): { id: string; name: string; target: string } => {
    const { source_id, name, receiver_type, guid, a, b } = select.get(id)!;
    return { id: source_id, name, target: receiver_type === 'group' ? `group ${guid}` : `user ${a} + ${b}` };
  };
}

export function personNames(db: Database) {
  const select = db.prepare<[number], { name: string; uid: string }>('SELECT name, uid FROM person WHERE id = ?');
  return (id: number): { name: string; uid: string } => select.get(id)!;
}

export function countSubSecondTimes(db: Database): number {
  // A tenth of what the table has to be read.
  const index = hasMessageIndex(db, 'message_order') ? 'INDEXED BY message_order' : '';
  const rows = db
    .prepare(`SELECT count(*) FROM message ${index} WHERE verdict = 'planned' AND sent_at % 1000 <> 0`)
    .pluck()
    .get() as number;
  // Further parts of a text that was split are no messages of the export.
  const parts = db
    .prepare(`SELECT count(*) FROM message WHERE part > 1 AND verdict = 'planned' AND sent_at % 1000 <> 0`)
    .pluck()
    .get() as number;
  return rows - parts;
}

interface DifferenceRow {
  readonly kind: string;
  readonly muid: string;
  readonly conversation: string | null;
  readonly detail: string;
  readonly path: string | null;
  readonly place: string | null;
}

/** What verify found last; the first few, or all, one by one. */
export function* differenceRows(db: Database, destination: number, max = Number.MAX_SAFE_INTEGER) {
  const rows = db.prepare<[number, number], DifferenceRow>(
    `SELECT d.kind, d.muid, c.name AS conversation, d.detail, f.path, m.place FROM difference d
     LEFT JOIN conversation c ON c.id = d.conversation
     LEFT JOIN message m ON m.seq = d.message LEFT JOIN source_file f ON f.id = m.file
     WHERE d.destination = ? LIMIT ?`,
  );
  for (const { path, place, conversation, ...row } of rows.iterate(destination, max)) {
    yield {
      ...row,
      conversation: conversation ?? '',
      location: path === null ? '' : printPlace(path, place ?? ''),
    };
  }
}
