import { authorNotDescribed } from './whole/author-not-described.ts';
import { conversationNotDescribed } from './whole/conversation-not-described.ts';
import { blankText } from './blocking/blank-text.ts';
import { dataTooLarge } from './blocking/data-too-large.ts';
import { messageTooLarge } from './blocking/message-too-large.ts';
import { tagTooLong } from './blocking/tag-too-long.ts';
import { timeOutOfRange } from './blocking/time-out-of-range.ts';
import { tooManyTags } from './blocking/too-many-tags.ts';
import { tooOld } from './blocking/too-old.ts';
import { conversationArchived } from './conversations/conversation-archived.ts';
import { conversationCreatedInFuture } from './conversations/conversation-created-in-future.ts';
import { conversationNameShortened } from './conversations/conversation-name-shortened.ts';
import { conversationWithoutName } from './conversations/conversation-without-name.ts';
import { creatorNotDescribed } from './conversations/creator-not-described.ts';
import { descriptionShortened } from './conversations/description-shortened.ts';
import { directWithMany } from './conversations/direct-with-many.ts';
import { groupOver300 } from './conversations/group-over-300.ts';
import { groupTooLarge } from './conversations/group-too-large.ts';
import { groupWithoutMembers } from './conversations/group-without-members.ts';
import { guidAltered } from './conversations/guid-altered.ts';
import { memberNotDescribed } from './conversations/member-not-described.ts';
import { memberTwice } from './conversations/member-twice.ts';
import { noteToSelf } from './conversations/note-to-self.ts';
import { attachmentAddressTooLong } from './messages/attachment-address-too-long.ts';
import { attachmentBadAddress } from './messages/attachment-bad-address.ts';
import { attachmentEmpty } from './messages/attachment-empty.ts';
import { attachmentExpires } from './messages/attachment-expires.ts';
import { attachmentNeedsLogin } from './messages/attachment-needs-login.ts';
import { attachmentNotHttps } from './messages/attachment-not-https.ts';
import { attachmentPrivateAddress } from './messages/attachment-private-address.ts';
import { attachmentToken } from './messages/attachment-token.ts';
import { attachmentTooLarge } from './messages/attachment-too-large.ts';
import { attachmentTypeUnknown } from './messages/attachment-type-unknown.ts';
import { attachmentUnnamed } from './messages/attachment-unnamed.ts';
import { attachmentWithoutAddress } from './messages/attachment-without-address.ts';
import { broadcastWithoutThread } from './messages/broadcast-without-thread.ts';
import { callEndsBeforeStart } from './messages/call-ends-before-start.ts';
import { deletedWithText } from './messages/deleted-with-text.ts';
import { editedBeforeSent } from './messages/edited-before-sent.ts';
import { editedWithoutTime } from './messages/edited-without-time.ts';
import { mentionOfUnknownPerson } from './messages/mention-of-unknown-person.ts';
import { noAuthor } from './messages/no-author.ts';
import { privateNote } from './messages/private-note.ts';
import { quoteOfItself } from './messages/quote-of-itself.ts';
import { reactionByUnknownPerson } from './messages/reaction-by-unknown-person.ts';
import { reactionCustomEmoji } from './messages/reaction-custom-emoji.ts';
import { reactionPeopleUnnamed } from './messages/reaction-people-unnamed.ts';
import { reactionTooLong } from './messages/reaction-too-long.ts';
import { reactionTwice } from './messages/reaction-twice.ts';
import { replyToItself } from './messages/reply-to-itself.ts';
import { reservedKey } from './messages/reserved-key.ts';
import { sentAhead } from './messages/sent-ahead.ts';
import { textControlCharacters } from './messages/text-control-characters.ts';
import { textDirectionControls } from './messages/text-direction-controls.ts';
import { textHtml } from './messages/text-html.ts';
import { textLong } from './messages/text-long.ts';
import { textNotWellFormed } from './messages/text-not-well-formed.ts';
import { textUndecryptable } from './messages/text-undecryptable.ts';
import { textUnresolvedMention } from './messages/text-unresolved-mention.ts';
import { tooManyAttachments } from './messages/too-many-attachments.ts';
import { avatarUnusable } from './people/avatar-unusable.ts';
import { personCreatedInFuture } from './people/person-created-in-future.ts';
import { personDeactivated } from './people/person-deactivated.ts';
import { personGuest } from './people/person-guest.ts';
import { personNameShortened } from './people/person-name-shortened.ts';
import { personWithoutName } from './people/person-without-name.ts';
import { uidAltered } from './people/uid-altered.ts';
import { uidReserved } from './people/uid-reserved.ts';
import { conversationCreatedLate } from './whole/conversation-created-late.ts';
import { emptyConversation } from './whole/empty-conversation.ts';
import { exportGap } from './whole/export-gap.ts';
import { historyCut } from './whole/history-cut.ts';
import { idGap } from './whole/id-gap.ts';
import { monthsWithoutMessages } from './whole/months-without-messages.ts';
import { nestedReply } from './whole/nested-reply.ts';
import { nothingToSend } from './whole/nothing-to-send.ts';
import { orphanReply } from './whole/orphan-reply.ts';
import { replyBeforeRoot } from './whole/reply-before-root.ts';
import { replyToUnsent } from './whole/reply-to-unsent.ts';
import { sameContent } from './whole/same-content.ts';
import { sameEmailPeople } from './whole/same-email-people.ts';
import { sameNameConversations } from './whole/same-name-conversations.ts';
import { sameNamePeople } from './whole/same-name-people.ts';
import { sameSecond } from './whole/same-second.ts';
import { silentMembers } from './whole/silent-members.ts';
import { thirdWriter } from './whole/third-writer.ts';
import { writerNotMember } from './whole/writer-not-member.ts';
import type { BlockingCheck, Check, ConversationCheck, MessageCheck, PersonCheck, WholeCheck } from './check.ts';
import { mediaCodes } from './media.ts';
import { readingCodes } from './reading.ts';

