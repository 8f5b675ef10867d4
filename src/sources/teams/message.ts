import { hasMembers } from '../../lib/maps/objects.ts';
import type { NewMessage } from '../../model/new-message.ts';
import { newMessage } from '../../model/new-message.ts';
import type { Reaction } from '../../model/records.ts';
import { fieldProblem, type RowProblem } from '../kit/entries.ts';
import { bold } from '../kit/text/markdown.ts';
import { idByName } from '../kit/message-names.ts';
import { asArray, asId, asString } from '../kit/narrow.ts';
import { timeReader } from '../kit/time/time-reading.ts';
import { addAttachments } from './attachments.ts';
import { readEvent } from './events.ts';
import { Fields, type TeamsMessage } from './format.ts';
import { Row } from './row.ts';
import { mentionedIn, teamsText } from './text.ts';

/** Data needed for the rows of all files. */
export interface MessageContext {
  readonly workspace: string;
  nameOf(id: string): string | undefined;
}

/** Ids of what the row is in, for rows that do not say it themselves. */
export interface Parent {
  /** The chat or channel. */
  readonly conversation?: string | undefined;
  /** The message that it answers. */
  readonly root?: string | undefined;
}

const readTime = timeReader('iso', 'UTC');
export const teamsTime = (value: unknown): number | undefined =>
  typeof value === 'string' ? readTime(value)?.atMs : undefined;

export type ReadMessage = { readonly record: NewMessage; readonly problem: RowProblem | undefined } | RowProblem;

/** A row of Graph, in either spelling, as a message. */
export function readMessage(value: Fields<TeamsMessage>, context: MessageContext, parent: Parent = {}): ReadMessage {
  const conversation =
    asString(value.get('chatId')) ?? asString(value.in('channelIdentity').get('channelId')) ?? parent.conversation;
  const id = asId(value.get('id'));
  if (conversation === undefined || id === undefined) {
    const reason = `Expected "id" and "chatId" or "channelIdentity", found ${id === undefined ? 'no id' : 'neither chat nor channel'}`;
    return { code: 'teams-no-conversation', reason };
  }
  const time = value.get('createdDateTime');
  const sentAtMs = teamsTime(time);
  if (sentAtMs === undefined) return fieldProblem('teams-bad-time', '"createdDateTime"', time);
  const replyTo = asId(value.get('replyToId')) ?? parent.root;
  const root = replyTo === id ? undefined : replyTo;
  const row = new Row();
  const record = newMessage({
    origin: {
      source: 'teams',
      workspace: context.workspace,
      conversation,
      id: root === undefined ? id : `${root}/${id}`,
    },
    sortKey: root === undefined ? id : `${id}/${root}`,
    sentAtMs,
    text: '',
  });
  if (root !== undefined) record.threadRoot = root;
  addAuthor(value.in('from'), record);
  const type = value.get('messageType');
  if (type === 'message' || (type !== 'typing' && record.author !== undefined)) {
    addContent(value, row, { root, nameOf: context.nameOf });
    addText(value, record, row);
  } else {
    const event = readEvent(value.in('eventDetail'), sentAtMs, context.nameOf);
    addEvent(event, record, type === 'typing');
    if (event.kind === 'unknown') row.lose('appData');
  }
  addMarks(value, record, row);
  return { record, problem: row.problem };
}

function addAuthor(from: Fields, record: NewMessage): void {
  for (const kind of ['user', 'application', 'device']) {
    const who = from.in(kind);
    const name = asString(who.get('displayName'));
    const id = asString(who.get('id')) ?? idByName('name', name);
    if (id === undefined) continue;
    const isBot = kind === 'application';
    record.author = id;
    if (name !== undefined || isBot)
      record.authorDetails = { ...(name !== undefined && { name }), ...(isBot && { isBot }) };
    return;
  }
}

