import type { SourceCode } from '../kit/codes.ts';

export const zendeskCodes: readonly SourceCode[] = [
  {
    code: 'zendesk-no-ticket',
    severity: 'blocks',
    title: 'Comments of no ticket',
    explanation: 'A comment does not say of which ticket it is, and neither does the name of its file.',
    remedy: 'Name the file by its ticket, such as tickets/123/comments.json or 123.json.',
  },
  {
    code: 'zendesk-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"created_at" or "timestamp" is no time of ISO 8601.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'zendesk-unclear-visibility',
    severity: 'blocks',
    title: 'Texts of which it is not known who saw them',
    explanation:
      'A comment does not say whether it is "public", or a text is in an event of a chat that is not known. It may be an internal note.',
    remedy: 'Look at it in Zendesk, and add "public" to the row, or remove the row.',
  },
  {
    code: 'zendesk-not-migrated',
    severity: 'information',
    title: 'Data that agents and the desk keep about tickets and chats',
    explanation:
      'Tags, fields, notes about people, addresses of visitors and the pages that they saw are for agents: they are not sent, because customers would see them. Of a deleted ticket Zendesk has nothing but its row.',
    remedy: 'Nothing.',
  },
];
