import { badRow, note, type SourceCode } from '../kit/codes.ts';

/** Codes of problems in messages of the service. */
export const chatServiceCodes: readonly SourceCode[] = [
  badRow(
    'bad-sent-at',
    'Messages with a broken time',
    '"sentAt" is not a time in Unix seconds.',
    'Correct the row, or fetch again.',
  ),
  badRow(
    'no-conversation',
    'Messages without a conversation',
    'The row does not name the conversation of the message.',
    'Correct the row, or name another column in source.messages.conversation.',
  ),
  note(
    'unknown-category',
    'Categories of messages that are not known',
    'The category of the message is not known: its text is kept.',
    'Check the examples, and report them.',
  ),
  note(
    'unknown-metadata-version',
    'Metadata of a newer version',
    'A newer version of Chatferry wrote the metadata: thread, edit and the like were not read back.',
    'Update Chatferry.',
  ),
  note(
    'user-details-lost',
    'Tags, links and roles of people',
    'A message has no field for tags, links and roles of people: they stay behind, unless the destination imports people; roles stay behind then, too.',
    'Give them again by "chatferry call", or in the dashboard of the new app.',
  ),
  note(
    'group-tags-lost',
    'Tags of groups',
    'A message has no field for tags of groups: they stay behind, unless the destination imports groups.',
    'Give them again by "chatferry call", or in the dashboard of the new app.',
  ),
  note(
    'password-group',
    'Groups with a password',
    'The service does not return the password of a group: the group becomes private.',
    'Set the type and a password again in the new app, or choose a type in conversations.types.',
  ),
  note(
    'metadata-too-large',
    'Metadata of people and groups that is too large',
    'Details of people and groups travel with a message, and more than 4,000 characters of metadata do not fit.',
    'Set it again in the new app.',
  ),
  note(
    'thread-not-found',
    'Threads whose root is not found',
    'The root of the thread does not precede the reply in this file: it was never sent, or is not in the export. The reply is sent by itself.',
    'Export from an earlier date, or accept that the reply is sent by itself.',
  ),
  note(
    'quote-not-found',
    'Quotes of messages that are elsewhere',
    'The quoted message does not precede the one that quotes it in this file: it was never sent, or is not in the export. The link is left out.',
    'Export from an earlier date, or accept that the quote has no link.',
  ),
];
