import { hasMembers } from '../../lib/maps/objects.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asArray, asObject, asString, describe, type Untrusted } from '../kit/narrow.ts';
import { type ActionTypes, addActions } from './actions.ts';
import {
  type ChatContent,
  channelOf,
  comparable,
  decodedName,
  encrypted,
  encryptedText,
  type PubnubFile,
  type PubnubMessage,
  parseThread,
  timeOfToken,
  tokenOf,
} from './format.ts';
import { textWithMentions } from './text.ts';

type Row = Untrusted<PubnubMessage>;

/** Facts from outside of the row. */
export interface MessagePlace {
  readonly workspace: string;
  /** The channel of the list, encoded as in an address. */
  readonly listed: string | undefined;
  /** The channel of the file, as the user names it. */
  readonly named: string | undefined;
  /** Key of the text in a message that is an object, and of its author if the row has none. */
  readonly text: string;
  readonly author: string | undefined;
  readonly types: ActionTypes;
  isPinned(channel: string, token: string): boolean;
  readonly count: Parameters<typeof addActions>[3];
}

/** A row as a message, or why it is none. */
export function readMessage(row: Row, place: MessagePlace): NewMessage | RowProblem {
  const token = tokenOf(row.timetoken);
  const sentAtMs = token === undefined ? undefined : timeOfToken(token);
  if (token === undefined || sentAtMs === undefined) {
    return { code: 'pubnub-bad-time', reason: `Expected "timetoken" of 17 digits, found ${describe(row.timetoken)}` };
  }
  const encoded = asString(channelOf(row)) ?? place.listed;
  const channel = encoded === undefined ? place.named : decodedName(encoded);
  if (channel === undefined) return { code: 'pubnub-no-channel', reason: 'Nothing names the channel of the row' };
  const thread = parseThread(channel);
  const content = readContent(row, place);
  if ('code' in content) return content;
  const record = newMessage({
    origin: {
      source: 'pubnub',
      workspace: place.workspace,
      conversation: thread?.channel ?? channel,
      // Two channels may have the same timetoken.
      id: thread === undefined ? token : `${thread.root}-${token}`,
    },
    sortKey: comparable(token),
    sentAtMs,
    text: content.text,
  });
  const author = asString(row.uuid) ?? asString(row.userId) ?? asString(row.publisher) ?? content.author;
  if (author !== undefined) record.author = author;
  if (content.event !== undefined) record.systemEvent = content.event;
  if (content.files.length > 0) record.attachments = content.files;
  if (moderators.test(channel) || (content.event !== undefined && moderation.test(content.event)))
    record.internal = 'note';
  if (thread !== undefined) record.threadRoot = thread.root;
  if (place.isPinned(channel, token)) record.isPinned = true;
  const meta = addMeta(record, row.meta, thread?.root);
  // A later edit has the text; one that is encrypted itself has none.
  const others = addActions(record, row.actions, place.types, place.count);
  if (record.edited === undefined ? content.isEncrypted : encrypted.test(record.text)) {
    record.text = encryptedText;
    record.lost = { ...record.lost, encrypted: 1 };
  }
  const { text, mentions } = textWithMentions(record.text);
  record.text = text;
  const people = [...new Set([...(record.mentions ?? []), ...mentions])];
  if (people.length > 0) record.mentions = people;
  const type = asString(row.custom_message_type) ?? asString(row.customMessageType);
  const custom = { ...(type !== undefined && { type }), ...content.more, ...meta, ...others };
  if (hasMembers(custom)) record.custom = custom as Record<string, never>;
  return record;
}

interface Content {
  readonly text: string;
  readonly files: Attachment[];
  readonly author?: string | undefined;
  readonly event?: string;
  readonly isEncrypted?: boolean;
  /** What else the app published. */
  readonly more: Record<string, unknown>;
}

/** What the Chat SDK publishes about messages and people. */
const events = /^(?:receipt|typing|mention|invite|report|moderation|moderated|custom)$/;
/** Events for moderators: who reported what, and who was muted or banned. */
const moderation = /^(?:report|moderation|moderated)$/;
/**
 * Channels of the Chat SDK that moderators alone read: reports about a channel, and about people; `INTERNAL_MODERATION_PREFIX` and
 * `INTERNAL_ADMIN_CHANNEL` of github.com/pubnub/kmp-chat (looked at 2026-11).
 */
