import type { WholeCheck } from '../check.ts';

export const nestedReply: WholeCheck = {
  code: 'nested-reply',
  severity: 'information',
  title: 'Replies to replies',
  explanation: 'The root of the thread is itself a reply. Most systems have threads of one level.',
  remedy: 'Nothing: metadata keeps the link as it is.',
  find: `SELECT f.path, m.place, 'the root is a reply' AS detail FROM temp.odd_reply o JOIN message m ON m.seq = o.reply
    JOIN source_file f ON f.id = m.file JOIN message r ON r.seq = o.root WHERE r.root_muid IS NOT NULL AND r.seq <> m.seq`,
};
