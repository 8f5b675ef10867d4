/** State of an action at one destination. */
export type ActionState =
  /** Its message has not arrived yet. */
  | 'waiting'
  | 'ready'
  /** In doubt. */
  | 'sent'
  | 'done'
  | 'existing'
  | 'failed';

/** An action `a` with what a destination said about it (`v`) and about its message (`d`). */
export const actionJoins = (destination: string) =>
  `action a LEFT JOIN action_delivery v ON v.destination = ${destination} AND v.action = a.id
   LEFT JOIN delivery d ON a.message > 0 AND d.destination = ${destination} AND d.message = a.message`;

/**
 * SQL of the state of an action, for those joins. A reaction belongs to the message it was given to: if that message
 * was rolled back, or was lost and sent again, the reaction has to be given again. If a reaction left from another copy
 * of the store, its delivery of the message is not always known: it is looked up.
 */
export const actionState = `CASE
  WHEN a.message > 0 AND d.state = 'failed' THEN 'failed'
  WHEN a.message > 0 AND (d.state IS NULL OR d.state NOT IN ('imported', 'existing')) THEN 'waiting'
  WHEN a.message > 0 AND d.server_id IS NULL THEN 'failed'
  WHEN v.state IS NULL OR v.state = 'pending' OR v.server_id <> d.server_id THEN 'ready'
  ELSE v.state END`;

/** SQL of the code of a failed action, if it failed. */
export const actionCode = `CASE
  WHEN a.message > 0 AND d.state = 'failed' THEN 'message-refused'
  WHEN a.message > 0 AND d.state IN ('imported', 'existing') AND d.server_id IS NULL THEN 'no-server-id'
  ELSE v.code END`;

/** SQL: whether the reaction of an action row was purged. */
export const isPurgedReaction = (action: string) => `${action}.reaction GLOB 'purged [0-9]*'`;

/** In `message.reactions`: those that were staged were purged. A file that is read again does not bring them back. */
export const noReactions = '[]';

/** SQL: people of whom a message may still be sent to `@destination`, or to whom one may be. */
export const peopleWithOpenMessages = `
    WITH open AS (SELECT DISTINCT m.conversation, m.sender FROM message m
      LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq
      WHERE m.verdict = 'planned' AND (d.state IS NULL OR d.state IN ('pending', 'sent')))
    SELECT sender FROM open
    UNION SELECT c.person_a FROM open JOIN conversation c ON c.id = open.conversation WHERE c.receiver_type = 'user'
    UNION SELECT c.person_b FROM open JOIN conversation c ON c.id = open.conversation WHERE c.receiver_type = 'user'`;
