import type { WholeCheck } from '../check.ts';

export const sameNameConversations: WholeCheck = {
  code: 'same-name-conversations',
  severity: 'information',
  title: 'Groups with the same name',
  explanation: 'Two groups would have one name at the destination.',
  remedy: 'Rename one of them in the mapping, or merge them.',
  find: `SELECT group_concat(c.source_id, ', ') AS path, '' AS place, min(c.name) || ', ' || count(*) || ' times' AS detail
    FROM conversation c WHERE c.name <> '' AND c.receiver_type = 'group' AND c.id IN (SELECT conversation FROM temp.writer)
    GROUP BY lower(c.name) HAVING count(*) > 1`,
};
