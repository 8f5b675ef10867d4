import type { WholeCheck } from '../check.ts';

export const thirdWriter: WholeCheck = {
  code: 'third-writer',
  severity: 'decision',
  title: 'Direct conversations in which a third writes',
  explanation:
    'Somebody who is not one of the two wrote in a direct conversation (bots do): the whole conversation becomes a group, or what the third wrote is rejected.',
  remedy: 'Choose with conversations.outsiders in the mapping.',
  find: `SELECT c.source_id AS path, '' AS place, 'for example ' || min(p.source_id) AS detail FROM conversation c
    JOIN temp.writer w ON w.conversation = c.id JOIN person p ON p.id = w.sender
    WHERE c.person_a IS NOT NULL AND c.person_b IS NOT NULL AND w.sender NOT IN (c.person_a, c.person_b) GROUP BY c.id`,
};
