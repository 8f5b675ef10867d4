import { badAnswer, badRow, note, type SourceCode } from '../kit/codes.ts';

export const zendeskCodes: readonly SourceCode[] = [
  badRow(
    'zendesk-no-ticket',
    'Comments of no ticket',
    'A comment does not say of which ticket it is, and neither does the name of its file.',
    'Name the file by its ticket, such as tickets/123/comments.json or 123.json.',
  ),
  badAnswer('zendesk-bad-time', 'Messages without a time', '"created_at" or "timestamp" is no time of ISO 8601.'),
  badRow(
    'zendesk-unclear-visibility',
    'Texts of which it is not known who saw them',
    'A comment does not say whether it is "public", or a text is in an event of a chat that is not known. It may be an internal note.',
    'Look at it in Zendesk, and add "public" to the row, or remove the row.',
  ),
  badRow(
    'zendesk-offline-answer',
    'Answers to messages that were left offline',
    'No documentation of Zendesk says who wrote an answer in "response", and when.',
    'Look at it in Zendesk; as a rule it is a comment of the ticket too, whose answers have author and time.',
  ),
  note(
    'zendesk-messages-elsewhere',
    'Tickets that came over a chat or a messenger',
    'Zendesk keeps messages of chats and messengers in the log of the conversation. The comments of such a ticket have what agents added to it, and a transcript only if the account is set up so.',
    'Export the chats of Zendesk Chat too, and pass both exports, unless the comments of these tickets are enough.',
  ),
  note(
    'zendesk-not-migrated',
    'Data that agents and the desk keep about tickets and chats',
    'Tags, fields, notes about people, addresses of visitors and the pages that they saw are for agents: they are not sent, because customers would see them. Of a deleted ticket Zendesk has nothing but its row.',
  ),
];
