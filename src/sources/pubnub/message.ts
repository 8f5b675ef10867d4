import { hasMembers } from '../../lib/maps/objects.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Attachment, Json } from '../../model/records.ts';
import { fieldProblem, type RowProblem } from '../kit/entries.ts';
import { asArray, asObject, asString, describe, type Untrusted } from '../kit/narrow.ts';
import { type ActionTypes, readActions } from './actions.ts';
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
  readonly count: Parameters<typeof readActions>[2];
}

/** A row as a message, or why it is none. */
export function readMessage(row: Row, place: MessagePlace): NewMessage | RowProblem {
  const token = tokenOf(row.timetoken);
  const sentAtMs = token === undefined ? undefined : timeOfToken(token);
  if (token === undefined || sentAtMs === undefined)
    return fieldProblem('pubnub-bad-time', '"timetoken" of 17 digits', row.timetoken);
  const encoded = asString(channelOf(row)) ?? place.listed;
  const channel = encoded === undefined ? place.named : decodedName(encoded);
  if (channel === undefined) return { code: 'pubnub-no-channel', reason: 'Nothing names the channel of the row' };
  const thread = parseThread(channel);
  const content = readContent(row, place);
  if ('code' in content) return content;
  const meta = readMeta(row.meta, thread?.root);
  const actions = readActions(row.actions, place.types, place.count);
  const { edit } = actions;
  // A later edit has the text; one that is encrypted itself has none.
  const isEncrypted = edit === undefined ? content.isEncrypted === true : encrypted.test(edit.text);
  const { text, mentions } = textWithMentions(isEncrypted ? encryptedText : (edit?.text ?? content.text));
  const isModeration = moderators.test(channel) || (content.event !== undefined && moderation.test(content.event));
  return newMessage({
    origin: {
      source: 'pubnub',
      workspace: place.workspace,
      conversation: thread?.channel ?? channel,
      // Two channels may have the same timetoken.
      id: thread === undefined ? token : `${thread.root}-${token}`,
    },
    sortKey: comparable(token),
    sentAtMs,
    text,
    author: asString(row.uuid) ?? asString(row.userId) ?? asString(row.publisher) ?? content.author,
    mentions: [...new Set([...meta.mentions, ...mentions])],
    attachments: content.files,
    reactions: actions.reactions,
    threadRoot: thread?.root,
    quoteOf: meta.quoteOf,
    edited: edit && { atMs: timeOfToken(edit.token), by: edit.by },
    version: { markedAtMs: timeOfToken(actions.latest) },
    isDeleted: actions.isDeletion,
    systemEvent: content.event,
    internal: isModeration ? 'note' : undefined,
    isPinned: place.isPinned(channel, token),
    custom: {
      type: asString(row.custom_message_type) ?? asString(row.customMessageType),
      message: content.more,
      meta: meta.rest as Json | undefined,
      actions: actions.others as Json | undefined,
    },
    lost: { encrypted: isEncrypted ? 1 : undefined },
  });
}

interface Content {
  readonly text: string;
  readonly files: Attachment[];
  readonly author?: string | undefined;
  readonly event?: string;
  readonly isEncrypted?: boolean;
  /** What else the app published. */
  readonly more?: Record<string, Json> | undefined;
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
    return { text: encryptedText, files: [], isEncrypted: true };
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { text: String(value), files: [] };
  const object = asObject<ChatContent & { readonly message: unknown; readonly file: unknown }>(value);
  if (object === undefined) return fieldProblem('pubnub-unknown-content', 'a text or an object', value);
  // A file that was sent with a message of any kind.
  const file = readFile(object.file);
  if (file !== undefined) {
    const around = Object.entries(object).filter(([key]) => key !== 'message' && key !== 'file');
    const inner = object.message === undefined ? '' : readContent({ message: object.message ?? '' }, place);
    if (typeof inner !== 'string' && 'code' in inner) return inner;
    const own = typeof inner === 'string' ? { text: inner, files: [] } : inner;
    return { ...own, files: [file, ...own.files], more: restOf(around) ?? own.more };
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
  if (isEvent && files.length === 0) return { text: '', files, event: type };
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

const restOf = (entries: readonly (readonly [string, unknown])[]): Content['more'] =>
  entries.length === 0 ? undefined : (Object.fromEntries(entries) as Record<string, Json>);

function readFile(value: unknown): Attachment | undefined {
  const file = asObject<PubnubFile>(value);
  const id = asString(file?.id);
  const name = asString(file?.name) ?? id;
  if (file === undefined || name === undefined) return undefined;
  const url = asString(file.url);
  return {
    id,
    name,
    ...(url === undefined ? { unavailable: 'not-in-export' } : { url }),
    mimeType: asString(file.type),
  };
}

interface Meta {
  readonly quoteOf?: string | undefined;
  readonly mentions: readonly string[];
  /** The app's own. */
  readonly rest: unknown;
}

/** Quotes are of the same channel, so that those in a thread are of the thread. */
function readMeta(meta: unknown, thread: string | undefined): Meta {
  const object = asObject<Record<string, unknown>>(meta);
  if (object === undefined) return { mentions: [], rest: meta === null || meta === '' ? undefined : meta };
  const { quotedMessage, mentionedUsers, referencedChannels: _, textLinks: __, ...rest } = object;
  const quoted = tokenOf(asObject<{ timetoken: unknown }>(quotedMessage)?.timetoken);
  const people = Object.values(asObject<Record<string, unknown>>(mentionedUsers) ?? {});
  return {
    quoteOf: quoted === undefined || thread === undefined ? quoted : `${thread}-${quoted}`,
    mentions: people.flatMap((person) => asString(asObject<{ id: unknown }>(person)?.id) ?? []),
    rest: hasMembers(rest) ? rest : undefined,
  };
}
