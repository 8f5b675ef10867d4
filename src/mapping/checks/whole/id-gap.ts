import type { WholeCheck } from '../check.ts';

/** Whole numbers that SQLite can count with: 63 bits, without a leading zero that would make two of one. */
const isNumber = `(m.origin_id = '0' OR (m.origin_id NOT GLOB '*[^0-9]*' AND m.origin_id GLOB '[1-9]*'
  AND (length(m.origin_id) < 19 OR (length(m.origin_id) = 19 AND m.origin_id <= '9223372036854775807'))))`;

/** Every message once, also those that are left out. The declaration stands first: without it no message is looked at. */
const numbered = `SELECT m.seq, m.file, m.place, m.origin_id, ${isNumber} AS is_number,
    CASE k.value WHEN 'conversation' THEN m.conversation ELSE 0 END AS scope
  FROM meta k CROSS JOIN message m WHERE k.key = 'consecutiveIds' AND k.value <> 'no'
    AND m.origin_id IS NOT NULL AND m.verdict <> 'repeated' AND coalesce(m.part, 1) = 1`;

export const idGap: WholeCheck = {
  code: 'id-gap',
  severity: 'decision',
  title: 'Missing numbers of messages',
  explanation:
    'The source numbers its messages one by one (consecutiveIds), and some numbers are missing: rows that were deleted, rows that could not be read, or a part of the export that is not there.',
  remedy: 'Compare the example with the old system. Where it leaves numbers out by itself, set consecutiveIds: no.',
  find: `WITH numbered AS MATERIALIZED (${numbered}),
      ordered AS (SELECT file, place, scope, CAST(origin_id AS INTEGER) AS id,
        lag(CAST(origin_id AS INTEGER)) OVER (PARTITION BY scope ORDER BY CAST(origin_id AS INTEGER)) AS before
        FROM numbered WHERE is_number)
    SELECT f.path, o.place, 'between ' || o.before || ' and ' || o.id ||
        coalesce(' in ' || (SELECT source_id FROM conversation WHERE id = o.scope), '') || ': ' ||
        CASE o.id - o.before - 1 WHEN 1 THEN '1 message' ELSE (o.id - o.before - 1) || ' messages' END AS detail
      FROM ordered o JOIN source_file f ON f.id = o.file WHERE o.id - o.before > 1
    UNION ALL SELECT min(f.path), '', count(*) || ' ids are no whole numbers, for example ' || min(n.origin_id)
      FROM numbered n JOIN source_file f ON f.id = n.file WHERE NOT n.is_number HAVING count(*) > 0`,
};
