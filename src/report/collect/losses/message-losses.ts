import type { Rules } from '../../../mapping/rules.ts';
import type { LossCounts, LossKind } from './loss.ts';

const skippedBy = ({ skipped }: LossCounts, isRule: (rule: string) => boolean): number =>
  [...skipped].reduce((sum, [rule, count]) => (isRule(rule) ? sum + count : sum), 0);

const threads: Readonly<Record<Rules['messages']['threads'], (counts: LossCounts) => string>> = {
  metadata: () => 'ordinary messages of the conversation; the thread is kept in data.metadata.chatferry.thread',
  quote: ({ planned: { rootQuotes = 0, rootsMissing = 0 } }) =>
    `ordinary messages of the conversation; ${rootQuotes} begin with a quote of their root${rootsMissing > 0 ? `, ${rootsMissing} do not, because it was not known` : ''}; the thread is kept in data.metadata.chatferry.thread`,
  flat: () => 'ordinary messages of the conversation; messages.threads: flat drops the thread',
};

/** Losses of messages that are sent, and of messages that the rules leave out because the service has nothing like them. */
export const messageLosses: readonly LossKind[] = [
  {
    name: 'thread links',
    what: 'replies that belong to a thread',
    count: ({ planned }) => planned.replies ?? 0,
    becomes: ({ messages }, counts) => threads[messages.threads](counts),
  },
  {
    name: 'replies without their root',
    what: 'replies to a message that the export does not have',
    count: ({ orphans }) => orphans,
    becomes: ({ messages }) =>
      messages.orphans === 'unlink' || messages.threads === 'flat'
        ? 'sent without a thread'
        : 'sent; the thread that their metadata names has no first message',
  },
  {
    name: 'broadcasts',
    what: 'replies that were shown in the conversation as well',
    count: ({ planned }) => planned.broadcasts ?? 0,
    becomes: () => 'shown once, like every message; marked in data.metadata.chatferry.broadcast',
  },
  {
    name: 'quotes',
    what: 'messages that quote another',
    count: ({ planned }) => planned.quotes ?? 0,
    becomes: () => 'kept in data.metadata.chatferry.quote; not shown as quotes',
  },
  {
    name: 'reactions',
    what: 'reactions, each with who gave it',
    count: ({ planned, actions }) => Math.max((planned.reactions ?? 0) - (actions.reactions ?? 0), 0),
    becomes: ({ messages }, { actions }) => {
      if (messages.reactions === 'replay') return 'not migrated: the export does not say who gave them';
      const kept =
        messages.reactions === 'drop'
          ? 'dropped by messages.reactions: drop'
          : 'kept in data.metadata.chatferry.reactions; not shown as reactions';
      return actions.reactions ? `${kept}, because the export does not say who gave them` : kept;
    },
  },
  {
    name: 'reaction times',
    what: 'reactions that are given again',
    count: ({ actions }) => actions.reactions ?? 0,
    becomes: () => 'reactions of the moment in which they are given again',
  },
  {
    name: 'reactions of people who only read',
    what: 'reactions that are given again, by people who never wrote in the group',
    count: ({ silentReactions }) => silentReactions,
    becomes: () =>
      'refused, unless the destination has them as members already: the service has no operation here that adds members',
  },
  {
    name: 'custom emoji',
    what: 'reactions with an emoji that is a picture of the old system',
    count: ({ planned }) => planned.customEmoji ?? 0,
    becomes: ({ messages }) =>
      messages.reactions === 'drop'
        ? 'dropped by messages.reactions: drop'
        : 'kept by name among the reactions; the pictures are not migrated',
  },
  {
    name: 'edit marks',
    what: 'messages that were edited',
    count: ({ planned }) => planned.edited ?? 0,
    becomes: ({ messages }) =>
      messages.edited === 'keep'
        ? 'sent as last edited; messages.edited: keep drops the mark'
        : 'sent as last edited; the time of the edit is kept in data.metadata.chatferry.edited, who edited is not',
  },
  {
    name: 'earlier versions',
    what: 'edited messages, which are read only in their last version',
    count: ({ planned }) => planned.edited ?? 0,
    becomes: () => 'never migrated',
  },
  {
    name: 'edited messages left out',
    what: 'messages that were edited',
    count: (counts) => skippedBy(counts, (rule) => rule === 'edited message'),
    becomes: () => 'left out by messages.edited: skip',
  },
  {
    name: 'deleted messages',
    what: 'messages that were deleted at the source, as far as the export names them',
    count: (counts) => skippedBy(counts, (rule) => rule === 'deleted at the source'),
    becomes: () => 'left out by messages.deleted: skip',
  },
  {
    name: 'deletion marks',
    what: 'deleted messages that are sent nevertheless',
    count: ({ planned }) => planned.deleted ?? 0,
    becomes: () => 'the remaining content becomes visible to everybody; marked in data.metadata.chatferry.deleted',
  },
  {
    name: 'pins',
    what: 'pinned messages',
    count: ({ planned }) => planned.pinned ?? 0,
    becomes: () => 'kept in data.metadata.chatferry.pinned; not shown as pinned',
  },
  {
    name: 'files by reference',
    what: 'files that stay at the address the export gives',
    count: ({ planned, media }) => Math.max((planned.attachments ?? 0) - (media?.copied ?? 0), 0),
    becomes: ({ messages }, { media }) => {
      if (messages.attachments === 'drop')
        return 'not attached: messages.attachments: drop; their names are kept in data.metadata.chatferry.files';
      const broken = 'attachments with that address; they break when it expires or needs a login';
      return media ? `${broken}, unless they are copied before: see Files` : `${broken}; --media-to copies them`;
    },
  },
  {
    name: 'files without an address',
    what: 'files that the export only names: deleted, hidden or not accessible',
    count: ({ planned, media }) => Math.max((planned.filesWithoutAddress ?? 0) - (media?.named ?? 0), 0),
    becomes: ({ messages }) =>
      messages.attachments === 'placeholder'
        ? 'a line of text for each, and their names in data.metadata.chatferry.files'
        : 'their names are kept in data.metadata.chatferry.files',
  },
  {
    name: 'messages of files only',
    what: 'messages that are only a file that is not migrated',
    count: ({ planned }) => planned.onlyFiles ?? 0,
    becomes: (_, { media }) =>
      media
        ? 'a text that names the file, unless it is copied: see Files'
        : 'a text that names the file; --media-to migrates files of the export, messages.attachmentUrls files on a web server',
  },
  {
    name: 'mentions',
    what: 'people mentioned in texts',
    count: ({ planned }) => planned.mentions ?? 0,
    becomes({ messages }, { importsPeople }) {
      if (messages.mentions === 'drop') return 'shown as @Name in the text; messages.mentions: drop drops their uids';
      const kept = 'shown as @Name in the text; their uids are kept in data.metadata.chatferry.mentions';
      return importsPeople ? kept : `${kept}, also of people who never wrote and do not exist there`;
    },
  },
  {
    name: 'bot marks',
    what: 'messages written by bots',
    count: ({ planned }) => planned.bot ?? 0,
    becomes: () => 'shown like messages of people; only the name differs',
  },
  {
    name: 'system lines',
    what: 'lines that the platform wrote: joins, topics and the like',
    count: (counts) => skippedBy(counts, (rule) => rule.startsWith('system message')),
    becomes: () => 'left out by messages.system: skip',
  },
  {
    name: 'system line marks',
    what: 'lines that the platform wrote and that are sent',
    count: ({ planned }) => planned.system ?? 0,
    becomes: () =>
      'shown as messages of the person that they name; the event is kept in data.metadata.chatferry.system',
  },
  {
    name: 'internal messages',
    what: 'private notes, side conversations and steps of automations',
    count: (counts) => skippedBy(counts, (rule) => rule.startsWith('internal ')),
    becomes: () => 'left out by messages.internal: skip',
  },
  {
    name: 'internal message marks',
    what: 'private notes, side conversations and steps of automations that are sent',
    count: ({ planned }) => planned.internal ?? 0,
    becomes: () =>
      'readable for everyone in the conversation, customers too; the kind is kept in data.metadata.chatferry.internal',
  },
  {
    name: 'restricted messages',
    what: 'messages that were hidden from some people of the conversation',
    count: (counts) => skippedBy(counts, (rule) => rule === 'restricted message'),
    becomes: () => 'left out by messages.restricted',
  },
  {
    name: 'restricted message marks',
    what: 'messages that were hidden from some people of the conversation, and are sent',
    count: ({ planned }) => planned.restricted ?? 0,
    becomes: () => 'readable for everyone in the conversation; the kind is kept in data.metadata.chatferry.internal',
  },
  {
    name: 'calls',
    what: 'calls and huddles',
    count: (counts) => skippedBy(counts, (rule) => rule === 'call'),
    becomes: () => 'left out by messages.calls: skip',
  },
  {
    name: 'call details',
    what: 'calls and huddles that are sent',
    count: ({ planned }) => planned.calls ?? 0,
    becomes: () => 'a message with their text; when they began and ended and who took part is not migrated',
  },
  {
    name: 'platform facts',
    what: 'messages with facts of the platform that have no field of their own',
    count: ({ planned }) => planned.custom ?? 0,
    becomes: ({ messages }) =>
      messages.custom === 'drop' ? 'dropped by messages.custom: drop' : 'kept in data.metadata.chatferry.custom',
  },
  {
    name: 'cut texts',
    what: 'messages whose text is too long',
    count: ({ planned }) => planned.truncated ?? 0,
    becomes: () => 'cut by messages.overlong: truncate; their length is kept in data.metadata.chatferry.truncated',
  },
  {
    name: 'split texts',
    what: 'messages whose text is too long for one message',
    count: ({ planned }) => planned.split ?? 0,
    becomes: () => 'sent in several messages by messages.overlong: split',
  },
  {
    name: 'metadata over the limit',
    what: 'messages that are too large with all their metadata',
    count: ({ planned }) => planned.trimmed ?? 0,
    becomes: () => 'sent without part of the metadata; data.metadata.chatferry.dropped names the missing part',
  },
  {
    name: 'parts of a second',
    what: 'messages whose time is more precise than a second',
    count: ({ subSecond }) => subSecond,
    becomes: () => 'cut to whole seconds; their order is kept by sending them in order',
  },
  {
    name: 'columns',
    what: 'values in columns or fields that the mapping does not read',
    count: ({ found }) => found.get('column-not-migrated') ?? 0,
    becomes: () => 'not migrated; source.messages.custom keeps what has no field of its own',
  },
];
