import { outside, sets } from '../../model/option.ts';
import { attachmentChecks } from './attachments.ts';
import { decisionCheck, noteCheck, type MessageCheck } from './check.ts';
import { textChecks } from './texts.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { MessageRecord, Reaction } from '../../model/records.ts';

const reactionChecks: readonly MessageCheck[] = [
  noteCheck({
    code: 'reaction-custom-emoji',
    title: 'Reactions with an emoji of the old system',
    explanation: 'The emoji is an image of the old workspace and has no character: only its name can be migrated.',
    remedy: 'Nothing, or make the emoji at the destination.',
    concerns: 'reactions',
    find: (record) => firstReaction(record, ({ emoji }) => /^:[^:]+:$/.test(emoji)),
  }),
  noteCheck({
    code: 'reaction-people-unnamed',
    title: 'Reactions whose people are not all named',
    explanation: 'The export counts more people than it names: platforms cut the list.',
    remedy: 'Nothing: the counts are kept, the names are not in the export.',
    concerns: 'reactions',
    find: (record) =>
      firstReaction(
        record,
        ({ count, users }) => count > users.length,
        ({ count, users }) => `${formatCount(count)} counted, ${formatCount(users.length)} named`,
      ),
  }),
  noteCheck({
    code: 'reaction-twice',
    title: 'Reactions that name a person twice',
    explanation: 'One person can give one reaction once.',
    remedy: 'Nothing: it counts once.',
    concerns: 'reactions',
    find: (record) => firstReaction(record, ({ users }) => users.length > 1 && new Set(users).size < users.length),
  }),
  noteCheck({
    code: 'reaction-by-unknown-person',
    title: 'Reactions of unknown people',
    explanation: 'Such people become placeholders, named by their id.',
    remedy: 'Export the people too, or give their uids in the mapping (people.uids).',
    concerns: 'reactions',
    find: (record, { isKnown }) => firstReaction(record, ({ users }) => users.some((user) => !isKnown(user))),
  }),
  noteCheck({
    code: 'reaction-too-long',
    title: 'Reactions with a long key',
    explanation: 'Other services take at most 64 characters for a reaction.',
    remedy: 'Nothing, as long as reactions stay in metadata.',
    concerns: 'reactions',
    find: (record) =>
      firstReaction(
        record,
        ({ emoji }) => emoji.length > 64,
        ({ emoji }) => `${formatCount(emoji.length)} characters`,
      ),
  }),
  noteCheck({
    code: 'mention-of-unknown-person',
    title: 'Mentions of unknown people',
    explanation:
      'The text shows the mention as the export has it; the person becomes a placeholder, named by their id.',
    remedy: 'Export the people too, or give their uids in the mapping (people.uids).',
    concerns: 'mentions',
    find({ mentions }, { isKnown }) {
      const unknown = mentions!.find((user) => !isKnown(user));
      return unknown === undefined ? undefined : `"${unknown}" is not described`;
    },
  }),
];

/** The first reaction of a message that something is wrong with, in words. */
function firstReaction(
  { reactions = [] }: MessageRecord,
  isFound: (reaction: Reaction) => boolean,
  words?: (reaction: Reaction) => string,
): string | undefined {
  const found = reactions.find(isFound);
  if (!found) return undefined;
  const emoji = found.emoji.slice(0, 40);
  return words ? `${emoji}: ${words(found)}` : emoji;
}

/** Asked of messages that are left out because nothing was decided about them. */
export const restrictedCheck: MessageCheck = decisionCheck({
  code: 'private-note',
  title: 'Private notes',
  explanation:
    'Some people of the conversation could not see the message: an internal note, an ephemeral or whispered message, one that a policy blocked, or one with such a mark in the data of the app. At the destination every member of the conversation would read it.',
  about: 'message',
  question: 'May every member of the conversation read messages that some people of it could not see?',
  options: [
    sets('Leave {count} out', { 'messages.restricted': 'skip' }),
    sets('Let every member of the conversation read {count}', { 'messages.restricted': 'keep' }),
  ],
  otherwise: 'they are left out, until that is decided',
  keepsBack: true,
  concerns: 'own facts',
  find({ internal, custom }) {
    if (internal !== 'restricted') return undefined;
    const mark = custom?.hiddenBy;
    return typeof mark === 'string' ? `marked "${mark.slice(0, 80)}"` : 'hidden by the platform';
  },
});