/** Asked of every message as it would be sent, in this order: the first that finds something names the reject. */
export const blockingChecks: readonly BlockingCheck[] = [
  blankText,
  timeOutOfRange,
  tooOld,
  tooManyTags,
  tagTooLong,
  dataTooLarge,
  messageTooLarge,
];

export const messageChecks: readonly MessageCheck[] = [
  attachmentWithoutAddress,
  attachmentBadAddress,
  attachmentAddressTooLong,
  attachmentNotHttps,
  attachmentExpires,
  attachmentNeedsLogin,
  attachmentPrivateAddress,
  attachmentToken,
  attachmentTooLarge,
  attachmentEmpty,
  attachmentUnnamed,
  attachmentTypeUnknown,
  tooManyAttachments,
  reactionCustomEmoji,
  reactionPeopleUnnamed,
  reactionTwice,
  reactionByUnknownPerson,
  reactionTooLong,
  mentionOfUnknownPerson,
  editedBeforeSent,
  editedWithoutTime,
  textNotWellFormed,
  textControlCharacters,
  textDirectionControls,
  textHtml,
  textUnresolvedMention,
  textUndecryptable,
  textLong,
  noAuthor,
  replyToItself,
  quoteOfItself,
  broadcastWithoutThread,
  privateNote,
  deletedWithText,
  reservedKey,
  callEndsBeforeStart,
  sentAhead,
];

export const personChecks: readonly PersonCheck[] = [
  personNameShortened,
  personWithoutName,
  personDeactivated,
  personGuest,
  personCreatedInFuture,
  avatarUnusable,
  uidReserved,
  uidAltered,
];

export const conversationChecks: readonly ConversationCheck[] = [
  conversationNameShortened,
  descriptionShortened,
  conversationWithoutName,
  conversationArchived,
  conversationCreatedInFuture,
  creatorNotDescribed,
  memberNotDescribed,
  memberTwice,
  groupWithoutMembers,
  groupOver300,
  groupTooLarge,
  noteToSelf,
  directWithMany,
  guidAltered,
];

export const wholeChecks: readonly WholeCheck[] = [
  authorNotDescribed,
  conversationNotDescribed,
  orphanReply,
  replyToUnsent,
  nestedReply,
  replyBeforeRoot,
  sameSecond,
  sameContent,
  conversationCreatedLate,
  sameNamePeople,
  sameEmailPeople,
  sameNameConversations,
  emptyConversation,
  thirdWriter,
  writerNotMember,
  silentMembers,
  historyCut,
  monthsWithoutMessages,
  idGap,
  exportGap,
  nothingToSend,
];

/** Every code that a plan may report, and what to do about each. */
export const catalogue: readonly Check[] = [
  ...blockingChecks,
  ...messageChecks,
  ...personChecks,
  ...conversationChecks,
  ...wholeChecks,
  ...readingCodes,
  ...mediaCodes,
];

const byCode: ReadonlyMap<string, Check> = new Map(catalogue.map((check) => [check.code, check]));

export const checkOf = (code: string): Check | undefined => byCode.get(code);
