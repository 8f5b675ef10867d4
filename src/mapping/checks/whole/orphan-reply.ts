import type { WholeCheck } from '../check.ts';

export const orphanReply: WholeCheck = {
  code: 'orphan-reply',
  severity: 'information',
  title: 'Replies whose root is missing',
  explanation:
    'The export does not have the message in whose thread this one answers: it was deleted, or belongs to an export of another time.',
  remedy: 'Export from an earlier date, or accept that the reply stands by itself.',
  find: `SELECT f.path, m.place, 'no root' AS detail FROM temp.odd_reply o JOIN message m ON m.seq = o.reply
    JOIN source_file f ON f.id = m.file WHERE o.root IS NULL AND o.is_planned`,
};
