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
    code: 'zendesk-offline-answer',
    severity: 'blocks',
    title: 'Answers to messages that were left offline',
    explanation: 'No documentation of Zendesk says who wrote an answer in "response", and when.',
    remedy: 'Look at it in Zendesk; as a rule it is a comment of the ticket too, whose answers have author and time.',
  },
  {
    code: 'zendesk-messages-elsewhere',
    severity: 'decision',
    title: 'Tickets that came over a chat or a messenger',
    explanation:
      'Zendesk keeps messages of chats and messengers in the log of the conversation. The comments of such a ticket have what agents added to it, and a transcript only if the account is set up so.',
    about: 'nothing',
    options: [
      'Export the chats of Zendesk Chat too, and pass both exports.',
      'Ignore it if the comments of these tickets are enough.',
    ],
    otherwise: 'the comments that are in the export are sent',
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
