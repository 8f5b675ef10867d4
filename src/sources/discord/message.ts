import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Reaction } from '../../model/records.ts';
import { fieldProblem, noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { bold, quoted } from '../kit/text/markdown.ts';
import { asArray, asCount, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { type Channel, parseInstant } from './channel.ts';
import { describeEmbeds } from './embeds.ts';
import { addFiles } from './files.ts';
import type { DiscordEmoji, DiscordMessage, DiscordReaction, DiscordReference } from './format.ts';
import { type Kind, findRule } from './kinds.ts';
import type { Row } from './row.ts';
import { discordText } from './text.ts';

/** Context of the file that a message needs. */
export interface RowContext {
  readonly workspace: string;
  readonly channel: Channel;
  readonly exportedAtMs: number | undefined;
  /**
   * Describes a person unless already described.
   *
   * @returns their id.
   */
  see(user: unknown): string | undefined;
}

/** A row as a message without its files, which `row` has; or why it is none. */
export function readMessage(
  message: Untrusted<DiscordMessage>,
  row: Row,
  context: RowContext,
): { readonly record: NewMessage; readonly problem?: RowProblem } | RowProblem {
  const id = asId(message.id);
  if (id === undefined) return fieldProblem('missing-id', '"id"', message.id);
  const sentAtMs = parseInstant(message.timestamp);
  if (sentAtMs === undefined)
    return fieldProblem('discord-bad-time', '"timestamp" such as 2026-03-02T10:00:00+01:00', message.timestamp);
  const type = asString(message.type) ?? 'Default';
  const rule = findRule(type);
  const author = context.see(message.author);
  const mentions = asArray(message.mentions).flatMap((user) => context.see(user) ?? []);
  const { conversation, thread } = context.channel;
  const record = newMessage({
    origin: { source: 'discord', workspace: context.workspace, conversation: conversation.id, id },
    // Ids grow with time, those of one millisecond too.
    sortKey: id.padStart(20, '0'),
    sentAtMs,
    text: wholeText(message, row) || (rule?.words ?? '') || wordsForMissing(message, row, context.channel),
  });
  if (author !== undefined) record.author = author;
  if (mentions.length > 0 && (rule?.kind ?? 'message') === 'message') record.mentions = [...new Set(mentions)];
  if (thread !== undefined && id !== thread.id) record.threadRoot = thread.id;
  // Only a post of a forum begins in the file of its thread.
  else if (thread !== undefined) record.text = [bold(thread.name), record.text].filter(Boolean).join('\n\n');
  addMarks(message, record, context);
  addReference(message, record, context.channel);
  addEvent(message, record, { type, kind: rule?.kind ?? 'message', mentions });
  addCustom(message, record, context);
  noteHidingMark(record, message.isEphemeral, 'isEphemeral');
  if (row.links) record.links = row.links;
  if (row.lost) record.lost = row.lost;
  if (rule !== undefined) return { record };
  const reason = `Type "${type.slice(0, 40)}" is not known: the row is kept as a message`;
  return { record, problem: { code: 'discord-unknown-type', reason } };
}

/** Returns the written text, the forwarded text and the text of cards. */
function wholeText(message: Untrusted<DiscordMessage>, row: Row): string {
  const content = asString(message.content) ?? '';
  const isByApp = asObject<DiscordMessage['author']>(message.author)?.isBot === true;
  const parts = [discordText(content, row)];
  const emojiBefore = row.lost?.emojiInText ?? 0;
  const emojiCount = asArray(message.inlineEmojis).filter((emoji) =>
    asString(asObject<DiscordEmoji>(emoji)?.id),
  ).length;
  if (emojiCount > emojiBefore) row.lose('emojiInText', emojiCount - emojiBefore);
  addFiles(message, row);
  const forwarded = asObject<DiscordMessage>(message.forwardedMessage);
  if (forwarded) {
    const text = discordText(asString(forwarded.content) ?? '', row);
    const cards = describeEmbeds(forwarded.embeds, { content: text, isByApp: true }, row);
    const all = [text, ...cards].filter(Boolean).join('\n\n');
    if (all !== '') parts.push(quoted(all));
    addFiles(forwarded, row);
  }
  if (message.embeds !== undefined) parts.push(...describeEmbeds(message.embeds, { content, isByApp }, row));
  return parts.length === 1 ? parts[0]! : parts.filter(Boolean).join('\n\n');
}

/** Returns a placeholder text for a message whose content the exporter left out, or '' if that is not known. */
function wordsForMissing(message: Untrusted<DiscordMessage>, row: Row, { thread, conversation }: Channel): string {
  if (row.files.length > 0) return '';
  if (asArray(message.components).length > 0) return 'A message of components: its content is not in the export';
  const { messageId, channelId, type } = asObject<DiscordReference>(message.reference) ?? {};
  const channel = asId(channelId);
  const isElsewhere = channel !== undefined && channel !== conversation.id && channel !== thread?.id;
  // Before version 2.46 the exporter did not write what was forwarded.
  const isForward = type === 'Forward' || (asString(message.type) === 'Default' && isElsewhere);
  return isForward && asId(messageId) !== undefined ? 'A forwarded message: its content is not in the export' : '';
}

function addMarks(message: Untrusted<DiscordMessage>, record: NewMessage, context: RowContext): void {
  if (asString(message.timestampEdited) !== undefined) {
    const atMs = parseInstant(message.timestampEdited);
    record.edited = atMs === undefined ? {} : { atMs };
  }
  if (context.exportedAtMs !== undefined) record.version = { exportedAtMs: context.exportedAtMs };
  if (message.isPinned === true) record.isPinned = true;
  const reactions = asArray(message.reactions).flatMap((value) => readReaction(value, context) ?? []);
  if (reactions.length > 0) record.reactions = reactions;
}

function readReaction(value: unknown, { see }: RowContext): Reaction | undefined {
  const reaction = asObject<DiscordReaction>(value);
  const emoji = asObject<DiscordEmoji>(reaction?.emoji);
  const name = asString(emoji?.name);
  if (reaction === undefined || name === undefined) return undefined;
  const users = asArray(reaction.users).flatMap((user) => see(user) ?? []);
  return {
    emoji: asString(emoji?.id) === undefined ? name : `:${name}:`,
    users,
    count: Math.max(asCount(reaction.count) ?? 0, users.length),
  };
}

/** The message that is answered or pinned; of another channel it is a fact. */
function addReference({ reference: value }: Untrusted<DiscordMessage>, record: NewMessage, { thread }: Channel): void {
  const reference = asObject<DiscordReference>(value);
  if (reference === undefined) return;
  const channel = asId(reference.channelId);
  const id = asId(reference.messageId);
  const here = thread?.id ?? record.origin.conversation;
  if (reference.type === 'Forward') {
    record.custom = {
      forwardedFrom: { ...(channel !== undefined && { channel }), ...(id !== undefined && { message: id }) },
    };
  } else if (
    id !== undefined &&
    (channel === undefined || channel === here || channel === record.origin.conversation)
  ) {
    if (id !== record.threadRoot) record.quoteOf = id;
  } else if (channel !== undefined) {
    record.custom = { refersTo: { channel, ...(id !== undefined && { message: id }) } };
  }
}

interface Event {
  readonly type: string;
  readonly kind: Kind;
  readonly mentions: readonly string[];
}

function addEvent(message: Untrusted<DiscordMessage>, record: NewMessage, { type, kind, mentions }: Event): void {
  if (kind === 'message') return;
  record.systemEvent = type;
  if (kind !== 'call') {
    if (mentions.length > 0) record.custom = { ...record.custom, about: [...mentions] };
    return;
  }
  const endedAtMs = parseInstant(message.callEndedTimestamp);
  const participants = [...new Set([...(record.author === undefined ? [] : [record.author]), ...mentions])];
  record.call = {
    startedAtMs: record.sentAtMs,
    ...(endedAtMs !== undefined && { endedAtMs }),
    ...(participants.length > 0 && { participants }),
  };
}

function addCustom(
  { interaction: value, forwardedMessage }: Untrusted<DiscordMessage>,
  record: NewMessage,
  context: RowContext,
): void {
  const { thread } = context.channel;
  if (thread !== undefined) record.custom = { ...record.custom, thread: thread.name };
  const forwarded = asObject<DiscordMessage>(forwardedMessage);
  const writtenAt = asString(forwarded?.timestamp);
  if (writtenAt !== undefined) record.custom = { ...record.custom, forwardedWrittenAt: writtenAt };
  const interaction = asObject<DiscordMessage['interaction']>(value);
  const command = asString(interaction?.name);
  if (command === undefined) return;
  const by = context.see(interaction?.user);
  record.custom = { ...record.custom, command: { name: command, ...(by !== undefined && { by }) } };
}
