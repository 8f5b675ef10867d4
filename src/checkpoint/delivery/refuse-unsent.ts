import type { Database } from 'better-sqlite3';

export interface Refusal {
  readonly destination: number;
  readonly run: number;
  /** Of ours, not of the service: `late_outsider`. */
  readonly code: string;
  readonly detail: string;
  /** SQL that selects the `seq` of the messages; its one parameter is the destination. */
  readonly messages: string;
}

/**
 * Refuses messages with a code of ours, before anything of them is sent.
 *
 * @returns How many.
 */
export function refuseUnsent(db: Database, { destination, run, code, detail, messages }: Refusal): number {
  const isAny = db.prepare(`SELECT 1 FROM (${messages}) LIMIT 1`);
  if (!isAny.get(destination)) return 0;
  return db
    .transaction(() => {
      const batch = db
        .prepare(`INSERT INTO batch (destination, run, size, bytes, state) VALUES (?, ?, 0, 0, 'closed')`)
        .run(destination, run).lastInsertRowid;
      // The condition says where the selection ends: without it, ON would belong to a join.
      const { changes } = db
        .prepare(
          `INSERT INTO delivery (destination, message, state, batch, code, detail)
         SELECT @destination, seq, 'refused', @batch, @code, @detail FROM (${messages.replace('?', '@destination')}) WHERE true
         ON CONFLICT (destination, message) DO UPDATE SET state = 'refused', code = excluded.code, detail = excluded.detail`,
        )
        .run({ destination, batch, code, detail });
      db.prepare('UPDATE batch SET size = ? WHERE id = ?').run(changes, batch);
      return changes;
    })
    .immediate();
}
