import type { WholeCheck } from '../check.ts';

export const sameEmailPeople: WholeCheck = {
  code: 'same-email-people',
  severity: 'decision',
  title: 'People with the same e-mail address',
  explanation:
    'Two accounts of the export belong to one address: probably one person, whose messages would be split over two users.',
  remedy: 'Merge the two in the mapping, if they are one person.',
  find: `SELECT group_concat(source_id, ', ') AS path, '' AS place, count(*) || ' people share an address' AS detail
    FROM person WHERE record ->> '$.email' <> '' GROUP BY lower(record ->> '$.email') HAVING count(*) > 1`,
};
