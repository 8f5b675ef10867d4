import type { WholeCheck } from '../check.ts';

export const replyToUnsent: WholeCheck = {
  code: 'reply-to-unsent',
  severity: 'information',
  title: 'Replies whose root is not sent',
  explanation: 'The root of the thread is in the export, and is skipped or rejected: the reply stands by itself.',
  remedy: 'Look at why the root is left out: a rule of the mapping, or a reject.',
  find: `SELECT f.path, m.place, 'the root is ' || r.verdict || coalesce(': ' || r.reason, '') AS detail
    FROM temp.odd_reply o JOIN message m ON m.seq = o.reply JOIN source_file f ON f.id = m.file JOIN message r ON r.seq = o.root
    WHERE r.verdict <> 'planned'`,
};
