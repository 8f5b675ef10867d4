import type { SourceCode } from '../kit/codes.ts';

export const frontCodes: readonly SourceCode[] = [
  {
    code: 'front-no-conversation',
    severity: 'blocks',
    title: 'Messages of no conversation',
    explanation:
      'A message or comment names no conversation, and neither does the address of its answer or the path of its file.',
    remedy: 'Fetch it again, or put the file into a folder with the id of the conversation, such as cnv_55c8c149/.',
  },
  {
    code: 'front-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"created_at" of a message, or "posted_at" of a comment, is no number of Unix seconds.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'front-bad-body',
    severity: 'blocks',
    title: 'Messages whose text is none',
    explanation: '"body" or "text" is neither a text nor null, or "attachments" is no list.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'front-unclear-visibility',
    severity: 'blocks',
    title: 'Messages of which it is not known who saw them',
    explanation:
      'The row does not say whether it is a draft, or of which type it is, or to whom it went, or it is neither a message nor a comment. It may be for teammates alone.',
    remedy: 'Fetch it again, or correct "is_draft", "type" and "recipients" of the row.',
  },
  {
    code: 'front-sent-to-others',
    severity: 'information',
    title: 'Messages to or from others than the recipient of the conversation',
    explanation:
      'The recipient of the conversation is not among the addresses of these messages: such as a mail that a teammate forwarded, and the reply to it. They count as internal, and customers do not read them.',
    remedy:
      'Nothing, if they were between others. If they are further addresses of your customers: "source: { sentToOthers: visible }" in the mapping.',
  },
  {
    code: 'front-not-migrated',
    severity: 'information',
    title: 'Data that Front and teammates keep about conversations',
    explanation:
      'Tags, links, copies to other addresses, signatures and data of channels are for teammates, and Front gives out no text of tweets.',
    remedy: 'Nothing.',
  },
];
