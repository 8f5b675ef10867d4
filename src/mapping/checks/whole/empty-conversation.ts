import type { WholeCheck } from '../check.ts';

export const emptyConversation: WholeCheck = {
  code: 'empty-conversation',
  severity: 'information',
  title: 'Conversations without messages',
  explanation: 'Nothing is sent for the conversation, so it does not come into being at the destination.',
  remedy: 'Create it there by hand, if it is needed.',
  isAboutAbsence: true,
  find: `SELECT c.source_id AS path, '' AS place, c.name AS detail FROM conversation c
    WHERE c.id NOT IN (SELECT conversation FROM temp.writer) AND EXISTS (SELECT 1 FROM temp.writer)`,
};
