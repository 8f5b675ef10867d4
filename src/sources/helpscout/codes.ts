import type { SourceCode } from '../kit/codes.ts';

export const helpscoutCodes: readonly SourceCode[] = [
  {
    code: 'helpscout-no-conversation',
    severity: 'blocks',
    title: 'Threads of no conversation',
    explanation:
      'A thread does not say of which conversation it is, and neither does the address in the answer or the path of its file. A number in the path counts only if the list of conversations, where there is one, has it.',
    remedy: 'Name the file by its conversation, such as conversations/123/threads.json or threads/123.json.',
  },
  {
    code: 'helpscout-bad-time',
    severity: 'blocks',
    title: 'Threads without a time',
    explanation: '"createdAt" is no time of ISO 8601.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'helpscout-bad-body',
    severity: 'blocks',
    title: 'Threads whose text is none',
    explanation: '"body" is neither a text nor null, or "attachments" is no list.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'helpscout-unclear-visibility',
    severity: 'blocks',
    title: 'Threads of which it is not known who saw them',
    explanation:
      'The type of the thread is not known, or its state is none of published, draft, hidden and underreview. It may be a note for agents.',
    remedy: 'Look at it in Help Scout, and correct "type" and "state" of the row, or remove the row.',
  },
  {
    code: 'helpscout-not-migrated',
    severity: 'information',
    title: 'Data that agents keep about conversations',
    explanation:
      'Tags, fields, copies to other addresses, read marks and what line items say are for agents: they are not sent, because customers would see them.',
    remedy: 'Nothing.',
  },
];
