import type { Database } from 'better-sqlite3';

/** Placeholder for a purged reaction, with the number of its action: one person may have given several. */
const standIn = `'purged ' || id`;

/** SQL: whether the reaction of an action row was purged. */
export const isPurgedReaction = (action: string) => `${action}.reaction GLOB 'purged [0-9]*'`;

/** In `message.reactions`: those that were staged were purged. A file that is read again does not bring them back. */
export const noReactions = '[]';

/** Reactions that may still be asked for, or are unconfirmed, at a destination that has their message. */
const isOpen = `EXISTS (SELECT 1 FROM action a CROSS JOIN destination t
    CROSS JOIN delivery d ON d.destination = t.id AND d.message = a.message
    LEFT JOIN action_delivery v ON v.destination = t.id AND v.action = a.id
  WHERE a.message = m.seq AND a.is_wanted = 1 AND d.state IN ('imported', 'existing') AND d.server_id IS NOT NULL
    AND (v.state IS NULL OR v.state IN ('pending', 'sent') OR v.server_id IS NOT d.server_id))`;

/**
 * Purges who gave which reaction to messages whose content was purged, as far as every reaction of a message was given,
 * or refused. How many there were, and by whom, stays: verify counts them.
 *
 * No digest is kept of a reaction: there are so few that each of them is guessed at once.
 */
export function purgeReactions(db: Database): void {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS answered (message INTEGER PRIMARY KEY); DELETE FROM temp.answered');
  db.transaction(() => {
    db.exec(`INSERT INTO temp.answered SELECT m.seq FROM message m
        WHERE m.verdict = 'planned' AND m.payload IS NULL AND m.reactions <> '${noReactions}' AND NOT ${isOpen}
      UNION SELECT m.seq FROM action a CROSS JOIN message m ON m.seq = a.message
        WHERE a.kind = 'reactions' AND NOT ${isPurgedReaction('a')} AND m.verdict = 'planned' AND m.payload IS NULL AND NOT ${isOpen};
      UPDATE message SET reactions = '${noReactions}' WHERE seq IN (SELECT message FROM temp.answered);
      UPDATE action_delivery SET detail = NULL WHERE action IN (
        SELECT id FROM action WHERE message IN (SELECT message FROM temp.answered));
      UPDATE action SET reaction = ${standIn} WHERE kind = 'reactions' AND message IN (SELECT message FROM temp.answered)`);
  }).immediate();
}

/** Reactions of messages that the export has in another version since: what is staged of them now takes their place. */
export function dropPurgedReactions(db: Database): void {
  const replaced = `SELECT a.id FROM action a CROSS JOIN message m ON m.seq = a.message
    WHERE ${isPurgedReaction('a')} AND m.reactions <> '${noReactions}'`;
  db.exec(`DELETE FROM action_delivery WHERE action IN (${replaced}); DELETE FROM action WHERE id IN (${replaced})`);
}
