import type { WholeCheck } from '../check.ts';

export const sameSecond: WholeCheck = {
  code: 'same-second',
  severity: 'information',
  title: 'Messages of one second',
  explanation:
    'The service keeps whole seconds. Messages of one second stay in order by being sent in order; a client that sorts by time alone may show them otherwise.',
  remedy: 'Nothing.',
  find: `SELECT c.source_id AS path, '' AS place, sum(ties.n) || ' messages share their second with another' AS detail
    FROM (SELECT whole.conversation, whole.n - coalesce(parts.n, 0) AS n
          FROM (SELECT conversation, sent_at / 1000 AS second, count(*) AS n FROM message INDEXED BY message_order
                WHERE verdict = 'planned' GROUP BY conversation, second HAVING n > 1) whole
          LEFT JOIN (SELECT conversation, sent_at / 1000 AS second, count(*) AS n FROM message
                     WHERE part > 1 AND verdict = 'planned' GROUP BY conversation, second) parts USING (conversation, second)) ties
    JOIN conversation c ON c.id = ties.conversation WHERE ties.n > 1 GROUP BY ties.conversation`,
};
