import { wholePayload } from './packed-payload.ts';

/**
 * SQL that keeps the sent version when the staged version is about to change: payload, sender and receiver, at every
 * destination that has a delivery of the message and no frozen version yet.
 */
export const freezeAll = `
  UPDATE delivery SET payload = (
    SELECT json_set(${wholePayload('m')}, '$.sender', s.uid, '$.receiverType', cd.receiver_type, '$.receiver',
      CASE cd.receiver_type WHEN 'group' THEN c.guid
        ELSE (SELECT uid FROM person WHERE id = CASE m.sender WHEN c.person_a THEN c.person_b ELSE c.person_a END) END)
    FROM message m
    JOIN person s ON s.id = m.sender
    JOIN conversation c ON c.id = m.conversation
    JOIN conversation_delivery cd ON cd.destination = delivery.destination AND cd.conversation = m.conversation
    WHERE m.seq = delivery.message)
  WHERE payload IS NULL AND state <> 'pending'`;

/** The same of one message, its only parameter: a look-up for each destination. */
export const freezeOne = `${freezeAll} AND destination IN (SELECT id FROM destination) AND message = ?`;

/** Why a message is left out for its time alone, as rules and codes call it: at another time it may be taken, or be the first to be left out. */
export const timeReasons: readonly string[] = ['too-old', 'time-out-of-range', 'older than olderThan', 'older-than'];

/** Ends the order key of a follow-up: it comes behind the message whose key begins it. */
export const behind = '~';
