import type { Database } from 'better-sqlite3';
import { insideConversations, insideMessages } from '../base/inside-messages.ts';

export interface UndoScope {
  readonly destination: number;
  readonly run: number;
  /** Only what `chooseInside` wrote down: a conversation that holds something else as well is left alone. */
  readonly insideOnly: boolean;
}

/**
 * Lists what an undo would ask of a destination, from the books alone: a conversation is asked for only where they show
 * that it was empty before us, and a group only where it did not exist. Everything else is listed as left alone, with the
 * reason. Calls that an earlier undo left open become part of this one.
 */
export function planUndo(db: Database, { destination, run, insideOnly }: UndoScope): void {
  const isAskedFor = insideOnly ? `m.conversation IN (${insideConversations})` : 'true';
  const isOutside = insideOnly ? `d.state <> 'pending' AND m.seq NOT IN (${insideMessages})` : 'false';
  db.transaction(() => {
    db.prepare(`DELETE FROM undo_call WHERE destination = ? AND state IN ('planned', 'left')`).run(destination);
    db.prepare(`UPDATE undo_call SET run = ? WHERE destination = ? AND state IN ('sent', 'gone')`).run(
      run,
      destination,
    );
    db.prepare(
      `INSERT INTO undo_call (destination, run, kind, subject, messages, state, reason)
       SELECT destination, @run, kind, conversation, imported, CASE WHEN reason IS NULL THEN 'planned' ELSE 'left' END, reason
       FROM (SELECT cd.destination, cd.conversation, CASE cd.receiver_type WHEN 'group' THEN 'group' ELSE 'conversation' END AS kind,
               t.imported + t.present AS imported,
               CASE WHEN t.outside > 0 THEN 'outside-only'
                    WHEN t.doubtful > 0 THEN 'in-doubt'
                    WHEN cd.foreign_count > 0 THEN 'foreign'
                    WHEN t.present > 0 THEN 'present'
                    WHEN t.different > 0 THEN 'different'
                    WHEN cd.was_empty IS NULL THEN 'not-proved'
                    WHEN cd.receiver_type = 'group' AND cd.group_existed IS NULL THEN 'not-proved'
                    WHEN cd.receiver_type = 'group' AND cd.group_existed = 1 THEN 'group-existed' END AS reason
             FROM (SELECT m.conversation, sum(d.state = 'imported') AS imported, sum(d.state = 'present') AS present,
                     sum(d.state = 'sent') AS doubtful, sum(d.state = 'refused' AND d.server_id IS NOT NULL) AS different,
                     sum(${isOutside}) AS outside
                   FROM delivery d JOIN message m ON m.seq = d.message WHERE d.destination = @destination AND ${isAskedFor}
                   GROUP BY m.conversation) t
             JOIN conversation_delivery cd ON cd.destination = @destination AND cd.conversation = t.conversation
             WHERE t.imported + t.present + t.doubtful > 0)
       WHERE NOT EXISTS (SELECT 1 FROM undo_call o WHERE o.destination = @destination AND o.kind <> 'person'
         AND o.subject = conversation AND o.state IN ('sent', 'gone'))
       ORDER BY conversation`,
    ).run({ destination, run });
  }).immediate();
}

/**
 * The same for people: only those whom the destination did not know when an import asked for them. With a filter, those
 * who wrote what is inside, or to whom it was written.
 */
export function planDeactivations(db: Database, { destination, run, insideOnly }: UndoScope): void {
  const isAskedFor = insideOnly
    ? `pd.person IN (SELECT sender FROM message WHERE seq IN (${insideMessages})
         UNION SELECT person_a FROM conversation WHERE id IN (${insideConversations})
         UNION SELECT person_b FROM conversation WHERE id IN (${insideConversations}))`
    : 'true';
  db.prepare(
    `INSERT INTO undo_call (destination, run, kind, subject, messages, state, reason)
     SELECT pd.destination, @run, 'person', pd.person, 0,
       CASE b.existed WHEN 0 THEN 'planned' ELSE 'left' END,
       CASE WHEN b.existed IS NULL THEN 'person-not-proved' WHEN b.existed = 1 THEN 'person-existed' END
     FROM person_delivery pd LEFT JOIN person_before b ON b.destination = pd.destination AND b.person = pd.person
     WHERE pd.destination = @destination AND ${isAskedFor} AND NOT EXISTS (SELECT 1 FROM undo_call o WHERE o.destination = @destination
       AND o.kind = 'person' AND o.subject = pd.person AND o.state IN ('sent', 'gone'))
     ORDER BY pd.person`,
  ).run({ destination, run });
}
