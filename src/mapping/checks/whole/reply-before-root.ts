import type { WholeCheck } from '../check.ts';

export const replyBeforeRoot: WholeCheck = {
  code: 'reply-before-root',
  severity: 'information',
  title: 'Replies older than their root',
  explanation: 'The reply was sent before the message that it answers: one of the times is wrong.',
  remedy: 'Check the time format and the zone of the source.',
  find: `SELECT f.path, m.place, ((r.sent_at - m.sent_at) / 1000) || ' s before the root' AS detail
    FROM temp.odd_reply o JOIN message m ON m.seq = o.reply JOIN source_file f ON f.id = m.file JOIN message r ON r.seq = o.root
    WHERE m.sent_at < r.sent_at`,
};
