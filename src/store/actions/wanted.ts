import type { ActionKind } from '../../model/action.ts';
import { isPurgedReaction, noReactions } from '../base/action-sql.ts';

/**
 * Distinct relations between different people, in the files that the export has now. A friendship counts once,
 * whichever of the two names the other.
 */
export const currentRelations = `SELECT DISTINCT r.type,
    CASE r.type WHEN 'friend' THEN min(r.from_person, r.to_person) ELSE r.from_person END AS person,
    CASE r.type WHEN 'friend' THEN max(r.from_person, r.to_person) ELSE r.to_person END AS other
  FROM relation r JOIN source_file f ON f.id = r.file
  WHERE f.role <> 'gone' AND r.from_person <> r.to_person`;

/** People who come with the messages (needs `collectWriters`): who wrote one, and both of a one-to-one conversation. */
const participants = `SELECT sender FROM temp.writer
  UNION SELECT c.person_a FROM temp.writer w JOIN conversation c ON c.id = w.conversation WHERE c.receiver_type = 'user'
  UNION SELECT c.person_b FROM temp.writer w JOIN conversation c ON c.id = w.conversation WHERE c.receiver_type = 'user'`;

/** Wanted actions of each kind, as rows of `action`. */
export const wantedActions = (isPart: boolean): Readonly<Record<ActionKind, string>> => {
  const between = isPart ? `AND person IN (${participants}) AND other IN (${participants})` : '';
  return {
    friends: `SELECT 'friends', 0, person, other, '' FROM (${currentRelations}) WHERE type = 'friend' ${between}`,
    blocks: `SELECT 'blocks', 0, person, other, '' FROM (${currentRelations}) WHERE type = 'block' ${between}`,
    reactions: `SELECT 'reactions', m.seq, p.value, 0, r.value ->> 0
      FROM message m, json_each(m.reactions) r, json_each(r.value, '$[1]') p
      WHERE m.reactions IS NOT NULL AND m.verdict = 'planned' AND m.vanished = 0`,
    // Another person with the same uid may be there already.
    deactivations: `SELECT 'deactivations', 0, p.id, 0, '' FROM person p
      WHERE p.record ->> '$.isDeleted' AND p.is_placeholder = 0 AND p.id IN (${participants}
        UNION SELECT person FROM arrival WHERE kind = 'people' AND is_wanted = 1)`,
  };
};

/** SQL: purged actions of a message that is unchanged: the export is not asked for them. */
export const isStillPurged = (kinds: readonly ActionKind[]) =>
  kinds.includes('reactions')
    ? `${isPurgedReaction('action')} AND EXISTS (SELECT 1 FROM message m WHERE m.seq = action.message
         AND m.verdict = 'planned' AND m.vanished = 0 AND m.reactions = '${noReactions}')`
    : 'false';

/** Purged reactions of messages that the export has in another version since: what is staged of them now takes their place. */
export const replacedReactions = `SELECT a.id FROM action a CROSS JOIN message m ON m.seq = a.message
  WHERE ${isPurgedReaction('a')} AND m.reactions <> '${noReactions}'`;
