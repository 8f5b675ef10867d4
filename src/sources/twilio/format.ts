import { timeReader } from '../kit/time/time-reading.ts';
import { asArray, asObject, type Untrusted } from '../kit/narrow.ts';

/**
 * Saved answers of Twilio Conversations v1 and Programmable Chat v2, as their REST API gives them, or as the helper libraries and the
 * command line of Twilio print them: the same fields in camel case, without pages.
 *
 * https://www.twilio.com/docs/conversations/api/conversation-message-resource and the OpenAPI documents of
 * github.com/twilio/twilio-oai (looked at 2026-11).
 *
 * Also what webhooks and Event Streams of Conversations sent, if it was kept: fields in Pascal case, of events inside `data`.
 * https://www.twilio.com/docs/events/event-types/conversations/message, …/docs/conversations/conversations-webhooks (looked at 2026-11).
 *
 * {"specversion":"1.0","type":"com.twilio.conversations.message.added","data":{"ConversationSid":"CH0a…","MessageSid":"IM0a…","Index":0,
 * "Author":"ines","MessageBody":"Hi","DateCreated":"2026-03-02T09:15:00.000Z"}}
 *
 * The log of text messages is in `sms.ts`; `media_list` has its files.
 *
 * A deleted message is gone. A change of the attributes moves `date_updated` too, so in Conversations it proves no edit.
 *
 * {"sid":"IM0a…","conversation_sid":"CH0a…","index":0,"author":"ines","participant_sid":"MB0a…","body":"Hi","media":null,
 * "attributes":"{}","date_created":"2026-03-02T09:15:00Z","date_updated":"2026-03-02T09:15:00Z"}
 */
export interface TwilioMessage {
  readonly sid: string;
  readonly conversation_sid: string;
  /** Programmable Chat; `to` is the same. */
  readonly channel_sid: string;
  readonly to: string;
  /** Ascends in a conversation; numbers may be missing. */
  readonly index: number;
  /** Identity or address. `system`: the application itself, where no participant is named. */
  readonly author: string;
  /** Programmable Chat. */
  readonly from: string;
  readonly participant_sid: string;
  readonly body: string;
  /** A list in Conversations, one object in Programmable Chat; neither has an address. */
  readonly media: readonly TwilioMedia[] | TwilioMedia | null;
  /** JSON as text. */
  readonly attributes: string;
  readonly date_created: string;
  readonly date_updated: string;
  /** Programmable Chat. */
  readonly was_edited: boolean;
  readonly last_updated_by: string;
  /** Sums over receipts of people outside the chat. */
  readonly delivery: object;
  /** A template whose text is in no answer. */
  readonly content_sid: string;
  /** For a mail. */
  readonly message_subject: string;
  /** For an event that says that the message was removed. */
  readonly date_removed: string;
  /** For a webhook or an event: `onMessageRemoved`, `com.twilio.conversations.message.removed`. */
  readonly event_type: string;
}

export interface TwilioMedia {
  readonly sid: string;
  readonly content_type: string;
  readonly filename: string;
  readonly size: number;
  /** The text message, in the list of its files. */
  readonly parent_sid: string;
}

/** A conversation or a channel. */
export interface TwilioConversation {
  readonly sid: string;
  readonly friendly_name: string;
  readonly unique_name: string;
  readonly attributes: string;
  /** `initializing`, `inactive`, `active` or `closed`. */
  readonly state: string;
  /** Programmable Chat: `public` or `private`. */
  readonly type: string;
  readonly created_by: string;
  readonly date_created: string;
  readonly timers: object;
  readonly bindings: object;
}

/** A participant or a member: an identity, or an address outside the chat. */
export interface TwilioParticipant
  extends Pick<TwilioMessage, 'sid' | 'conversation_sid' | 'channel_sid' | 'attributes' | 'date_created'> {
  readonly identity: string;
  readonly messaging_binding: { readonly type: string; readonly address: string; readonly name: string } | null;
  readonly role_sid: string;
  readonly last_read_message_index: number;
  readonly last_consumed_message_index: number;
}

export interface TwilioUser {
  readonly identity: string;
  readonly friendly_name: string;
  readonly attributes: string;
  readonly role_sid: string;
  readonly date_created: string;
}

export type TwilioKind = 'people' | 'members' | 'conversations' | 'media';

/** Rows by the key of their list. */
export const twilioLists: Readonly<Record<string, TwilioKind | 'messages'>> = {
  messages: 'messages',
  users: 'people',
  participants: 'members',
  members: 'members',
  conversations: 'conversations',
  channels: 'conversations',
  media_list: 'media',
};

