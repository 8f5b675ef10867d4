import type { Attachment, Reaction } from '../../../src/model/records.ts';
import { type CleanExport, line, message, minuteMs, nowMs } from './clean-export.ts';

/** One change of a clean export, and the one check that finds it. */
export interface Mutation {
  readonly code: string;
  readonly change: (made: CleanExport) => void;
  /** A line of the file, or the id (of a person, a conversation) that the finding names; empty if it is about the whole export. */
  readonly at: number | string;
  /** Another finding that the change causes. */
  readonly also?: string;
  readonly mapping?: string;
  readonly profile?: 'hosted';
}

const dayMs = 86_400_000;
const file = (changes: Partial<Attachment>): Attachment => {
  const { url, ...file } = { name: 'a.png', url: 'https://files.example.com/a.png', mimeType: 'image/png', ...changes };
  return url === undefined || url === '' ? file : { ...file, url };
};
const withFile = (code: string, changes: Partial<Attachment>): Mutation => ({
  code,
  change: ({ first }) => (first.attachments = [file(changes)]),
  at: line.first,
});
const withReaction = (code: string, changes: Partial<Reaction>): Mutation => ({
  code,
  change: ({ first }) => (first.reactions = [{ emoji: '👍', users: ['ben'], count: 1, ...changes }]),
  at: line.first,
});
const withText = (code: string, text: string): Mutation => ({
  code,
  change: ({ first }) => (first.text = text),
  at: line.first,
});
const inWorkspace = (workspace: string) => {
  const made = message('lounge', '9', 'ada', 80);
  return { ...made, origin: { ...made.origin, workspace } };
};
/** A line that cannot be read, behind the others. */
const withLine = (code: string, text: string): Mutation => ({
  code,
  change: ({ more }) => more.push(text),
  at: line.more,
});

