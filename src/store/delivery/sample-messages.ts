import type { Database } from 'better-sqlite3';
import { inPages } from '../base/pages.ts';
import { insideMessages } from '../base/inside-messages.ts';

export interface SampleChoice {
  readonly destination: number;
  /** Messages; all of them where there are fewer. */
  readonly size: number;
  /** A number for a message's `seq` that looks random; the same function chooses the same messages. */
  readonly hashOf: (seq: number) => number;
  /** Only of the messages that `chooseInside` wrote down. */
  readonly insideOnly: boolean;
}

/**
 * Chooses delivered messages at random, as many as possible from different conversations: one of each, then a second of
 * each, and so on. Written down as absent (`absentMessages`), for a look to find them.
 *
 * @returns How many were chosen, of how many.
 */
export function sampleMessages(
  db: Database,
  { destination, size, hashOf, insideOnly }: SampleChoice,
): { readonly messages: number; readonly of: number; readonly conversations: number } {
  db.function('chatferry_hash', { deterministic: true }, hashOf as (seq: unknown) => number);
  const isDelivered = `d.destination = ? AND d.state IN ('imported', 'existing')`;
  const isEligible = insideOnly ? `${isDelivered} AND d.message IN (${insideMessages})` : isDelivered;
  const of = db
    .prepare<[number], number>(`SELECT count(*) FROM delivery d WHERE ${isEligible}`)
    .pluck()
    .get(destination)!;
  const messages = db
    .prepare(
      `INSERT INTO temp.absent SELECT conversation, seq, NULL FROM (
         SELECT conversation, seq, hash, row_number() OVER (PARTITION BY conversation ORDER BY hash, seq) AS turn FROM (
           SELECT m.conversation, m.seq, chatferry_hash(m.seq) AS hash
           FROM delivery d JOIN message m ON m.seq = d.message
           WHERE ${isEligible}))
       ORDER BY turn, hash, seq LIMIT ?`,
    )
    .run(destination, size).changes;
  const conversations = db.prepare<[], number>('SELECT count(DISTINCT conversation) FROM temp.absent').pluck().get()!;
  return { messages, of, conversations };
}

/** Conversations of the sample by id, each with the number of messages delivered to it. */
export function sampledConversations(db: Database, destination: number) {
  const select = db.prepare<[number, number], { conversation: number; delivered: number }>(
    `SELECT s.conversation, (SELECT count(*) FROM message m JOIN delivery d ON d.destination = ? AND d.message = m.seq
         WHERE m.conversation = s.conversation AND m.verdict = 'planned' AND d.state IN ('imported', 'existing')) AS delivered
     FROM (SELECT DISTINCT conversation FROM temp.absent WHERE conversation > ? ORDER BY conversation LIMIT 200) s`,
  );
  return inPages('conversation', (after) => select.all(destination, after));
}
