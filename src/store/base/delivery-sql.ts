/**
 * SQL: whether a planned message `m` has to be sent to the destination of its delivery `d` (joined from the left):
 * nothing was tried there, or the attempt certainly changed nothing. A follow-up is sent only if it has a delivery.
 */
export const isPending = `(d.state = 'pending' OR (d.state IS NULL AND m.follows IS NULL))`;

/** Conversations that something was sent to, and that were not read back whole without a difference. */
export const unsettled = `SELECT cd.conversation FROM conversation_delivery cd
  LEFT JOIN conversation_check k ON k.destination = cd.destination AND k.conversation = cd.conversation
  WHERE cd.destination = @destination AND (k.conversation IS NULL OR k.missing + k.extra + k.different + k.duplicated > 0)`;

/** Conversations that later runs than one sent to. */
export const touchedSince = `SELECT m.conversation FROM batch b
  CROSS JOIN delivery d ON d.batch = b.id AND d.destination = b.destination CROSS JOIN message m ON m.seq = d.message
  WHERE b.destination = @destination AND b.run > @run
  UNION SELECT m.conversation FROM action_delivery v
  JOIN action a ON a.id = v.action JOIN message m ON m.seq = a.message WHERE v.destination = @destination AND v.run > @run`;
