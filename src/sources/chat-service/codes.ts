import type { SourceCode } from '../kit/codes.ts';

/** Codes of problems in messages of the service. */
export const chatServiceCodes: readonly SourceCode[] = [
  {
    code: 'bad-sent-at',
    severity: 'blocks',
    title: 'Messages with a broken time',
    explanation: '"sentAt" is not a time in Unix seconds.',
    remedy: 'Correct the row, or fetch again.',
  },
  {
    code: 'no-conversation',
    severity: 'blocks',
    title: 'Messages without a conversation',
    explanation: 'The row does not name the conversation of the message.',
    remedy: 'Correct the row, or name another column in source.messages.conversation.',
  },
  {
    code: 'unknown-category',
    severity: 'information',
    title: 'Categories of messages that are not known',
    explanation: 'The category of the message is not known: its text is kept.',
    remedy: 'Check the examples, and report them.',
  },
  {
    code: 'unknown-metadata-version',
    severity: 'information',
    title: 'Metadata of a newer version',
    explanation: 'A newer version of Chatferry wrote the metadata: thread, edit and the like were not read back.',
    remedy: 'Update Chatferry.',
  },
  {
    code: 'user-details-lost',
    severity: 'information',
    title: 'Tags, links and roles of people',
    explanation: 'An import has no field for tags, links and roles of people: they stay behind.',
    remedy: 'Give them again by "chatferry call", or in the dashboard of the new app.',
  },
  {
    code: 'group-tags-lost',
    severity: 'information',
    title: 'Tags of groups',
    explanation: 'An import has no field for tags of groups: they stay behind.',
    remedy: 'Give them again by "chatferry call", or in the dashboard of the new app.',
  },
  {
    code: 'password-group',
    severity: 'information',
    title: 'Groups with a password',
    explanation: 'The service does not return the password of a group: the group becomes private.',
    remedy: 'Set the type and a password again in the new app, or choose a type in conversations.types.',
  },
  {
    code: 'metadata-too-large',
    severity: 'information',
    title: 'Metadata of people and groups that is too large',
    explanation:
      'Details of people and groups travel with a message, and more than 4,000 characters of metadata do not fit.',
    remedy: 'Set it again in the new app.',
  },
  {
    code: 'thread-not-found',
    severity: 'information',
    title: 'Threads whose root is not found',
    explanation:
      'The root of the thread does not precede the reply in this file: it was never sent, or is not in the export. The reply is sent by itself.',
    remedy: 'Export from an earlier date, or accept that the reply is sent by itself.',
  },
  {
    code: 'quote-not-found',
    severity: 'information',
    title: 'Quotes of messages that are elsewhere',
    explanation:
      'The quoted message does not precede the one that quotes it in this file: it was never sent, or is not in the export. The link is left out.',
    remedy: 'Export from an earlier date, or accept that the quote has no link.',
  },
];