/** Kind of a row by its keys, in either case. */
export function recogniseTwilio(has: (key: string) => boolean): TwilioKind | 'messages' | undefined {
  const hasOne = (...keys: readonly string[]) => keys.some(has);
  if (has('specversion') && has('type') && has('data')) return 'messages';
  if (has('MessageSid') && has('ConversationSid')) return 'messages';
  if (has('ParticipantSid') && hasOne('Identity', 'MessagingBinding')) return 'members';
  if (has('ConversationSid') && hasOne('FriendlyName', 'UniqueName', 'State')) return 'conversations';
  if (!has('sid')) return undefined;
  if (hasOne('parent_sid', 'parentSid')) return 'media';
  if (has('body') && hasOne('author', 'from')) return 'messages';
  if (hasOne('unique_name', 'uniqueName')) return 'conversations';
  if (!has('identity')) return undefined;
  if (hasOne('conversation_sid', 'conversationSid', 'channel_sid', 'channelSid')) return 'members';
  return hasOne('friendly_name', 'friendlyName') ? 'people' : undefined;
}

/** The row with the names of the REST API: `dateCreated` becomes `date_created`. */
export function inSnakeCase<T>(row: Untrusted<T>): Untrusted<T> {
  if ('specversion' in row || 'ConversationSid' in row) return ofWebhook(row) as Untrusted<T>;
  if (!('dateCreated' in row) && !('accountSid' in row)) return row;
  return renamed(row) as Untrusted<T>;
}

type Fields = Readonly<Record<string, unknown>>;

const renamed = (row: Fields): Fields =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`),
      value,
    ]),
  );

/** A message, participant or conversation of a webhook or an event, with the names of the REST API. */
function ofWebhook(row: Fields): Fields {
  const event = 'specversion' in row;
  const fields = renamed((event ? asObject<Fields>(row.data) : row) ?? {});
  const { message_sid, participant_sid, conversation_sid, message_body, media, index, ...others } = fields;
  const isMember = message_sid === undefined && ('identity' in fields || participant_sid !== undefined);
  const sid = message_sid ?? (isMember ? participant_sid : conversation_sid);
  return {
    ...others,
    ...(sid !== conversation_sid && { conversation_sid }),
    ...(participant_sid !== undefined && { participant_sid }),
    sid,
    body: message_body ?? others.body,
    event_type: event ? row.type : others.event_type,
    ...(index !== undefined && { index: isDigits(index) ? Number(index) : index }),
    ...(media !== undefined && { media: readMedia(media) }),
    ...(asObject(others.messaging_binding) && { messaging_binding: renamed(others.messaging_binding as Fields) }),
  };
}

const isDigits = (value: unknown): boolean => typeof value === 'string' && /^\d{1,15}$/.test(value);

/** Files of a message: a webhook has them as JSON in a text. */
function readMedia(media: unknown): unknown {
  const list = parseAttributes(media);
  return asArray(list).map((file) => {
    const { media_sid: sid, ...others } = renamed(asObject<Fields>(file) ?? {});
    return { ...others, sid: sid ?? others.sid };
  });
}

/** Whether a row says that a message was removed. */
export const isRemoval = (row: Untrusted<TwilioMessage>): boolean =>
  typeof row.event_type === 'string' &&
  /^(?:onMessageRemoved|com\.twilio\.conversations\.message\.removed)$/.test(row.event_type);

const readIso = timeReader('iso', 'UTC');
const mailDate = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:[+-]\d{4}|GMT)$/;

/** Epoch milliseconds of a time in ISO 8601, in GMT if it names no zone, or in RFC 2822. */
export function readTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const atMs = mailDate.test(value) ? Date.parse(value) : readIso(value)?.atMs;
  return atMs !== undefined && Number.isSafeInteger(atMs) && atMs > 0 ? atMs : undefined;
}

/** More brackets one in another than data of an app has: JSON of any depth would fill the stack of what reads it. */
const isDeep = /(?:[[{][^[{\]}]*){64}/;

/** The app's own data, or nothing if there is none. Text that is no JSON stays text. */
export function parseAttributes(value: unknown): unknown {
  if (typeof value !== 'string') return isEmpty(value) ? undefined : value;
  if (isDeep.test(value)) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return isEmpty(parsed) ? undefined : parsed;
  } catch {
    return value === '' ? undefined : value;
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