export const mutations: readonly Mutation[] = [
  // Blocking.
  withText('blank-text', ' \n '),
  {
    code: 'content-not-read',
    change: ({ first }) => {
      first.text = '';
      first.unread = ['card.panel'];
    },
    at: line.first,
  },
  { code: 'time-out-of-range', change: ({ first }) => (first.sentAtMs = 1_700_000), at: line.first },
  {
    code: 'too-old',
    change: (made) => {
      made.first.sentAtMs -= 200 * dayMs;
      for (const dated of [made.ada, made.ben, made.cleo, made.lounge]) delete dated.createdAtMs;
    },
    at: line.first,
    profile: 'hosted',
  },
  {
    code: 'too-many-tags',
    change: () => {},
    at: line.first,
    also: 'nothing-to-send',
    mapping: `messages: { tags: [${Array.from({ length: 26 }, (_, index) => `t${index}`).join(', ')}] }`,
    profile: 'hosted',
  },
  {
    code: 'tag-too-long',
    change: ({ first }) => (first.custom = { ticket: 'x'.repeat(101) }),
    at: line.first,
    mapping: 'messages: { custom: drop, tags: ["{custom.ticket}"] }',
    profile: 'hosted',
  },
  {
    code: 'data-too-large',
    change: ({ first }) => (first.text = '日'.repeat(4000)),
    at: line.first,
    profile: 'hosted',
  },
  {
    code: 'unknown-author',
    change: ({ first }) => (first.author = 'nobody'),
    at: line.first,
    mapping: 'people: { unknownAuthors: reject }',
  },
  { code: 'no-author', change: ({ first }) => delete first.author, at: line.first },
  // Files.
  withFile('attachment-without-address', { url: '' }),
  withFile('attachment-bad-address', { url: 'file:///srv/a.png' }),
  withFile('attachment-address-too-long', { url: `https://files.example.com/${'a'.repeat(3000)}` }),
  withFile('attachment-not-https', { url: 'http://files.example.com/a.png' }),
  withFile('attachment-expires', { url: 'https://cdn.example.com/a.png?ex=65f&is=65e&hm=abc' }),
  withFile('attachment-needs-login', { url: 'https://files.slack.com/files-pri/T1-F1/a.png' }),
  withFile('attachment-private-address', { url: 'https://10.1.2.3/a.png' }),
  withFile('attachment-token', { url: 'https://files.example.com/a.png?token=abc' }),
  withFile('attachment-too-large', { sizeBytes: 104_857_601 }),
  withFile('attachment-empty', { sizeBytes: 0 }),
  withFile('attachment-unnamed', { name: ' ' }),
  {
    code: 'message-only-file',
    change({ first }) {
      first.text = '';
      first.attachments = [file({ url: 'photos/a.png' })];
    },
    at: line.first,
    also: 'attachment-bad-address',
  },
  {
    code: 'attachment-type-unknown',
    change: ({ first }) => (first.attachments = [{ name: 'a', url: 'https://files.example.com/a' }]),
    at: line.first,
  },
  {
    code: 'too-many-attachments',
    change: ({ first }) => (first.attachments = Array.from({ length: 11 }, () => file({}))),
    at: line.first,
  },
  // Reactions, mentions, edits.
  withReaction('reaction-custom-emoji', { emoji: ':party-parrot:' }),
  withReaction('reaction-people-unnamed', { count: 3 }),
  withReaction('reaction-twice', { users: ['ben', 'ben'], count: 2 }),
  withReaction('reaction-by-unknown-person', { users: ['nobody'] }),
  withReaction('reaction-too-long', { emoji: '👍'.repeat(33) }),
  { code: 'mention-of-unknown-person', change: ({ first }) => (first.mentions = ['nobody']), at: line.first },
  {
    code: 'edited-before-sent',
    change: ({ first }) => (first.edited = { atMs: first.sentAtMs - 5000 }),
    at: line.first,
  },
  { code: 'edited-without-time', change: ({ first }) => (first.edited = {}), at: line.first },
  // Texts.
  withText('text-not-well-formed', 'half a smile \ud83d'),
  withText('text-control-characters', 'bell \u0007'),
  withText('text-direction-controls', 'exe.\u202egpj'),
  withText('text-html', 'some <b>bold</b> words'),
  withText('text-unresolved-mention', 'hello <@U02ABCDEF>'),
  withText('text-undecryptable', '** Unable to decrypt: unknown session **'),
  withText('text-long', 'long '.repeat(1001)),
  // Anything else of a message.
  { code: 'reply-to-itself', change: ({ first }) => (first.threadRoot = '1'), at: line.first },
  { code: 'quote-of-itself', change: ({ first }) => (first.quoteOf = '1'), at: line.first },
  { code: 'broadcast-without-thread', change: ({ first }) => (first.isBroadcast = true), at: line.first },
  { code: 'private-note', change: ({ first }) => (first.custom = { isInternal: true }), at: line.first },
  {
    code: 'deleted-with-text',
    change: ({ first }) => (first.isDeleted = true),
    at: line.first,
    mapping: 'messages: { deleted: keep }',
  },
  { code: 'reserved-key', change: ({ first }) => (first.custom = { '@private': 'ada@example.com' }), at: line.first },
  {
    code: 'call-ends-before-start',
    change: ({ first }) => (first.call = { startedAtMs: first.sentAtMs, endedAtMs: first.sentAtMs - minuteMs }),
    at: line.first,
    mapping: 'messages: { calls: keep }',
  },
  { code: 'sent-ahead', change: ({ answered }) => (answered.sentAtMs = nowMs + 60 * minuteMs), at: line.answered },
  // People.
  { code: 'person-name-shortened', change: ({ ada }) => (ada.name = 'A'.repeat(101)), at: line.ada },
  {
    code: 'person-without-name',
    change: ({ cleo, ...made }) => {
      for (const row of [made.third, made.sixth]) row.author = '10001';
      made.lounge.members[2] = cleo.id = cleo.name = '10001';
    },
    at: line.cleo,
  },
  { code: 'person-deactivated', change: ({ ada }) => (ada.isDeleted = true), at: line.ada },
  { code: 'person-guest', change: ({ ada }) => (ada.role = 'guest'), at: line.ada },
  { code: 'person-created-in-future', change: ({ ada }) => (ada.createdAtMs = nowMs + dayMs), at: line.ada },
  { code: 'avatar-unusable', change: ({ ada }) => (ada.avatarUrl = 'ada.png'), at: line.ada },
  {
    code: 'uid-reserved',
    change: () => {},
    at: line.ada,
    mapping: 'people: { uids: { ada: app_system } }',
  },
  {
    code: 'several-people',
    change: (made) => rename(made, 'ada', 'ada@example.com; ben@example.com'),
    at: line.ada,
    also: 'uid-altered',
  },
  { code: 'uid-altered', change: (made) => rename(made, 'ada', 'ada@example.com'), at: line.ada },
  { code: 'author-not-described', change: ({ third }) => (third.author = 'dora'), at: 'dora' },
  { code: 'same-name-people', change: ({ ben }) => (ben.name = 'Ada'), at: 'ada, ben' },
  {
    code: 'uid-with-hash',
    change: ({ ben, more }) => more.push({ ...ben, id: 'BEN', name: 'Other' }),
    at: 'ben',
    mapping: 'people: { collisions: hash }',
  },
  {
    code: 'same-email-people',
    change: ({ ada, ben }) => (ada.email = ben.email = 'ada@example.com'),
    at: 'ada, ben',
  },
  // Conversations.
  { code: 'conversation-name-shortened', change: ({ lounge }) => (lounge.name = 'L'.repeat(101)), at: line.lounge },
  { code: 'description-shortened', change: ({ lounge }) => (lounge.topic = 'T'.repeat(256)), at: line.lounge },
  { code: 'conversation-without-name', change: ({ lounge }) => (lounge.name = ''), at: line.lounge },
  { code: 'conversation-archived', change: ({ lounge }) => (lounge.isArchived = true), at: line.lounge },
  { code: 'creator-not-described', change: ({ lounge }) => (lounge.creator = 'nobody'), at: line.lounge },
  { code: 'member-twice', change: ({ lounge }) => lounge.members.push('ada'), at: line.lounge },
  { code: 'group-without-members', change: ({ lounge }) => (lounge.members = []), at: line.lounge },
  { code: 'guid-altered', change: (made) => move(made, 'lounge', 'The Lounge!'), at: line.lounge },
  {
    code: 'conversation-not-described',
    change: ({ more }) => more.push(message('attic', '1', 'ada', 50)),
    at: 'attic',
  },
  {
    code: 'note-to-self',
    change: ({ more }) =>
      more.push(
        { kind: 'conversation', id: 'self', type: 'direct', name: '', members: ['ada'] },
        message('self', '1', 'ada', 50),
      ),
    at: line.more,
  },
  {
    code: 'direct-with-many',
    change: ({ pair, more }) => {
      pair.members = ['ada', 'ben', 'cleo'];
      more.push(message('pair', '3', 'cleo', 50));
    },
    at: line.pair,
  },
  {
    code: 'empty-conversation',
    change: ({ more }) =>
      more.push({ kind: 'conversation', id: 'void', type: 'public', name: 'void', members: ['ada'] }),
    at: 'void',
  },
  {
    code: 'same-name-conversations',
    change: ({ more }) =>
      more.push(
        { kind: 'conversation', id: 'other', type: 'public', name: 'Lounge', members: ['ada'] },
        message('other', '1', 'ada', 50),
      ),
    at: 'lounge, other',
  },
  {
    code: 'same-content',
    change: ({ first, more }) => more.push({ ...first, origin: { ...first.origin, id: '9' } }),
    at: line.more,
    also: 'same-second',
  },
  {
    code: 'third-writer',
    change: ({ more }) => more.push(message('pair', '3', 'cleo', 50)),
    at: 'pair',
  },
  {
    code: 'direct-as-group',
    change: ({ more }) =>
      more.push(
        { kind: 'conversation', id: 'pair2', type: 'direct', name: '', members: ['ben', 'ada'] },
        message('pair2', '1', 'ada', 50),
        message('pair2', '2', 'ben', 60),
      ),
    at: 'pair2',
  },
  { code: 'writer-not-member', change: ({ lounge }) => (lounge.members = ['ada', 'ben']), at: 'lounge' },
  {
    code: 'members-not-listed',
    change(made) {
      made.lounge.members = [];
      for (const dated of [made.ada, made.ben, made.cleo, made.lounge]) delete dated.createdAtMs;
    },
    at: 'lounge',
    also: 'group-without-members',
    profile: 'hosted',
  },
  {
    code: 'former-member',
    change: ({ lounge }) => (lounge.members = ['ada', 'ben']),
    at: line.third,
    profile: 'hosted',
  },
  { code: 'silent-members', change: (made) => (made.third.author = made.sixth.author = 'ben'), at: 'lounge' },
  {
    code: 'conversation-created-late',
    change: ({ lounge }) => (lounge.createdAtMs = nowMs - 60 * minuteMs),
    at: 'lounge',
  },
  { code: 'history-cut', change: ({ lounge }) => (lounge.createdAtMs! -= 60 * dayMs), at: 'lounge' },
  // Threads and repetitions.
  { code: 'orphan-reply', change: ({ second }) => (second.threadRoot = 'gone'), at: line.second },
  {
    code: 'reply-to-unsent',
    change: ({ first, second }) => {
      first.systemEvent = 'topic';
      second.threadRoot = '1';
    },
    at: line.second,
  },
  {
    code: 'nested-reply',
    change: ({ second, third }) => {
      second.threadRoot = '1';
      third.threadRoot = '2';
    },
    at: line.third,
  },
  { code: 'reply-before-root', change: ({ first }) => (first.threadRoot = '2'), at: line.first },
  {
    code: 'same-second',
    change: ({ first, second }) => (second.sentAtMs = first.sentAtMs + 500),
    at: 'lounge',
  },
  {
    code: 'months-without-messages',
    change: ({ first, lounge }) => {
      first.sentAtMs -= 100 * dayMs;
      delete lounge.createdAtMs;
    },
    at: '2026-08',
  },
  {
    code: 'id-gap',
    change: ({ sixth }) => (sixth.origin = { ...sixth.origin, id: '22' }),
    at: line.sixth,
    mapping: 'source: { consecutiveIds: conversation }',
  },
  {
    code: 'nothing-to-send',
    change: (made) => {
      for (const row of sent(made)) row.systemEvent = 'joined';
    },
    at: '',
  },
  // Lines that cannot be read.
  withLine('json-syntax', '{"kind":"message",'),
  withLine('invalid-line', '{"kind":"message","text":"no origin"}'),
  withLine('other-workspace', JSON.stringify(inWorkspace('other'))),
];

const sent = ({ first, second, third, asked, answered, fourth, fifth, sixth }: CleanExport) => [
  ...[first, second, third, asked, answered],
  ...[fourth, fifth, sixth],
];

/** The same person under another id, everywhere. */
function rename(made: CleanExport, from: string, to: string): void {
  made.ada.id = to;
  for (const { members } of [made.lounge, made.pair]) members.splice(members.indexOf(from), 1, to);
  for (const row of [made.first, made.asked, made.fourth]) row.author = to;
}

/** The same conversation under another id. */
function move(made: CleanExport, from: string, to: string): void {
  made.lounge.id = to;
  for (const row of sent(made)) if (row.origin.conversation === from) row.origin = { ...row.origin, conversation: to };
}
