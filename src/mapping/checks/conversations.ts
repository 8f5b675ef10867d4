import { asks, outside } from '../../model/option.ts';
import { formatCount } from '../../lib/text/count.ts';
import { descriptionLengthMax, nameLengthMax } from '../../service/profiles.ts';
import { decisionCheck, noteCheck, type ConversationCheck } from './check.ts';

export const conversationChecks: readonly ConversationCheck[] = [
  noteCheck({
    code: 'conversation-name-shortened',
    title: 'Names of conversations over 100 characters',
    explanation: 'The destination takes names of at most 100 characters (properties and constraints page, 2026-11).',
    remedy: 'Nothing: the first 100 are sent, with an ellipsis.',
    find: ({ name }) =>
      name.length > nameLengthMax ? `${formatCount(name.length)} characters, ${nameLengthMax} allowed` : undefined,
  }),
  noteCheck({
    code: 'description-shortened',
    title: 'Descriptions over 255 characters',
    explanation:
      'The destination takes descriptions of at most 255 characters (properties and constraints page, 2026-11).',
    remedy: 'Nothing: the first 255 are sent, with an ellipsis.',
    find({ description, topic }) {
      const { length } = description || topic || '';
      return length > descriptionLengthMax
        ? `${formatCount(length)} characters, ${descriptionLengthMax} allowed`
        : undefined;
    },
  }),
  noteCheck({
    code: 'conversation-without-name',
    title: 'Groups without a name',
    explanation: 'The export gives no name: the group is called after its members, or its id.',
    remedy: 'Nothing, or rename them in the mapping.',
    find: ({ id, name, type }) => (name === '' && (type === 'public' || type === 'private') ? `"${id}"` : undefined),
  }),
  noteCheck({
    code: 'conversation-archived',
    title: 'Archived conversations',
    explanation: 'The service has no archive: the conversation is open at the destination.',
    remedy: 'Leave it out with conversations.exclude, if it is not needed.',
    find: ({ id, name, isArchived }) => (isArchived ? `${name || id} is archived` : undefined),
  }),
  noteCheck({
    code: 'conversation-created-in-future',
    title: 'Conversations that were created in the future',
    explanation: 'The creation time of the conversation is in the future.',
    remedy: 'Check the time format of the source.',
    find: ({ createdAtMs }, { nowMs }) =>
      createdAtMs !== undefined && createdAtMs > nowMs ? `${createdAtMs} ms` : undefined,
  }),
  noteCheck({
    code: 'creator-not-described',
    title: 'Conversations whose creator is not described',
    explanation: 'No file of the export describes who created the conversation.',
    remedy: 'Nothing: the creator is not migrated.',
    find: ({ creator }, { isKnown }) => (creator !== undefined && !isKnown(creator) ? `"${creator}"` : undefined),
  }),
  noteCheck({
    code: 'member-twice',
    title: 'Members who are listed twice',
    explanation: 'A person is a member once.',
    remedy: 'Nothing: it counts once.',
    find: ({ members, type }) =>
      type !== 'direct' && new Set(members).size < members.length
        ? `${formatCount(members.length - new Set(members).size)} of ${formatCount(members.length)}`
        : undefined,
  }),
  noteCheck({
    code: 'group-without-members',
    title: 'Groups without members',
    explanation: 'The export lists no member: who has not written there will not see the group.',
    remedy: 'Export the members too.',
    find: ({ members, type }) => (members.length === 0 && type !== 'direct' ? 'no members' : undefined),
  }),
  noteCheck({
    code: 'group-over-300',
    title: 'Groups with more than 300 members',
    explanation:
      'Delivery and read receipts, and counts of unread messages, end at 300 members (properties and constraints page, 2026-11).',
    remedy: 'Nothing to do before the move; inform the people in it.',
    find: ({ members }) =>
      members.length > 300 && members.length <= 100_000 ? `${formatCount(members.length)} members` : undefined,
  }),
  decisionCheck({
    code: 'group-too-large',
    title: 'Groups with more than 100,000 members',
    explanation: 'The service takes groups of at most 100,000 members (properties and constraints page, 2026-11).',
    about: 'conversation',
    question: 'What should become of groups that are too large for the service?',
    options: [
      asks('Leave groups out', 'conversations.exclude', '[C1, C2]'),
      outside('Split the groups at the source'),
      outside('Ask the service for a higher limit'),
    ],
    otherwise: 'it is sent as it is, and the service may refuse it',
    find: ({ id, name, members }) =>
      members.length > 100_000 ? `${name || id}: ${formatCount(members.length)} members, 100,000 allowed` : undefined,
  }),
  noteCheck({
    code: 'note-to-self',
    title: 'Notes to oneself',
    explanation:
      'The direct conversation has one person. Nothing says that a user may write to themselves: it becomes a group of one.',
    remedy: 'Leave it out with conversations.exclude, if it is not needed.',
    find: ({ type, members }) =>
      type === 'direct' && new Set(members).size === 1 ? `"${members[0]}" alone` : undefined,
  }),
  noteCheck({
    code: 'direct-with-many',
    title: 'Direct conversations of more than two',
    explanation: 'A direct conversation has two people; this one becomes a group.',
    remedy: 'Nothing: it becomes a group. Correct its type in the export, or leave it out with conversations.exclude.',
    find: ({ id, name, type, members }) =>
      type === 'direct' && new Set(members).size > 2
        ? `${name || id}: ${formatCount(new Set(members).size)} people`
        : undefined,
  }),
  noteCheck({
    code: 'guid-altered',
    title: 'Guids that had to be altered',
    explanation:
      'The id of the export has characters that a guid cannot have, or is too long: the guid ends in a hash.',
    remedy:
      'Give a template or guids in the mapping (conversations.guid, conversations.guids), if your app knows its groups by other ids.',
    find: ({ id }, { guid, receiverType }) =>
      receiverType === 'group' && /-[a-z2-7]{8}$/.test(guid) && guid !== id.toLowerCase()
        ? `"${id}" becomes "${guid}"`
        : undefined,
  }),
];
