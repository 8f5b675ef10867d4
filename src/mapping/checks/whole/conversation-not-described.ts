import type { WholeCheck } from '../check.ts';

export const conversationNotDescribed: WholeCheck = {
  code: 'conversation-not-described',
  severity: 'decision',
  title: 'Conversations that no file describes',
  explanation:
    'Messages stand in it, and no file of the export describes it: it becomes a private group named by its id.',
  remedy: 'Export the list of conversations too.',
  find: `SELECT c.source_id AS path, '' AS place, 'a private group' AS detail FROM conversation c
    WHERE c.is_placeholder = 1 AND c.id IN (SELECT conversation FROM temp.writer)`,
};
