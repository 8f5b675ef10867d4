import type { WholeCheck } from '../check.ts';

export const writerNotMember: WholeCheck = {
  code: 'writer-not-member',
  severity: 'information',
  title: 'Writers who are not members',
  explanation: 'Somebody wrote in the conversation who is not among its members: they left, or were removed.',
  remedy: 'Nothing: their messages are sent; remove them there afterwards if they may not read it.',
  find: `SELECT c.source_id AS path, '' AS place, count(*) || ' people, for example ' || min(p.source_id) AS detail
    FROM conversation c JOIN temp.writer w ON w.conversation = c.id JOIN person p ON p.id = w.sender
    WHERE c.is_placeholder = 0 AND p.is_placeholder = 0 AND c.person_a IS NULL AND json_array_length(c.record, '$.members') > 0
      AND NOT EXISTS (SELECT 1 FROM json_each(c.record, '$.members') member WHERE member.value = p.source_id)
    GROUP BY c.id`,
};