/** Asked of every message, as far as they concern it. */
export const messageChecks: readonly MessageCheck[] = [
  ...attachmentChecks,
  ...reactionChecks,
  ...textChecks,
  decisionCheck({
    code: 'no-author',
    title: 'Messages without an author',
    explanation: 'The export does not say who wrote it. Such messages are sent in the name of one placeholder person.',
    about: 'message',
    question: 'What should become of messages of which nothing says who wrote them?',
    options: [
      sets('Send {count} in the name of one placeholder person', { 'people.unknownAuthors': 'placeholder' }),
      sets('Leave out what unknown people wrote', { 'people.unknownAuthors': 'skip' }),
      sets('Count what unknown people wrote as invalid', { 'people.unknownAuthors': 'reject' }),
      outside('Add the authors to the export'),
    ],
    otherwise: 'they are sent in the name of one placeholder person',
    concerns: 'anything',
    find: ({ author, authorDetails, systemEvent }) =>
      author === undefined && !authorDetails?.name && systemEvent === undefined ? 'no author' : undefined,
  }),
  noteCheck({
    code: 'reply-to-itself',
    title: 'Replies to themselves',
    explanation: 'The message names itself as the root of its thread.',
    remedy: 'Nothing: it is sent as an ordinary message.',
    concerns: 'replies',
    find: ({ threadRoot, origin }) => (threadRoot === origin.id ? 'its own root' : undefined),
  }),
  noteCheck({
    code: 'quote-of-itself',
    title: 'Quotes of themselves',
    explanation: 'The message quotes itself.',
    remedy: 'Nothing: it is sent as an ordinary message.',
    concerns: 'quotes',
    find: ({ quoteOf, origin }) => (quoteOf === origin.id ? 'quotes itself' : undefined),
  }),
  noteCheck({
    code: 'broadcast-without-thread',
    title: 'Broadcast replies without a thread',
    explanation: 'The message is marked as a reply that was also shown in the conversation, and names no thread.',
    remedy: 'Nothing: it is sent as an ordinary message.',
    concerns: 'broadcasts',
    find: ({ isBroadcast, threadRoot }) => (isBroadcast && threadRoot === undefined ? 'no thread' : undefined),
  }),
  noteCheck({
    code: 'deleted-with-text',
    title: 'Deleted messages that still have their text',
    explanation: 'The message was deleted, but the export still has its text.',
    remedy:
      'Nothing: they are left out, unless the mapping says messages.deleted: keep, which makes deleted text readable again.',
    concerns: 'deletions',
    find: ({ isDeleted, text }) => (isDeleted && text.trim() !== '' ? 'text is still there' : undefined),
  }),
  noteCheck({
    code: 'reserved-key',
    title: 'Custom facts with reserved names',
    explanation: 'The service uses the keys @injected and @private in metadata for itself.',
    remedy: 'Rename the fact in the mapping of the source.',
    concerns: 'own facts',
    find: ({ custom }) => custom && Object.keys(custom).find((name) => name === '@injected' || name === '@private'),
  }),
  noteCheck({
    code: 'call-ends-before-start',
    title: 'Calls that end before they begin',
    explanation: 'The times of the call are the wrong way round: one of them has another unit or zone.',
    remedy: 'Check the time format of the source.',
    concerns: 'calls',
    find: ({ call }) =>
      call?.startedAtMs !== undefined && call.endedAtMs !== undefined && call.endedAtMs < call.startedAtMs
        ? `${call.startedAtMs - call.endedAtMs} ms before`
        : undefined,
  }),
  noteCheck({
    code: 'sent-ahead',
    title: 'Sent within the next day',
    explanation: 'The time of the message is less than a day ahead of now: usually a wrong time zone.',
    remedy: 'Check the time zone of the source.',
    concerns: 'anything',
    find: ({ sentAtMs }, { nowMs }) =>
      sentAtMs > nowMs && sentAtMs <= nowMs + 86_400_000
        ? `${Math.ceil((sentAtMs - nowMs) / 60_000)} minutes ahead`
        : undefined,
  }),
];
