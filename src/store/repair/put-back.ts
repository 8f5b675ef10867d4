import type { Database } from 'better-sqlite3';
import { insideMessages } from '../base/inside-messages.ts';
import { Lanes } from '../lanes.ts';

/** SQL for a delivery `d`: pending, although it was there once and was not rolled back: an undo begins another generation. */
const wasAtDestination = `d.state = 'pending' AND EXISTS (SELECT 1 FROM delivery_history h WHERE h.message = d.message
  AND h.destination = d.destination AND h.state IN ('imported', 'existing') AND h.generation = d.generation)`;

/** How many messages are known to be gone from a destination, and are to be sent again. */
export const countPutBack = (db: Database, destination: number): number =>
  db
    .prepare<[number], number>(
      `SELECT count(*) FROM delivery d JOIN message m ON m.seq = d.message
       WHERE d.destination = ? AND ${wasAtDestination} AND m.verdict = 'planned' AND m.vanished = 0`,
    )
    .pluck()
    .get(destination)!;

/**
 * Chooses the messages that the latest verification found missing and that can be sent again (`chooseMessages`),
 * including those that an interrupted repair has already put back. Messages that the plan no longer holds stay as they
 * are, and so do messages that wait for a file.
 *
 * @param insideOnly Only messages that `chooseInside` wrote down.
 * @returns How many.
 */
export function chooseMissing(db: Database, destination: number, insideOnly = false): number {
  new Lanes(db).choose([]);
  const isSendable = `m.verdict = 'planned' AND m.vanished = 0 AND m.payload IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM media_message mm WHERE mm.message = m.seq AND mm.waits = 1)`;
  const found = db.prepare(
    `INSERT OR IGNORE INTO temp.chosen SELECT f.message FROM difference f CROSS JOIN message m ON m.seq = f.message
     CROSS JOIN delivery d ON d.destination = f.destination AND d.message = f.message
     WHERE f.destination = ? AND f.kind = 'missing' AND d.state IN ('imported', 'existing') AND ${isSendable}`,
  );
  const isInside = insideOnly ? `AND d.message IN (${insideMessages})` : '';
  const putBack = db.prepare(
    `INSERT OR IGNORE INTO temp.chosen SELECT d.message FROM delivery d JOIN message m ON m.seq = d.message
     WHERE d.destination = ? AND ${wasAtDestination} AND ${isSendable} ${isInside}`,
  );
  return found.run(destination).changes + putBack.run(destination).changes;
}

/**
 * Makes the chosen messages pending again, in one transaction. If the last known message of a conversation is among
 * them, the message before it becomes the last known one: lane opening asks for what comes after that.
 */
export function putBackChosen(db: Database, destination: number): void {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS cut_off (conversation INTEGER PRIMARY KEY); DELETE FROM temp.cut_off');
  const cutOff = db.prepare(
    `INSERT OR IGNORE INTO temp.cut_off SELECT m.conversation FROM temp.chosen c CROSS JOIN message m ON m.seq = c.message
     CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
     JOIN conversation_delivery cd ON cd.destination = d.destination AND cd.conversation = m.conversation
     WHERE cd.last_server_id = d.server_id`,
  );
  const deliveries = db.prepare(
    `UPDATE delivery SET state = 'pending', server_id = NULL, code = NULL, detail = NULL
     WHERE destination = ? AND state <> 'pending' AND message IN (SELECT message FROM temp.chosen)`,
  );
  const conversations = db.prepare(
    `UPDATE conversation_delivery AS cd SET last_server_id = (
       SELECT d.server_id FROM message m CROSS JOIN delivery d ON d.destination = cd.destination AND d.message = m.seq
       WHERE m.conversation = cd.conversation AND m.verdict = 'planned'
         AND d.state IN ('imported', 'existing') AND d.server_id IS NOT NULL
       ORDER BY CAST(d.server_id AS INTEGER) DESC LIMIT 1)
     WHERE destination = ? AND conversation IN (SELECT conversation FROM temp.cut_off)`,
  );
  db.transaction(() => {
    for (const step of [cutOff, deliveries, conversations]) step.run(destination);
  }).immediate();
}

/** How many of the chosen messages have a good receipt. */
export function countChosenDelivered(db: Database, destination: number): number {
  return db
    .prepare<[number], number>(
      `SELECT count(*) FROM temp.chosen c CROSS JOIN delivery d ON d.destination = ? AND d.message = c.message
       WHERE d.state IN ('imported', 'existing')`,
    )
    .pluck()
    .get(destination)!;
}
