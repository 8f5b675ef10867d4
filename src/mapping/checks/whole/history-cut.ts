import type { WholeCheck } from '../check.ts';

export const historyCut: WholeCheck = {
  code: 'history-cut',
  severity: 'information',
  title: 'Conversations whose beginning is missing',
  explanation:
    'The first message is more than 30 days younger than the conversation: plans without full history, or an export from a later date on, leave out what was before.',
  remedy: 'Export the whole history, if the plan of the old system allows it.',
  isAboutAbsence: true,
  find: `SELECT c.source_id AS path, '' AS place, ((first.sent_at - (c.record ->> '$.createdAtMs')) / 86400000) || ' days between its creation and its first message' AS detail
    FROM conversation c JOIN (SELECT conversation, min(sent_at) AS sent_at FROM message INDEXED BY message_order
      WHERE verdict = 'planned' GROUP BY conversation) first ON first.conversation = c.id
    WHERE first.sent_at - (c.record ->> '$.createdAtMs') > 30 * 86400000`,
};
