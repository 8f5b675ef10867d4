import type { Database } from 'better-sqlite3';
import { type ArrivalRules, formerRule } from '../../model/arrival.ts';
import { listsNobody } from '../base/member-lists.ts';

/**
 * People who wrote in groups of which they are no members, or from which they are banned (needs `temp.joining`). The owner becomes a member
 * with the group. `is_known`: that they are none; of groups without a list it is not, until `conversations.members` says who is a member.
 */
export const collectFormer = ({ unlisted }: ArrivalRules) => `
  DROP TABLE IF EXISTS temp.former;
  CREATE TEMP TABLE former (conversation INTEGER, person INTEGER, joined INTEGER, is_known INTEGER, first INTEGER,
    PRIMARY KEY (conversation, person)) WITHOUT ROWID;
  INSERT OR IGNORE INTO temp.former
    SELECT g.conversation, p.id, (SELECT l.joined FROM temp.listed l WHERE l.conversation = g.conversation AND l.source_id = p.source_id),
      ${unlisted === 'writers'} OR NOT ${listsNobody}, NULL
    FROM temp.arriving_group g CROSS JOIN temp.writer w ON w.conversation = g.conversation JOIN person p ON p.id = w.sender
    JOIN conversation c ON c.id = g.conversation LEFT JOIN temp.joining j ON j.conversation = g.conversation AND j.person = p.id
    WHERE (j.person IS NULL OR j.is_banned) AND p.uid IS NOT c.details ->> '$.owner'`;

const theirMessages = (
  only: string,
) => `SELECT m.seq, m.sent_at, f.conversation, f.person FROM (SELECT DISTINCT conversation FROM temp.former) g
  CROSS JOIN message m ON m.conversation = g.conversation AND m.verdict = 'planned'
  CROSS JOIN temp.former f ON f.conversation = m.conversation AND f.person = m.sender ${only}`;

/** Since when they are members for the time of the import if the export does not say: their first message. */
export const describeFormer = `
  UPDATE temp.former SET first = t.first FROM (SELECT conversation, person, min(sent_at) / 1000 AS first FROM (${theirMessages('')}) GROUP BY 1, 2) t
    WHERE t.conversation = former.conversation AND t.person = former.person`;

/** Who is banned becomes a member as well. */
export const takeFromJoining =
  'DELETE FROM temp.joining WHERE (conversation, person) IN (SELECT conversation, person FROM temp.former)';

/** Messages of theirs of which nothing was sent anywhere. Their payloads stay: a later plan decides again. */
const skipMessages = `UPDATE message SET verdict = 'skipped', reason = '${formerRule}' WHERE seq IN (SELECT seq FROM (${theirMessages('WHERE f.is_known = 1')}))
  AND NOT EXISTS (SELECT 1 FROM destination d CROSS JOIN delivery v
    ON v.destination = d.id AND v.message = message.seq AND v.state <> 'pending')`;

/** @returns How many messages. */
export const skipFormer = (db: Database): number => db.prepare(skipMessages).run().changes;

/** Messages that `skipFormer` skipped are planned again. */
export const reopenFormer = `UPDATE message SET verdict = 'planned', reason = NULL
  WHERE verdict = 'skipped' AND reason = '${formerRule}' AND payload IS NOT NULL`;
