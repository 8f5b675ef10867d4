import { badAnswer, badRow, note, type SourceCode } from '../kit/codes.ts';

export const frontCodes: readonly SourceCode[] = [
  badRow(
    'front-no-conversation',
    'Messages of no conversation',
    'A message or comment names no conversation, and neither does the address of its answer or the path of its file.',
    'Fetch it again, or put the file into a folder with the id of the conversation, such as cnv_55c8c149/.',
  ),
  badAnswer(
    'front-bad-time',
    'Messages without a time',
    '"created_at" of a message, or "posted_at" of a comment, is no number of Unix seconds.',
  ),
  badAnswer(
    'front-bad-body',
    'Messages whose text is none',
    '"body" or "text" is neither a text nor null, or "attachments" is no list.',
  ),
  badRow(
    'front-unclear-visibility',
    'Messages of which it is not known who saw them',
    'The row does not say whether it is a draft, or of which type it is, or to whom it went, or it is neither a message nor a comment. It may be for teammates alone.',
    'Fetch it again, or correct "is_draft", "type" and "recipients" of the row.',
  ),
  note(
    'front-sent-to-others',
    'Messages to or from others than the recipient of the conversation',
    'The recipient of the conversation is not among the addresses of these messages: such as a mail that a teammate forwarded, and the reply to it. They count as internal, and customers do not read them.',
    'Nothing, if they were between others. If they are further addresses of your customers: "source: { sentToOthers: visible }" in the mapping.',
  ),
  note(
    'front-not-migrated',
    'Data that Front and teammates keep about conversations',
    'Tags, links, copies to other addresses, signatures and data of channels are for teammates, and Front gives out no text of tweets.',
  ),
];
