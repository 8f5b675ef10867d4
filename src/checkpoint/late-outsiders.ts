import type { Database } from 'better-sqlite3';

/**
 * A one-to-one chat stays one once something was sent to it: what a third person wrote there later is refused here,
 * before anything is sent, with a code of ours.
 */
export function refuseLateOutsiders(db: Database, destination: number, run: number): void {
  const found = db
    .prepare(
      `SELECT m.seq FROM conversation_delivery cd JOIN conversation c ON c.id = cd.conversation
       JOIN message m ON m.conversation = c.id AND m.verdict = 'planned' AND m.sender NOT IN (c.person_a, c.person_b)
       LEFT JOIN delivery d ON d.destination = cd.destination AND d.message = m.seq
       WHERE cd.destination = ? AND cd.receiver_type = 'user' AND (d.state IS NULL OR d.state = 'pending')`,
    )
    .pluck()
    .all(destination) as number[];
  if (found.length === 0) return;
  const refuse = db.prepare(
    `INSERT INTO delivery (destination, message, state, batch, code, detail) VALUES (?, ?, 'refused', ?, 'late_outsider', ?)
     ON CONFLICT (destination, message) DO UPDATE SET state = 'refused', code = excluded.code, detail = excluded.detail`,
  );
  db.transaction(() => {
    const batch = db
      .prepare(`INSERT INTO batch (destination, run, size, bytes, state) VALUES (?, ?, ?, 0, 'closed')`)
      .run(destination, run, found.length).lastInsertRowid;
    for (const seq of found)
      refuse.run(destination, seq, batch, 'a third person wrote in what is already a one-to-one chat there');
  }).immediate();
}
