import { listsNobody, mayBeMember } from '../base/member-lists.ts';
import { isOfLaterExport } from '../messages/later-exports.ts';
import { lateStatements, sql, type Sql, withStatements } from '../base/statements.ts';

/** Location of a finding: a file and a location in it, or the id of a person or conversation. */
export interface Found {
  readonly path: string;
  readonly place: string;
  /** List of JSON, where a finding is about several people. */
  readonly ids?: string;
}

/** How uids with a hash are made (`mapping/ids.ts`): so much of the uid, then `-` and eight characters. */
const uidHeadMax = 91;
const uidHashLength = 9;

const oddReplies = `temp.odd_reply o JOIN message m ON m.seq = o.reply JOIN source_file f ON f.id = m.file`;
const oddRepliesWithRoot = `${oddReplies} JOIN message r ON r.seq = o.root`;

/** Null if nothing of the conversation is planned: then the check does not apply. */
const conversationsWithFirst = `(SELECT source_id, record ->> '$.createdAtMs' AS created_at, (SELECT min(sent_at) FROM message INDEXED BY message_order
     WHERE verdict = 'planned' AND conversation = c.id) AS first_at FROM conversation c WHERE is_placeholder = 0 AND created_at IS NOT NULL)`;

/** The names of the two, who else wrote most, how many of the messages, and how many others wrote besides. */
interface ThirdWriter {
  readonly a: string;
  readonly b: string;
  readonly third: string;
  readonly wrote: number;
  readonly all: number;
  readonly others: number;
}

/** Whole numbers that SQLite can count with: 63 bits, without a leading zero that would make two of one. */
const isNumber = `(m.origin_id = '0' OR (m.origin_id NOT GLOB '*[^0-9]*' AND m.origin_id GLOB '[1-9]*'
  AND (length(m.origin_id) < 19 OR (length(m.origin_id) = 19 AND m.origin_id <= '9223372036854775807'))))`;

/** Yields every message once, including those that are left out. The declaration comes first: without it, no message is read. */
const numbered = `SELECT m.seq, m.file, m.place, m.origin_id, ${isNumber} AS is_number,
    CASE k.value WHEN 'conversation' THEN m.conversation ELSE 0 END AS scope
  FROM meta k CROSS JOIN message m WHERE k.key = 'consecutiveIds' AND k.value <> 'no'
    AND m.origin_id IS NOT NULL AND m.verdict <> 'duplicate' AND coalesce(m.part, 1) = 1`;

/**
 * A gap between two ids, or ids that cannot be counted with: one row for all, with the first of them. Numbers are text, for they
 * may have 63 bits.
 */
type MissingNumbers =
  | { readonly before: string; readonly id: string; readonly count: string; readonly conversation: string | null }
  | { readonly before: null; readonly id: string; readonly count: string };

/**
 * Oddities in everything that is staged, one query for each. The queries run at the end of a plan, and need the indexes
 * of `message`, `temp.writer` (conversation, sender: who wrote where), `temp.tied` (conversation: may have several
 * messages in one second), `temp.later` (`compareExports`) and `temp.odd_reply` (reply, root, is_planned: replies whose root is missing, null, and those
 * that are planned and whose root is not sent, itself a reply, or later).
 */
