import { badAnswer, badRow, note, type SourceCode } from '../kit/codes.ts';

export const helpscoutCodes: readonly SourceCode[] = [
  badRow(
    'helpscout-no-conversation',
    'Threads of no conversation',
    'A thread does not say of which conversation it is, and neither does the address in the answer or the path of its file. A number in the path counts only if the list of conversations, where there is one, has it.',
    'Name the file by its conversation, such as conversations/123/threads.json or threads/123.json.',
  ),
  badAnswer('helpscout-bad-time', 'Threads without a time', '"createdAt" is no time of ISO 8601.'),
  badAnswer(
    'helpscout-bad-body',
    'Threads whose text is none',
    '"body" is neither a text nor null, or "attachments" is no list.',
  ),
  badRow(
    'helpscout-unclear-visibility',
    'Threads of which it is not known who saw them',
    'The type of the thread is not known, or its state is none of published, draft, hidden and underreview. It may be a note for agents.',
    'Look at it in Help Scout, and correct "type" and "state" of the row, or remove the row.',
  ),
  note(
    'helpscout-not-migrated',
    'Data that agents keep about conversations',
    'Tags, fields, copies to other addresses, read marks and what line items say are for agents: they are not sent, because customers would see them.',
  ),
];
