import type { Database } from 'better-sqlite3';

/** A message of ours as it was met at the destination. */
export interface Sighting {
  readonly conversation: number;
  readonly message: number;
  readonly serverId: string;
  /** The how-manieth of the conversation's listing. */
  readonly place: number;
  /** Whether it says something about the order: late messages do not. */
  readonly isOrdered: boolean;
}

/** Which messages were met while conversations are read back: temporary tables of this connection, so memory stays flat. */
export function seenMessages(db: Database) {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS seen (
      conversation INTEGER, message INTEGER, server_id TEXT, place INTEGER, is_ordered INTEGER,
      PRIMARY KEY (conversation, message)) WITHOUT ROWID;
    CREATE TEMP TABLE IF NOT EXISTS ranked (number INTEGER PRIMARY KEY, message INTEGER, rank INTEGER);
    DELETE FROM temp.seen`);
  const insert = db.prepare('INSERT OR IGNORE INTO temp.seen VALUES (?, ?, ?, ?, ?)');
  const serverIdOf = db
    .prepare<[number, number], string>('SELECT server_id FROM temp.seen WHERE conversation = ? AND message = ?')
    .pluck();
  const hasOtherIds = db.prepare<[number]>(
    `SELECT 1 FROM temp.seen WHERE conversation = ? AND is_ordered AND (server_id GLOB '*[^0-9]*' OR length(server_id) > 18) LIMIT 1`,
  );
  const rank = (arrival: string) =>
    db.prepare<[number]>(
      `INSERT INTO temp.ranked SELECT row_number() OVER (ORDER BY m.sent_at, m.sort_key, m.seq), m.seq, s.rank
       FROM (SELECT message, row_number() OVER (ORDER BY ${arrival}) AS rank FROM temp.seen
             WHERE conversation = ? AND is_ordered) s
       CROSS JOIN message m ON m.seq = s.message`,
    );
  const rankById = rank('CAST(server_id AS INTEGER)');
  const rankByPlace = rank('place');
  const rankedPage = db.prepare<[number], { number: number; message: number; rank: number }>(
    'SELECT number, message, rank FROM temp.ranked WHERE number > ? ORDER BY number LIMIT 5000',
  );
  const forget = db.prepare('DELETE FROM temp.seen WHERE conversation = ?');
  return {
    /** `again` is the same row of the destination once more, as pages may repeat it; `copy` another one. */
    add({ conversation, message, serverId, place, isOrdered }: Sighting): 'first' | 'again' | 'copy' {
      if (insert.run(conversation, message, serverId, place, isOrdered ? 1 : 0).changes === 1) return 'first';
      return serverIdOf.get(conversation, message) === serverId ? 'again' : 'copy';
    },
    /**
     * In the order of the source, each with its rank (from 1) in the order of arrival: by the destination's ids, which
     * ascend with it; where they are no numbers, by their place in the listing.
     */
    *inSourceOrder(conversation: number): Generator<{ readonly message: number; readonly rank: number }> {
      db.exec('DELETE FROM temp.ranked');
      (hasOtherIds.get(conversation) ? rankByPlace : rankById).run(conversation);
      let after = 0;
      for (;;) {
        const page = rankedPage.all(after);
        if (page.length === 0) return;
        yield* page;
        after = page.at(-1)!.number;
      }
    },
    forget(conversation: number): void {
      forget.run(conversation);
    },
  };
}
