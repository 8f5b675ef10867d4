import { attachmentChecks } from './attachments.ts';
import { decisionCheck, noteCheck, type MessageCheck } from './check.ts';
import { reactionChecks } from './reactions.ts';
import { textChecks } from './texts.ts';

const hiddenMark = /^(?:is[_-]?)?(?:private|internal|ephemeral|whisper|hidden|restricted)(?:[_-]?note)?$/i;

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
    options: ['Add the author to the export.', 'Leave them out (people.unknownAuthors: reject in the mapping).'],
    otherwise: 'they are sent in the name of one placeholder person',
    concerns: 'anything',
    find: ({ author, systemEvent }) => (author === undefined && systemEvent === undefined ? 'no author' : undefined),
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
  decisionCheck({
    code: 'private-note',
    title: 'Private notes',
    explanation:
      'The export marks the message as seen by some people only (an internal note, an ephemeral or whispered message). At the destination every member of the conversation would read it.',
    about: 'message',
    options: [
      'Leave such messages out: by skipWhen in a mapping for csv, json or database; otherwise remove them from the export.',
      'Let every member read them.',
    ],
    otherwise: 'every member of the conversation can read them',
    concerns: 'own facts',
    find({ custom }) {
      if (custom === undefined) return undefined;
      const key = Object.keys(custom).find((name) => hiddenMark.test(name) && custom[name] === true);
      return key && `marked "${key}"`;
    },
  }),
  decisionCheck({
    code: 'deleted-with-text',
    title: 'Deleted messages that still have their text',
    explanation: 'The message was deleted, but the export still has its text.',
    about: 'message',
    options: [
      'Leave them out (messages.deleted: skip, the default).',
      'Send the remaining content (messages.deleted: keep): deleted text becomes readable again.',
    ],
    otherwise: 'messages.deleted decides: they are left out, unless the mapping says keep',
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
