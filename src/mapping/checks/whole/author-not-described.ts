import type { WholeCheck } from '../check.ts';

export const authorNotDescribed: WholeCheck = {
  code: 'author-not-described',
  severity: 'decision',
  title: 'Authors whom no file describes',
  explanation:
    'No file of the export describes somebody who wrote messages: they become a user with the name that their messages give, or their id.',
  remedy: 'Export the people too, or give their uids in the mapping (people.uids).',
  find: `SELECT p.source_id AS path, '' AS place, 'shown as "' || p.name || '"' AS detail FROM person p
    WHERE p.is_placeholder = 1 AND p.source_id <> 'unknown' AND p.id IN (SELECT sender FROM temp.writer)`,
};
