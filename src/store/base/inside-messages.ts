import type { Database } from 'better-sqlite3';
import { hasMessageIndex } from './message-indexes.ts';

/** A message as a filter is asked about it. */
export interface CandidateRow {
  readonly seq: number;
  readonly muid: string | null;
  readonly originId: string | null;
  /** Ids in the store. */
  readonly conversation: number | null;
  readonly sender: number | null;
  readonly sentAtMs: number | null;
  /** JSON. */
  readonly facts: string | null;
  /** From 1, if the text was split; the row of the first part has the facts of all. */
  readonly part: number | null;
  /** JSON; read only on request, by filters that look at texts. */
  readonly payload: string | null;
}

/**
 * Messages that a verify or undo with a filter is about: temporary tables of this connection, so memory stays flat.
 * Every function that takes messages from the store reads them by name (`insideMessages`, `insideConversations`).
 */
export const insideMessages = 'SELECT message FROM temp.inside';
export const insideConversations = 'SELECT conversation FROM temp.inside_conversation';

export interface InsideOptions {
  readonly destination: number;
  readonly withPayload: boolean;
}

/**
 * Asks of every message that is planned or was ever sent to a destination whether it is inside, and writes those down, each with
 * its follow-ups.
 *
 * @returns How many are.
 */
export function chooseInside(
  db: Database,
  { destination, withPayload }: InsideOptions,
  isInside: (row: CandidateRow) => boolean,
): number {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS inside (message INTEGER PRIMARY KEY);
    CREATE TEMP TABLE IF NOT EXISTS inside_conversation (conversation INTEGER PRIMARY KEY);
    DELETE FROM temp.inside;
    DELETE FROM temp.inside_conversation`);
  const select = db.prepare<[number, number], CandidateRow>(
    `SELECT m.seq, m.muid, m.origin_id AS originId, m.conversation, m.sender, m.sent_at AS sentAtMs, m.facts, m.part,
       ${withPayload ? 'coalesce(m.payload, d.payload)' : 'NULL'} AS payload
     FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.seq > ? AND m.follows IS NULL AND (m.verdict = 'planned' OR (m.verdict <> 'duplicate' AND d.state <> 'pending'))
     ORDER BY m.seq LIMIT 1000`,
  );
  const message = db.prepare('INSERT INTO temp.inside VALUES (?)');
  const conversation = db.prepare('INSERT OR IGNORE INTO temp.inside_conversation VALUES (?)');
  const write = db.transaction((rows: readonly CandidateRow[]) => {
    for (const row of rows) {
      message.run(row.seq);
      conversation.run(row.conversation);
    }
  });
  let count = 0;
  for (let page = select.all(destination, 0); page.length > 0; page = select.all(destination, page.at(-1)!.seq)) {
    const inside = page.filter(isInside);
    write(inside);
    count += inside.length;
  }
  if (hasMessageIndex(db, 'message_follows')) {
    const followUps = `SELECT f.seq FROM message f WHERE f.follows IN (${insideMessages})`;
    count += db.prepare(`INSERT INTO temp.inside ${followUps}`).run().changes;
  }
  return count;
}

/** Whether a message was written down by `chooseInside`. */
export function insideReader(db: Database): (message: number) => boolean {
  const select = db.prepare<[number]>('SELECT 1 FROM temp.inside WHERE message = ?');
  return (message) => select.get(message) !== undefined;
}
