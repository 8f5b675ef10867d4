import type { Untrusted } from '../kit/narrow.ts';
import { timeReader } from '../kit/time/time-reading.ts';

/**
 * Saved answers of PubNub: Fetch Messages (with and without actions), the older History, and App Context. The same as the helper libraries
 * return them, and messages of the Chat SDK.
 *
 * https://www.pubnub.com/docs/sdks/javascript/api-reference/storage-and-playback; github.com/pubnub/javascript
 * (src/core/endpoints/fetch_messages.ts); for the Chat SDK github.com/pubnub/js-chat (lib/src/entities/message.ts) and
 * github.com/pubnub/kmp-chat (BaseMessage.kt) (looked at 2026-11).
 *
 * A timetoken counts 100 ns since 1970 and has 17 digits, more than a number holds. It is unique in a channel. Names of channels are
 * encoded as in an address.
 *
 * {"channels":{"harbour":[{"message":{"type":"text","text":"Hi"},"timetoken":"17724429000000001","uuid":"ines","message_type":0,
 * "actions":{"reactions":{"👍":[{"uuid":"bo","actionTimetoken":"17724429500000000"}]}}}]}}
 */
export interface PubnubMessage {
  readonly timetoken: string;
  /** Whatever the app published; a text that begins with `UE5FRA` (PNED) is encrypted. */
  readonly message: unknown;
  /** The same in the older History, and in the Chat SDK. */
  readonly entry: unknown;
  readonly content: unknown;
  readonly channel: string;
  readonly channelId: string;
  readonly uuid: string;
  readonly userId: string;
  readonly publisher: string;
  readonly meta: unknown;
  readonly custom_message_type: string;
  readonly customMessageType: string;
  /** By type and value. */
  readonly actions: Readonly<Record<string, Readonly<Record<string, readonly PubnubAction[]>>>>;
  /** A helper library could not decrypt it. */
  readonly error: string;
}

export interface PubnubAction {
  readonly uuid: string;
  readonly actionTimetoken: string;
}

/** Content of the Chat SDK. An event has another type, and no text. */
export interface ChatContent {
  readonly type: string;
  readonly text: string;
  readonly files: readonly PubnubFile[];
}

export interface PubnubFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly url: string;
}

/** `PNED` in base64: the head of what a crypto module of PubNub encrypts. */
export const encrypted = /^UE5FRA/;
export const encryptedText = 'Encrypted message';

/** App Context. */
export interface PubnubPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly profileUrl: string;
  readonly externalId: string;
  readonly custom: object;
  readonly type: string;
  readonly status: string;
}

export interface PubnubChannel {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly custom: { readonly pinnedMessageTimetoken: string; readonly pinnedMessageChannelID: string };
  /** Chat SDK: `direct`, `group` or `public`. */
  readonly type: string;
  readonly status: string;
}

export type PubnubKind = 'people' | 'members' | 'channels';

/** Kind of a row by its keys. */
export function recognisePubnub(has: (key: string) => boolean): PubnubKind | 'messages' | undefined {
  if (has('timetoken') && (has('message') || has('content') || has('entry'))) return 'messages';
  if (!has('eTag')) return undefined;
  if (has('uuid') || has('channel')) return 'members';
  if (has('profileUrl') || has('externalId') || has('email')) return 'people';
  return has('description') ? 'channels' : undefined;
}

/** A time token as text; a number that lost digits is none. */
export const tokenOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{15,19}$/.test(value) ? value : undefined;

const readToken = timeReader('pubnub', undefined);

/** Epoch milliseconds. */
export const timeOfToken = (token: string): number | undefined => readToken(token)?.atMs;

/** Tokens in the order of time, whatever their length. */
export const comparable = (token: string): string => token.padStart(20, '0');

/** The name of a channel that is a key of an answer. */
export function decodedName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** A thread is a channel of its own: of which channel, and of which message. */
export function parseThread(channel: string): { readonly channel: string; readonly root: string } | undefined {
  const [, parent, root] = /^PUBNUB_INTERNAL_THREAD_(.+)_(\d{15,19})$/s.exec(channel) ?? [];
  return parent === undefined || root === undefined ? undefined : { channel: parent, root };
}

export const channelOf = (row: Untrusted<PubnubMessage>): unknown => row.channel ?? row.channelId;
