import type { WholeCheck } from '../check.ts';

export const silentMembers: WholeCheck = {
  code: 'silent-members',
  severity: 'information',
  title: 'Members who never wrote',
  explanation:
    'The service has no operation here that adds members: the group may stay invisible to people who never wrote in it.',
  remedy: 'Add them at the destination after the move.',
  find: `SELECT c.source_id AS path, '' AS place, count(*) || ' members' AS detail
    FROM conversation c, json_each(c.record, '$.members') AS member LEFT JOIN person p ON p.source_id = member.value
    WHERE c.receiver_type = 'group' AND c.id IN (SELECT conversation FROM temp.writer)
      AND NOT EXISTS (SELECT 1 FROM temp.writer w WHERE w.conversation = c.id AND w.sender = p.id) GROUP BY c.id`,
};
