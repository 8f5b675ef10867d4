import type { WholeCheck } from '../check.ts';

export const sameNamePeople: WholeCheck = {
  code: 'same-name-people',
  severity: 'information',
  title: 'People with the same name',
  explanation: 'Two people have one name; at the destination they can only be told apart by picture and uid.',
  remedy: 'Rename one of them, or merge them if they are the same person.',
  find: `SELECT group_concat(source_id, ', ') AS path, '' AS place, min(name) || ', ' || count(*) || ' times' AS detail
    FROM person WHERE is_placeholder = 0 GROUP BY lower(name) HAVING count(*) > 1`,
};