const moderators = /^PUBNUB_INTERNAL_(?:MODERATION[_.]|ADMIN_CHANNEL)/;

function readContent(row: Row, place: MessagePlace): Content | RowProblem {
  const value = row.message ?? row.content ?? row.entry;
  if (asString(row.error) !== undefined || (typeof value === 'string' && encrypted.test(value)))
    return { text: encryptedText, files: [], isEncrypted: true, more: {} };
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { text: String(value), files: [], more: {} };
  const object = asObject<ChatContent & { readonly message: unknown; readonly file: unknown }>(value);
  if (object === undefined)
    return { code: 'pubnub-unknown-content', reason: `Expected a text or an object, found ${describe(value)}` };
  // A file that was sent with a message of any kind.
  const file = readFile(object.file);
  if (file !== undefined) {
    const around = Object.entries(object).filter(([key]) => key !== 'message' && key !== 'file');
    const inner = object.message === undefined ? '' : readContent({ message: object.message ?? '' }, place);
    if (typeof inner !== 'string' && 'code' in inner) return inner;
    const own = typeof inner === 'string' ? { text: inner, files: [], more: {} } : inner;
    return { ...own, files: [file, ...own.files], more: { ...own.more, ...restOf(around) } };
  }
  return objectContent(object, place);
}

function objectContent(object: Untrusted<ChatContent>, { text: key, author: by }: MessagePlace): Content | RowProblem {
  const fields = object as Readonly<Record<string, unknown>>;
  const named = fields[key];
  const text = typeof named !== 'string' && fields.type === 'text' ? fields.text : named;
  const files = asArray(object.files).flatMap((file) => readFile(file) ?? []);
  const type = asString(object.type);
  // Apps have messages of the type "custom".
  const isEvent = type !== undefined && events.test(type) && (type !== 'custom' || typeof text !== 'string');
  if (isEvent && files.length === 0) return { text: '', files, event: type, more: restOf([]) };
  if (typeof text !== 'string' && files.length === 0) {
    return { code: 'pubnub-unknown-content', reason: `Expected "${key}" in the message, found ${describe(text)}` };
  }
  const rest = Object.entries(fields).filter(
    ([name, value]) => value !== text && name !== 'files' && name !== by && !(name === 'type' && value === 'text'),
  );
  return {
    text: typeof text === 'string' ? text : '',
    files,
    author: by === undefined ? undefined : asString(fields[by]),
    more: restOf(rest),
  };
}

const restOf = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  entries.length === 0 ? {} : { message: Object.fromEntries(entries) };

function readFile(value: unknown): Attachment | undefined {
  const file = asObject<PubnubFile>(value);
  const id = asString(file?.id);
  const name = asString(file?.name) ?? id;
  if (file === undefined || name === undefined) return undefined;
  const url = asString(file.url);
  return {
    ...(id !== undefined && { id }),
    name,
    ...(url === undefined ? { unavailable: 'not-in-export' } : { url }),
    mimeType: asString(file.type),
  };
}

/** Quotes are of the same channel, so that those in a thread are of the thread. */
function addMeta(record: NewMessage, meta: unknown, thread: string | undefined): Record<string, unknown> {
  const object = asObject<Record<string, unknown>>(meta);
  if (object === undefined) return meta === undefined || meta === null || meta === '' ? {} : { meta };
  const { quotedMessage, mentionedUsers, referencedChannels: _, textLinks: __, ...rest } = object;
  const quoted = tokenOf(asObject<{ timetoken: unknown }>(quotedMessage)?.timetoken);
  if (quoted !== undefined) record.quoteOf = thread === undefined ? quoted : `${thread}-${quoted}`;
  const people = Object.values(asObject<Record<string, unknown>>(mentionedUsers) ?? {});
  const mentions = [...new Set(people.flatMap((person) => asString(asObject<{ id: unknown }>(person)?.id) ?? []))];
  if (mentions.length > 0) record.mentions = mentions;
  return hasMembers(rest) ? { meta: rest } : {};
}
