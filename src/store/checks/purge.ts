import { StoreError, UsageError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/text/count.ts';
import { isPending } from '../base/delivery-sql.ts';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';
import { Facts } from '../facts.ts';
import { wholePayload } from '../base/packed-payload.ts';

/** Messages of a destination that may be purged, and those that may not. */
export interface Purgeable {
  /** Messages that are there, in conversations that were read back whole and unchanged since. */
  readonly messages: number;
  /** Bytes of their payloads. */
  readonly bytes: number;
  /** Messages that are there, in conversations not verified since their last change, or not without differences. */
  readonly unverified: number;
  /** Verified, but to be sent or resolved at another destination. */
  readonly neededElsewhere: number;
}

/** For a delivery `d`: it is there. */
const isAtDestination = `d.state IN ('imported', 'existing')`;
const hasContent = (message: string, delivery: string) =>
  `(${message}.payload IS NOT NULL OR (${delivery}.payload IS NOT NULL AND ${delivery}.payload NOT LIKE '{"purged":%'))`;

/** Messages for one transaction. */
const wipedAtOnce = 5000;
const nextOnes = `SELECT message FROM temp.purgeable ORDER BY message LIMIT ${wipedAtOnce}`;

const statements = lateStatements({
  collectVerified: sql<{ destination: number }>`
    WITH held AS (SELECT DISTINCT m.conversation, d.batch FROM delivery d JOIN message m ON m.seq = d.message WHERE d.destination = @destination),
      changed AS (SELECT held.conversation, max(coalesce(
          (SELECT max(coalesce(a.ended_at, a.started_at)) FROM attempt a WHERE a.batch = held.batch), r.started_at)) AS changed_at
        FROM held JOIN batch b ON b.id = held.batch JOIN run r ON r.id = b.run GROUP BY held.conversation)
    INSERT INTO temp.verified SELECT c.conversation FROM conversation_check c JOIN changed ON changed.conversation = c.conversation
    WHERE c.destination = @destination AND c.missing + c.extra + c.different + c.duplicated = 0 AND c.read_at >= changed.changed_at`,
  collect: sql<[destination: number]>`
    INSERT INTO temp.purgeable SELECT m.seq, m.conversation FROM delivery d JOIN message m ON m.seq = d.message
    WHERE d.destination = ? AND ${isAtDestination} AND ${hasContent('m', 'd')} AND m.conversation IN (SELECT conversation FROM temp.verified)
      AND NOT EXISTS (SELECT 1 FROM destination t CROSS JOIN delivery o ON o.destination = t.id AND o.message = m.seq
        WHERE o.state NOT IN ('imported', 'existing'))`,
  countHeld: sql<[destination: number], { unverified: number; verified: number }>`
    SELECT coalesce(sum(v.conversation IS NULL), 0) AS unverified, coalesce(sum(v.conversation IS NOT NULL), 0) AS verified
    FROM delivery d JOIN message m ON m.seq = d.message LEFT JOIN temp.verified v ON v.conversation = m.conversation
    WHERE d.destination = ? AND ${isAtDestination} AND ${hasContent('m', 'd')}`,
  count: sql<[], { messages: number; bytes: number }>`
    SELECT count(*) AS messages, coalesce(sum(octet_length(${wholePayload('m')})), 0) AS bytes
    FROM temp.purgeable f JOIN message m ON m.seq = f.message`,
  rows: sql<[destination: number, conversation: number, after: number], { seq: number; muid: string }>`
    SELECT f.message AS seq, coalesce(d.muid, m.muid) AS muid FROM temp.purgeable f JOIN message m ON m.seq = f.message
    JOIN delivery d ON d.destination = ? AND d.message = f.message
    WHERE f.conversation = ? AND f.message > ? AND ${isAtDestination} AND (d.payload IS NULL OR d.payload NOT LIKE '{"purged":%')
    ORDER BY f.message LIMIT 500`,
  digest: sql<[digest: string, destination: number, message: number]>`
    UPDATE delivery SET payload = json_object('purged', ?), detail = NULL WHERE destination = ? AND message = ?`,
  forgetWords: sql<[message: number, destination: number]>`
    UPDATE delivery_history SET detail = NULL WHERE message = ? AND destination = ?`,
  wipe: sql<[]>`UPDATE message SET payload = NULL, files = NULL WHERE seq IN (${nextOnes})`,
  wipeWaiting: sql<[]>`DELETE FROM media_message WHERE message IN (${nextOnes})`,
  wipeUses: sql<[]>`DELETE FROM media_use WHERE message IN (${nextOnes})`,
  wiped: sql<[]>`DELETE FROM temp.purgeable WHERE message IN (${nextOnes})`,
  countLacking: value<[destination: number], number>`
    SELECT count(*) FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.verdict = 'planned' AND m.vanished = 0 AND m.payload IS NULL AND ${isPending}`,
});

/** Content that is needed no more is wiped, with what the store knows about who has it. */
export class Purge extends withStatements(statements) {
  /** Makes SQLite overwrite with zeros everything that is replaced or deleted from here on. */
  overwriteDeleted(): void {
    this.db.pragma('secure_delete = ON');
  }

  /**
   * Chooses what may be purged, for the methods below: in temporary tables of this connection, so memory stays flat.
   * A conversation counts as verified where it was read back whole after the last request for it, without a difference.
   */
  choose(destination: number): Purgeable {
    this.db.exec(`CREATE TEMP TABLE IF NOT EXISTS verified (conversation INTEGER PRIMARY KEY);
      CREATE TEMP TABLE IF NOT EXISTS purgeable (message INTEGER PRIMARY KEY, conversation INTEGER);
      DELETE FROM temp.verified; DELETE FROM temp.purgeable`);
    this.sql.collectVerified.run({ destination });
    this.sql.collect.run(destination);
    this.db.exec('CREATE INDEX IF NOT EXISTS temp.purgeable_conversation ON purgeable (conversation, message)');
    const { unverified, verified } = this.sql.countHeld.get(destination)!;
    const { messages, bytes } = this.sql.count.get()!;
    return { messages, bytes, unverified, neededElsewhere: verified - messages };
  }

  /** Yields the messages of a conversation to purge at a destination, a few hundred at a time. */
  *rows(destination: number, conversation: number) {
    const pageAfter = (after: number) => this.sql.rows.all(destination, conversation, after);
    for (let page = pageAfter(0); page.length > 0; page = pageAfter(page.at(-1)!.seq)) yield page;
  }

  /** Puts digests in the place of what was sent to a destination. Answers that may quote a message lose their words. */
  purgeSent(destination: number, messages: readonly { readonly seq: number; readonly digest: string }[]): void {
    const purge = this.db.transaction(() => {
      for (const { seq, digest } of messages) {
        this.sql.digest.run(digest, destination, seq);
        this.sql.forgetWords.run(seq, destination);
      }
    });
    purge.immediate();
  }

  /** Wipes what is staged of the messages that were chosen, and the words of requests that are over. */
  purgeStaged(): void {
    const { wipe, wipeWaiting, wipeUses, wiped } = this.sql;
    const wipeNext = this.db.transaction(() => {
      for (const each of [wipe, wipeWaiting, wipeUses]) each.run();
      return wiped.run().changes;
    });
    while (wipeNext.immediate() === wipedAtOnce);
    // A copied file stays in the store by its digest; its name in the export does not.
    this.db.exec(`UPDATE media_file SET origin = 'purged:' || id, host = '', name = '', reason = NULL
      WHERE NOT EXISTS (SELECT 1 FROM media_use u WHERE u.file = media_file.id)`);
    this.db.exec(`UPDATE attempt SET detail = NULL WHERE batch IN (SELECT id FROM batch WHERE state = 'closed')`);
  }

  /**
   * Rewrites the file, so that it holds nothing that was ever deleted in it, and empties the log next to it. Needs as
   * much free space as the store has bytes.
   *
   * @throws StoreError if another process reads the store at the same time.
   */
  rewriteFile(path: string): void {
    this.db.exec('VACUUM');
    const [result] = this.db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    if (result?.busy === 0) return;
    throw new StoreError(`Cannot empty the log of "${path}": another process reads the store`, {
      path,
      hint: 'The log may still contain content. Close every program that reads the store, and run the same command again',
    });
  }

  /**
   * Checks that nothing to send was wiped: wiped messages cannot be sent to a destination that does not have
   * them yet, or again after an undo.
   *
   * @throws UsageError if something pending at the destination has no content any more.
   */
  assertContentKept(destination: number): void {
    if (new Facts(this.db).read('contentPurged') === undefined) return;
    const count = this.sql.countLacking.get(destination)!;
    if (count === 0) return;
    throw new UsageError(`Cannot send: the content of ${formatCount(count)} pending messages was purged`, {
      hint: 'Plan the export into another store: chatferry import EXPORT --store another.db',
    });
  }
}