function addContent(value: Fields<TeamsMessage>, row: Row, context: Parameters<typeof addAttachments>[2]): void {
  addAttachments(value.get('attachments'), row, context);
  for (const key of ['importance', 'summary'] as const)
    if ((asString(value.get(key)) ?? 'normal') !== 'normal') row.custom[key] = String(value.get(key));
  const verdict = asString(value.in('policyViolation').get('dlpAction'));
  if (verdict !== undefined) row.custom.policyViolation = verdict;
  if (verdict !== undefined && /block/i.test(verdict)) row.custom.hiddenBy = 'policyViolation';
}

function addText(value: Fields<TeamsMessage>, record: NewMessage, row: Row): void {
  const body = value.in('body');
  const content = asString(body.get('content')) ?? '';
  const text =
    body.get('contentType') === 'text' ? content : teamsText(content, row, mentionedIn(value.get('mentions')));
  const subject = asString(value.get('subject'));
  const title = subject === undefined ? '' : bold(subject);
  const isAll = title === '' && row.behind.length === 0;
  const said = isAll ? text : [title, text, ...row.behind].filter((part) => part !== '').join('\n\n');
  // A message that holds only pictures without an address shows at least their names.
  const isNothing = said === '' && row.files.length > 0 && row.files.every(({ url }) => url === undefined);
  record.text = isNothing ? row.files.map(({ name }) => name).join(', ') : said;
}

function addEvent(event: ReturnType<typeof readEvent>, record: NewMessage, isTyping: boolean): void {
  record.text = event.text;
  if (event.initiator !== undefined) record.author ??= event.initiator;
  if (event.call) record.call = event.call;
  else record.systemEvent = isTyping ? 'typing' : event.kind;
}

function addMarks(value: Fields<TeamsMessage>, record: NewMessage, row: Row): void {
  const reactions = readReactions(value.get('reactions'));
  const editedAtMs = teamsTime(value.get('lastEditedDateTime'));
  if (row.mentions.length > 0) record.mentions = row.mentions;
  if (row.files.length > 0) record.attachments = row.files;
  if (reactions.length > 0) record.reactions = reactions;
  if (row.quoteOf !== undefined) record.quoteOf = row.quoteOf;
  if (editedAtMs !== undefined) record.edited = { atMs: editedAtMs };
  const changed = value.get('lastModifiedDateTime');
  const changedAtMs = changed === value.get('createdDateTime') ? undefined : teamsTime(changed);
  if (changedAtMs !== undefined) record.version = { changedAtMs };
  if (teamsTime(value.get('deletedDateTime')) !== undefined) record.isDeleted = true;
  if (hasMembers(row.custom)) record.custom = row.custom;
  if (row.lost) record.lost = row.lost;
}

type EmojiByName = Readonly<Record<string, string>>;
/** Reactions that had names before they were emoji. */
const named: EmojiByName = { like: '👍', heart: '❤️', laugh: '😆', surprised: '😮', sad: '🙁', angry: '😡' };

export const emojiOfReaction = (name: string): string =>
  named[name] ?? (/^[\w +-]+$/.test(name) ? `:${name.replaceAll(' ', '_')}:` : name);

function readReactions(value: unknown): Reaction[] {
  if (asArray(value).length === 0) return [];
  const found = new Map<string, { users: string[]; count: number }>();
  for (const one of asArray(value)) {
    const reaction = new Fields(one);
    const type = asString(reaction.get('reactionType'));
    if (type === undefined) continue;
    const name = type === 'custom' ? (asString(reaction.get('displayName')) ?? 'custom') : type;
    const emoji = emojiOfReaction(name);
    const sum = found.get(emoji) ?? { users: [], count: 0 };
    const who = ['user', 'application'].map((kind) => asString(reaction.in('user').in(kind).get('id'))).find(Boolean);
    if (who !== undefined && !sum.users.includes(who)) sum.users.push(who);
    sum.count += 1;
    found.set(emoji, sum);
  }
  return [...found].map(([emoji, sum]) => ({ emoji, ...sum }));
}
