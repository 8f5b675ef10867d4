/** Where an action stands at one destination. */
export type ActionState =
  /** Its message has not arrived yet. */
  | 'waiting'
  | 'ready'
  /** In doubt. */
  | 'sent'
  | 'done'
  | 'present'
  | 'refused';

/** An action `a` with what a destination said about it (`v`) and about its message (`d`). */
export const actionJoins = (destination: string) =>
  `action a LEFT JOIN action_delivery v ON v.destination = ${destination} AND v.action = a.id
   LEFT JOIN delivery d ON a.message > 0 AND d.destination = ${destination} AND d.message = a.message`;

/**
 * The state of an action, for those joins. A reaction belongs to the message that it was given to: where that was taken back or
 * was lost and sent again, the reaction is to be given again.
 */
export const actionState = `CASE
  WHEN a.message > 0 AND d.state = 'refused' THEN 'refused'
  WHEN a.message > 0 AND (d.state IS NULL OR d.state NOT IN ('imported', 'present')) THEN 'waiting'
  WHEN a.message > 0 AND d.server_id IS NULL THEN 'refused'
  WHEN v.state IS NULL OR v.state = 'pending' OR v.server_id IS NOT d.server_id THEN 'ready'
  ELSE v.state END`;

/** Why it is refused, where it is. */
export const actionCode = `CASE
  WHEN a.message > 0 AND d.state = 'refused' THEN 'message-refused'
  WHEN a.message > 0 AND d.state IN ('imported', 'present') AND d.server_id IS NULL THEN 'no-server-id'
  ELSE v.code END`;
