import type { WholeCheck } from '../check.ts';

export const sameContent: WholeCheck = {
  code: 'same-content',
  severity: 'decision',
  title: 'The same message under two ids',
  explanation:
    'Two messages of one conversation have the same author, time and content, and different ids: an export that holds each twice.',
  remedy: 'Compare the examples; leave one of the copies out of the export.',
  find: `SELECT f.path, m.place, 'the same as ' || t.first AS detail
    FROM (SELECT o.conversation, o.sent_at, o.record_digest, min(o.origin_id) AS first, min(o.seq) AS kept
          FROM (SELECT conversation, sent_at FROM message INDEXED BY message_order WHERE verdict = 'planned'
                GROUP BY conversation, sent_at HAVING count(*) > 1) ties
          JOIN message o ON o.conversation = ties.conversation AND o.sent_at = ties.sent_at AND o.verdict = 'planned' AND coalesce(o.part, 1) = 1
          GROUP BY o.conversation, o.sent_at, o.record_digest HAVING count(*) > 1) t
    JOIN message m ON m.conversation = t.conversation AND m.sent_at = t.sent_at AND m.record_digest = t.record_digest
      AND m.verdict = 'planned' AND coalesce(m.part, 1) = 1 AND m.seq <> t.kept
    JOIN source_file f ON f.id = m.file`,
};
