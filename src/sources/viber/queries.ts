import { valueBytesMax } from '../kit/files/app-database.ts';
import { eventTypes, type ViberDatabase } from './format.ts';

/** Queries of the database. Tables and columns that another version lacks are left out of them. */

const nothing = 'SELECT NULL WHERE 0';

/** Whether people are contacts; else they are numbers. */
const hasContacts = (db: ViberDatabase): boolean => db.has('Events', 'ContactID');

const hasReactions = (db: ViberDatabase): boolean =>
  db.has('LikeRelation', 'MessageToken') && db.has('LikeRelation', 'LikeEventID');

export const contacts = (db: ViberDatabase): string =>
  hasContacts(db) ? `SELECT ${db.selected('Contact', 'c')} FROM Contact c ORDER BY c.ContactID` : nothing;

/** Names by number, those of one's own address book first. */
export function numbers(db: ViberDatabase): string {
  if (hasContacts(db)) return nothing;
  const parts: string[] = [];
  if (db.has('ContactRelation', 'Number') && db.has('Contact', 'FirstName'))
    parts.push(`SELECT r.Number AS "Number", trim(coalesce(c.FirstName, '') || ' ' || ${second(db)}) AS name, NULL AS "clientName"
      FROM ContactRelation r JOIN Contact c ON c.ContactID = r.ContactID`);
  if (db.has('OriginNumberInfo', 'ClientName'))
    parts.push('SELECT o.Number, NULL, o.ClientName FROM OriginNumberInfo o');
  return parts.join(' UNION ALL ') || nothing;
}

const second = (db: ViberDatabase): string => (db.has('Contact', 'SecondName') ? "coalesce(c.SecondName, '')" : "''");

/** Contacts that wrote what was sent. */
export const ownContacts = (db: ViberDatabase): string =>
  hasContacts(db) ? 'SELECT DISTINCT ContactID FROM Events WHERE Direction = 1 AND ContactID IS NOT NULL' : nothing;

/** A row if the contact cannot be oneself: it wrote something that came in, or is alone in a chat of two. */
export const foreignSigns = (contact: number): string =>
  `SELECT 1 FROM Events WHERE Direction = 0 AND ContactID = ${contact} AND Type <> ${eventTypes.system}
   UNION ALL SELECT 1 FROM (SELECT ChatID FROM ChatRelation GROUP BY ChatID HAVING count(*) = 1 AND max(ContactID) = ${contact}) r
     JOIN ChatInfo i ON i.ChatID = r.ChatID WHERE i.Token IS NULL LIMIT 1`;

export const chats = (db: ViberDatabase): string =>
  `SELECT ${db.selected('ChatInfo', 'i')} FROM ChatInfo i ORDER BY i.ChatID`;

/** Members, and for chats of two the authors in them. */
export function members(db: ViberDatabase): string {
  const person = hasContacts(db) ? 'ContactID' : 'Number';
  if (!db.has('ChatRelation', person)) return nothing;
  return `SELECT ChatID, ${person} FROM ChatRelation UNION
    SELECT e.ChatID, e.${person} FROM Events e JOIN ChatInfo i ON i.ChatID = e.ChatID
      WHERE e.Direction = 0 AND i.Token IS NULL AND e.${person} IS NOT NULL ORDER BY 1, 2`;
}

const ofReaction = '(SELECT LikeEventID FROM LikeRelation WHERE LikeEventID IS NOT NULL)';

/** A reaction has no text: an event with one is a message, whatever else names it. */
const hasText = "coalesce(m.Body, '') <> ''";

/** Events that are no reactions, in their order. */
export function events(db: ViberDatabase): string {
  const tooLarge = ['Body', 'Subject', 'Info']
    .filter((column) => db.has('Messages', column))
    .map((column) => `coalesce(length(CAST(m."${column}" AS BLOB)) > ${valueBytesMax}, 0)`);
  return `SELECT ${db.selected('Messages', 'm')}, ${db.selected('Events', 'e')}, m.Type AS "messageType",
      ${tooLarge.join(' OR ')} AS "isTooLarge"
    FROM Events e LEFT JOIN Messages m ON m.EventID = e.EventID
    ${hasReactions(db) ? `WHERE e.EventID NOT IN ${ofReaction} OR ${hasText}` : ''} ORDER BY e.EventID`;
}

/** Reactions, by the event that they are about and in order of time. */
export const reactions = (db: ViberDatabase): string =>
  hasReactions(db)
    ? `SELECT t.EventID AS message, ${db.selected('Messages', 'm')}, ${db.selected('Events', 'e')}
       FROM LikeRelation l JOIN Events t ON t.Token = l.MessageToken AND t.Type <> ${eventTypes.system}
         JOIN Events e ON e.EventID = l.LikeEventID LEFT JOIN Messages m ON m.EventID = e.EventID
       WHERE NOT (${hasText}) ORDER BY t.EventID, e.TimeStamp, e.EventID`
    : nothing;

export const lostReactions = (db: ViberDatabase): string =>
  hasReactions(db)
    ? `SELECT count(*) AS count FROM LikeRelation WHERE MessageToken NOT IN
       (SELECT Token FROM Events WHERE Type <> ${eventTypes.system} AND Token IS NOT NULL)`
    : nothing;

/** Who wrote an event, and where. */
function written(db: ViberDatabase): string {
  const person = hasContacts(db) ? 'e.ContactID' : db.has('Events', 'Number') ? 'e.Number' : 'NULL';
  return `e.ChatID, e.Direction, ${person} AS "person"`;
}

/** Events that may be edits of other messages. */
export const edits = (db: ViberDatabase): string =>
  db.has('Messages', 'Info')
    ? `SELECT e.EventID, e.TimeStamp, ${written(db)}, m.Info FROM Messages m JOIN Events e ON e.EventID = m.EventID
       WHERE instr(m.Info, '"edit"') > 0 AND length(CAST(m.Info AS BLOB)) <= ${valueBytesMax}
         AND typeof(m.Body) IN ('text', 'null') AND coalesce(length(CAST(m.Body AS BLOB)), 0) <= ${valueBytesMax}
       ORDER BY e.EventID`
    : nothing;

/** The text of an edit. */
export const textOf = (event: number): string => `SELECT Body FROM Messages WHERE EventID = ${event}`;

export const tokens = (db: ViberDatabase): string =>
  `SELECT e.Token, ${written(db)} FROM Events e WHERE e.Type <> ${eventTypes.system}`;
