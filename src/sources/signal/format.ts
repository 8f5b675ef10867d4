import { asId, asObject, asString } from '../kit/narrow.ts';

/**
 * What can be had of chats of Signal (looked at 2026-11):
 *
 * - **Signal's own export** in plain text, of Desktop, Android and iOS: a folder with `main.jsonl` and `files/`. Each line is a frame of the backup
 *   format as JSON of protobuf: 64-bit numbers and times in ms are strings, bytes are base64, values of enums are their names, fields with
 *   their default are left out. The first line is about the backup (`version`, `backupTimeMs`). Nothing documents it but
 *   https://github.com/signalapp/libsignal/blob/main/rust/message-backup/src/proto/backup.proto and `json/exporter.rs` beside it:
 *   messages that vanish are left out, and so are files that could be seen once.
 * - **signal-export** (https://github.com/carderne/signal-export): a folder for each chat with `chat.md` (once `index.md`), `data.json`, `index.html`, `media/`.
 * - **Messages of Desktop's database** as JSON, as sigtop writes them (https://github.com/tbvdm/sigtop): the column `json`.
 *
 * What they do not say:
 * - Ids of people and chats in `main.jsonl` hold for that file only. People are known by their account (`aci`), and a message by who sent it and when.
 * - The file says nothing of one's own account id: the one whom no contact describes, and who is in most groups, is oneself.
 * - Of an edited message the time is that of the last edit; the first of its `revisions` says when it was sent.
 */

export const self = 'self';

/** A line of `main.jsonl`: one of these. */
export interface Frame {
  readonly account?: { readonly username?: string; readonly givenName?: string; readonly familyName?: string };
  readonly recipient?: Recipient;
  readonly chat?: BackupChat;
  readonly chatItem?: ChatItem;
  readonly stickerPack?: object;
  readonly adHocCall?: object;
  readonly notificationProfile?: object;
  readonly chatFolder?: object;
}

export interface Recipient {
  readonly id: string;
  readonly contact?: Contact;
  readonly group?: Group;
  readonly self?: object;
  readonly releaseNotes?: object;
  readonly distributionList?: object;
  readonly callLink?: object;
}

export interface Contact {
  readonly aci?: string;
  readonly pni?: string;
  readonly e164?: string;
  readonly username?: string;
  readonly blocked?: boolean;
  /** The account is no more. */
  readonly notRegistered?: object;
  readonly note?: string;
  readonly nickname?: { readonly given?: string; readonly family?: string };
  readonly systemGivenName?: string;
  readonly systemFamilyName?: string;
  readonly systemNickname?: string;
  readonly profileGivenName?: string;
  readonly profileFamilyName?: string;
}

export interface Group {
  /** Whoever has it can read the group: never shown. */
  readonly masterKey: string;
  readonly snapshot?: {
    readonly title?: { readonly title?: string };
    readonly description?: { readonly descriptionText?: string };
    readonly members?: readonly { readonly userId: string; readonly role?: string }[];
  };
}

export interface BackupChat {
  readonly id: string;
  readonly recipientId: string;
  readonly archived?: boolean;
  readonly expirationTimerMs?: string;
}

export interface ChatItem {
  readonly chatId: string;
  readonly authorId: string;
  readonly dateSent: string;
  /** The oldest first. */
  readonly revisions?: readonly ChatItem[];
  readonly sms?: boolean;
  readonly incoming?: object;
  readonly outgoing?: object;
  readonly directionless?: object;
  readonly pinDetails?: object;
  readonly expiresInMs?: string;
  readonly standardMessage?: object;
  readonly contactMessage?: object;
  readonly stickerMessage?: object;
  readonly remoteDeletedMessage?: object;
  readonly adminDeletedMessage?: object;
  readonly updateMessage?: object;
  readonly paymentNotification?: object;
  readonly giftBadge?: object;
  readonly viewOnceMessage?: object;
  readonly directStoryReplyMessage?: object;
  readonly poll?: object;
}

export interface FilePointer {
  readonly contentType?: string;
  readonly fileName?: string;
  readonly caption?: string;
  readonly locatorInfo?: { readonly plaintextHash?: string; readonly localKey?: string; readonly size?: number };
}

/** A row of Desktop's database. */
export interface DesktopMessage {
  readonly id: string;
  readonly conversationId: string;
  /** `incoming`, `outgoing`, or what happened: `group-v2-change`, `call-history`, … */
  readonly type: string;
  readonly body?: string | null;
  readonly bodyRanges?: readonly object[];
  readonly sent_at?: number;
  readonly timestamp?: number;
  readonly received_at_ms?: number;
  readonly sourceServiceId?: string;
  readonly sourceUuid?: string;
  readonly source?: string;
  readonly attachments?: readonly {
    readonly contentType?: string;
    readonly fileName?: string;
    readonly size?: number;
  }[];
  readonly quote?: { readonly id?: number; readonly text?: string };
  readonly reactions?: readonly { readonly emoji?: string }[];
  readonly sticker?: { readonly emoji?: string; readonly data?: { readonly emoji?: string } };
  readonly contact?: readonly object[];
  readonly preview?: readonly object[];
  readonly editHistory?: readonly object[];
  readonly editMessageTimestamp?: number;
  readonly deletedForEveryone?: boolean;
  readonly isViewOnce?: boolean;
  readonly isErased?: boolean;
  readonly expireTimer?: number;
  readonly callHistoryDetails?: object;
  readonly expirationTimerUpdate?: object;
  readonly profileChange?: object;
  readonly groupV2Change?: object;
  readonly verifiedChanged?: string;
  readonly verified?: boolean;
  readonly key_changed?: string;
  readonly changedId?: string;
}

/** Milliseconds as text or number, of a time that was: 1 ms to the year 2286. */
export function msOf(value: unknown): number | undefined {
  const text = asId(value);
  return text !== undefined && /^\d{1,13}$/.test(text) && text !== '0' ? Number(text) : undefined;
}

/** Account ids are sixteen bytes; one of a telephone number has a byte before them. */
export function uuidOf(base64: unknown): string | undefined {
  const text = asString(base64);
  if (text === undefined) return undefined;
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text.toLowerCase();
  const hex = Buffer.from(text, 'base64').subarray(-16).toString('hex');
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : undefined;
}

/** How a message is known: who sent it, and when. */
export const messageId = (sentAt: string | number, author: string | undefined): string => `${sentAt}.${author ?? ''}`;

/** Fields of an object that nobody has looked at; none of what is no object. */
export type Fields = Readonly<Record<string, unknown>>;
export const fieldsOf = (value: unknown): Fields => (asObject<Fields>(value) ?? {}) as Fields;

/** What a table of our own has under a key of an export, which may be `constructor`. */
export const ownOf = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
