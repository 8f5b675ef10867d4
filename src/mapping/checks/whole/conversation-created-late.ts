import type { WholeCheck } from '../check.ts';

export const conversationCreatedLate: WholeCheck = {
  code: 'conversation-created-late',
  severity: 'information',
  title: 'Conversations that are younger than their messages',
  explanation:
    'Messages stand in the conversation from before it was created: a merged or renamed channel, or a wrong time.',
  remedy: 'Nothing: the service takes messages of any time.',
  find: `SELECT c.source_id AS path, '' AS place, 'the first message is ' || (((c.record ->> '$.createdAtMs') - first.sent_at) / 86400000) || ' days older' AS detail
    FROM conversation c JOIN (SELECT conversation, min(sent_at) AS sent_at FROM message INDEXED BY message_order
      WHERE verdict = 'planned' GROUP BY conversation) first ON first.conversation = c.id
    WHERE (c.record ->> '$.createdAtMs') - first.sent_at > 86400000`,
};