const texts = {
  /** The author `unknown` stands for those of whom the export says nothing at all. */
  undescribedAuthors: sql<[], Found & { name: string; count: number }>`
    SELECT p.source_id AS path, '' AS place, p.name, w.count FROM person p
    JOIN (SELECT sender, sum(count) AS count FROM temp.writer GROUP BY sender) w ON w.sender = p.id
    WHERE p.is_placeholder = 1 AND p.source_id <> 'unknown'`,
  undescribedConversations: sql<[], Found & { name: string; count: number }>`
    SELECT c.source_id AS path, '' AS place, c.name, w.count FROM conversation c
    JOIN (SELECT conversation, sum(count) AS count FROM temp.writer GROUP BY conversation) w ON w.conversation = c.id
    WHERE c.is_placeholder = 1`,
  repliesWithoutRoot: sql<[], Found>`
    SELECT f.path, m.place FROM ${oddReplies} WHERE o.root IS NULL AND o.is_planned`,
  repliesToUnsent: sql<[], Found & { verdict: string; reason: string | null }>`
    SELECT f.path, m.place, r.verdict, r.reason FROM ${oddRepliesWithRoot} WHERE r.verdict <> 'planned'`,
  repliesToReplies: sql<[], Found>`
    SELECT f.path, m.place FROM ${oddRepliesWithRoot} WHERE r.root_muid IS NOT NULL AND r.seq <> m.seq`,
  repliesBeforeRoot: sql<[], Found & { seconds: number }>`
    SELECT f.path, m.place, (r.sent_at - m.sent_at) / 1000 AS seconds FROM ${oddRepliesWithRoot} WHERE m.sent_at < r.sent_at`,
  /** Parts of one message share its time and count once: those of a conversation in which a second has more than one message. */
  messagesOfOneSecond: sql<[], Found & { count: number }>`
    SELECT c.source_id AS path, '' AS place, sum(ties.n) AS count
    FROM (SELECT whole.conversation, whole.n - coalesce(parts.n, 0) AS n
          FROM (SELECT conversation, sent_at / 1000 AS second, count(*) AS n FROM message INDEXED BY message_order
                WHERE verdict = 'planned' AND conversation IN (SELECT conversation FROM temp.tied) GROUP BY conversation, second HAVING n > 1) whole
          LEFT JOIN (SELECT conversation, sent_at / 1000 AS second, count(*) AS n FROM message
                    WHERE part > 1 AND verdict = 'planned' GROUP BY conversation, second) parts USING (conversation, second)) ties
    JOIN conversation c ON c.id = ties.conversation WHERE ties.n > 1 GROUP BY ties.conversation`,
  /** All but the first of the messages of one conversation, author, time and content. */
  copiesOfMessages: sql<[], Found & { first: string }>`
    SELECT f.path, m.place, t.first
    FROM (SELECT o.conversation, o.sent_at, o.record_digest, min(o.origin_id) AS first, min(o.seq) AS kept
          FROM (SELECT conversation, sent_at FROM message INDEXED BY message_order
                WHERE verdict = 'planned' AND conversation IN (SELECT conversation FROM temp.tied)
                GROUP BY conversation, sent_at HAVING count(*) > 1) ties
          JOIN message o ON o.conversation = ties.conversation AND o.sent_at = ties.sent_at AND o.verdict = 'planned' AND coalesce(o.part, 1) = 1
          GROUP BY o.conversation, o.sent_at, o.record_digest HAVING count(*) > 1) t
    JOIN message m ON m.conversation = t.conversation AND m.sent_at = t.sent_at AND m.record_digest = t.record_digest
      AND m.verdict = 'planned' AND coalesce(m.part, 1) = 1 AND m.seq <> t.kept
    JOIN source_file f ON f.id = m.file`,
  /** Versions of one message that other files have otherwise, if neither they nor their exports say which is the later. A correction is the later one. */
  undecidedVersions: sql<[], Found & { kept: string }>`
    SELECT f.path, m.place, g.path AS kept FROM message m
    JOIN message w ON w.muid = m.muid AND w.verdict <> 'duplicate' AND w.record_digest <> m.record_digest
      AND w.file <> m.file AND coalesce(w.version, '') = coalesce(m.version, '')
    JOIN source_file f ON f.id = m.file JOIN source_file g ON g.id = w.file
    JOIN source_input i ON i.id = f.input JOIN source_input j ON j.id = g.input
    WHERE m.verdict = 'duplicate' AND coalesce(m.part, 1) = 1 AND coalesce(i.source, j.source) IS NULL
      AND NOT ${isOfLaterExport('m.conversation', 'g', 'f')}`,
  /** By more than a day. */
  conversationsYoungerThanMessages: sql<[], Found & { days: number }>`
    SELECT source_id AS path, '' AS place, (created_at - first_at) / 86400000 AS days
    FROM ${conversationsWithFirst} WHERE created_at - first_at > 86400000`,
  /** By more than 30 days. */
  conversationsOlderThanMessages: sql<[], Found & { days: number }>`
    SELECT source_id AS path, '' AS place, (first_at - created_at) / 86400000 AS days
    FROM ${conversationsWithFirst} WHERE first_at - created_at > 30 * 86400000`,
  /** Only sources that count links into the old system (`oldLinks`) give them keys. */
  linksToUnsent: sql<[], Found & { url: string; verdict: string | null }>`
    SELECT f.path, m.place, link.value ->> '$.url' AS url, target.verdict
    FROM message m JOIN source_file f ON f.id = m.file, json_each(m.payload, '$.data.metadata.chatferry.links') AS link
    LEFT JOIN message target ON target.muid = link.value ->> '$.key' AND target.verdict <> 'duplicate'
    WHERE m.verdict = 'planned' AND instr(m.facts, '"oldLinks"') > 0 AND m.payload IS NOT NULL
      AND (target.verdict IS NULL OR target.verdict <> 'planned')`,
  peopleWithHashes: sql<[], Found & { name: string; uid: string; other: string }>`
    WITH others AS MATERIALIZED (SELECT source_id, substr(uid, 1, ${uidHeadMax}) AS head FROM person)
    SELECT p.source_id AS path, '' AS place, p.name, p.uid, min(o.source_id) AS other
    FROM person p JOIN others o ON o.head = substr(p.uid, 1, length(p.uid) - ${uidHashLength}) AND o.source_id <> p.source_id
    WHERE p.has_hash = 1 GROUP BY p.source_id`,
  peopleOfOneName: sql<[], Found & { name: string; count: number }>`
    SELECT group_concat(source_id, ', ') AS path, '' AS place, min(name) AS name, count(*) AS count
    FROM person WHERE is_placeholder = 0 GROUP BY lower(name) HAVING count(*) > 1`,
  /** Their names and ids are lists of JSON. */
  peopleOfOneAddress: sql<[], Found & { names: string; count: number }>`
    SELECT group_concat(source_id, ', ') AS path, '' AS place, json_group_array(name) AS names, count(*) AS count,
      json_group_array(source_id) AS ids
    FROM person WHERE record ->> '$.email' <> '' GROUP BY lower(record ->> '$.email') HAVING count(*) > 1`,
  groupsOfOneName: sql<[], Found & { name: string; count: number }>`
    SELECT group_concat(c.source_id, ', ') AS path, '' AS place, min(c.name) AS name, count(*) AS count
    FROM conversation c WHERE c.name <> '' AND c.receiver_type = 'group' AND c.id IN (SELECT conversation FROM temp.writer)
    GROUP BY lower(c.name) HAVING count(*) > 1`,
  /** Returns no rows if no message was written at all. */
  emptyConversations: sql<[], Found & { name: string }>`
    SELECT source_id AS path, '' AS place, name FROM conversation
    WHERE id NOT IN (SELECT conversation FROM temp.writer) AND EXISTS (SELECT 1 FROM temp.writer)`,
  // With max() SQLite takes the other columns from the row that has it.
  directConversationsOfThree: sql<[], Found & ThirdWriter>`
    SELECT c.source_id AS path, '' AS place, a.name AS a, b.name AS b, p.name AS third, max(w.count) AS wrote,
      (SELECT sum(t.count) FROM temp.writer t WHERE t.conversation = c.id) AS "all", count(*) - 1 AS others
    FROM conversation c JOIN person a ON a.id = c.person_a JOIN person b ON b.id = c.person_b
    JOIN temp.writer w ON w.conversation = c.id JOIN person p ON p.id = w.sender
    WHERE c.person_a IS NOT NULL AND w.sender NOT IN (c.person_a, c.person_b) GROUP BY c.id`,
  /** Groups with planned messages, with who wrote most. */
  groupsWithoutList: sql<[], Found & { people: number; count: number; first: string }>`
    SELECT path, '' AS place, count(*) AS people, sum(wrote) AS count, name AS first, max(wrote) FROM (
      SELECT c.source_id AS path, p.name, w.count AS wrote FROM conversation c JOIN temp.writer w ON w.conversation = c.id
      JOIN person p ON p.id = w.sender WHERE c.receiver_type = 'group' AND ${listsNobody} AND ${mayBeMember}) GROUP BY path`,
  /** Only conversations whose members the export names. */
  writersWhoAreNoMembers: sql<[], Found & { count: number; first: string }>`
    SELECT c.source_id AS path, '' AS place, count(*) AS count, min(p.source_id) AS first
    FROM conversation c JOIN temp.writer w ON w.conversation = c.id JOIN person p ON p.id = w.sender
    WHERE c.is_placeholder = 0 AND p.is_placeholder = 0 AND c.person_a IS NULL AND json_array_length(c.record, '$.members') > 0
      AND NOT EXISTS (SELECT 1 FROM json_each(c.record, '$.members') member WHERE member.value = p.source_id)
    GROUP BY c.id`,
  /** One for each message of people about whom `people.former` is to be decided (needs staged arrivals). */
  messagesOfFormerMembers: sql<[], Found & { person: string; group: string }>`
    SELECT f.path, m.place, p.name AS person, iif(c.name <> '', c.name, c.source_id) AS "group"
    FROM (SELECT DISTINCT conversation FROM arrival WHERE kind = 'members' AND asked = 1) g
    CROSS JOIN message m ON m.conversation = g.conversation AND m.verdict = 'planned'
    CROSS JOIN arrival a ON a.kind = 'members' AND a.conversation = m.conversation AND a.person = m.sender AND a.asked = 1
    JOIN source_file f ON f.id = m.file JOIN person p ON p.id = m.sender JOIN conversation c ON c.id = m.conversation
    WHERE m.vanished = 0 AND m.follows IS NULL AND coalesce(m.part, 1) = 1`,
  /** With the number of all members, and the first in the order of the export. */
  undescribedMembers: sql<[], Found & { count: number; all: number; first: string }>`
    SELECT c.source_id AS path, '' AS place, count(*) AS count, json_array_length(c.record, '$.members') AS "all",
      c.record ->> ('$.members[' || min(member.key) || ']') AS first
    FROM conversation c, json_each(c.record, '$.members') AS member LEFT JOIN person p ON p.source_id = member.value
    WHERE c.is_placeholder = 0 AND +c.id IN (SELECT conversation FROM temp.writer) AND coalesce(p.is_placeholder, 1) = 1
    GROUP BY c.id`,
  membersWhoNeverWrote: sql<[], Found & { count: number }>`
    SELECT c.source_id AS path, '' AS place, count(*) AS count
    FROM conversation c, json_each(c.record, '$.members') AS member LEFT JOIN person p ON p.source_id = member.value
    WHERE c.is_placeholder = 0 AND c.receiver_type = 'group' AND +c.id IN (SELECT conversation FROM temp.writer)
      AND NOT EXISTS (SELECT 1 FROM temp.writer w WHERE w.conversation = c.id AND w.sender = p.id) GROUP BY c.id`,
  /** The months with messages (`2026-11`) behind which one or more have none, and the next that has. */
  monthsBeforeEmptyOnes: sql<[], Found & { next: string }>`
    SELECT month AS path, '' AS place, next FROM (
      SELECT month, number, lead(month) OVER (ORDER BY number) AS next, lead(number) OVER (ORDER BY number) AS next_number
      FROM (SELECT DISTINCT strftime('%Y-%m', day * 86400, 'unixepoch') AS month,
              strftime('%Y', day * 86400, 'unixepoch') * 12 + strftime('%m', day * 86400, 'unixepoch') AS number
            FROM (SELECT DISTINCT sent_at / 86400000 AS day FROM message WHERE verdict = 'planned')))
    WHERE next_number > number + 1`,
  missingNumbers: sql<[], Found & MissingNumbers>`
    WITH numbered AS MATERIALIZED (${numbered}),
      ordered AS (SELECT file, place, scope, CAST(origin_id AS INTEGER) AS id,
        lag(CAST(origin_id AS INTEGER)) OVER (PARTITION BY scope ORDER BY CAST(origin_id AS INTEGER)) AS before
        FROM numbered WHERE is_number)
    SELECT f.path, o.place, CAST(o.before AS TEXT) AS before, CAST(o.id AS TEXT) AS id, CAST(o.id - o.before - 1 AS TEXT) AS count,
        (SELECT source_id FROM conversation WHERE id = o.scope) AS conversation
      FROM ordered o JOIN source_file f ON f.id = o.file WHERE o.id - o.before > 1
    UNION ALL SELECT min(f.path), '', NULL, min(n.origin_id), CAST(count(*) AS TEXT), NULL
      FROM numbered n JOIN source_file f ON f.id = n.file WHERE NOT n.is_number HAVING count(*) > 0`,
  /** Times in ISO 8601, in UTC. */
  timesInNoExport: sql<[], Found & { after: string; before: string }>`
    SELECT c.source_id AS path, '' AS place, strftime('%Y-%m-%dT%H:%M:%SZ', g.after_at / 1000, 'unixepoch') AS after,
      strftime('%Y-%m-%dT%H:%M:%SZ', g.before_at / 1000, 'unixepoch') AS before
    FROM export_gap g JOIN conversation c ON c.id = g.conversation ORDER BY g.conversation, g.after_at`,
  /** One finding where not one message is planned: how many rows were read. */
  noMessagePlanned: sql<[], Found & { count: number }>`
    SELECT '' AS path, '' AS place, (SELECT count(*) FROM message) AS count
    WHERE NOT EXISTS (SELECT 1 FROM message WHERE verdict = 'planned')`,
};

const statements = lateStatements(texts);

export type OddRows = {
  readonly [Name in keyof typeof texts]: (typeof texts)[Name] extends Sql<[], infer Row> ? Row : never;
};

export class Oddities extends withStatements(statements) {
  rows<Name extends keyof OddRows>(name: Name): IterableIterator<OddRows[Name]> {
    return this.sql[name].iterate() as IterableIterator<OddRows[Name]>;
  }
}
