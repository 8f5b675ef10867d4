/**
 * The format of Telegram Desktop: *Settings → Advanced → Export Telegram data* (a whole account), or *⋮ → Export chat
 * history*. The only documentation is the program that writes it (checked 2026-11):
 * https://github.com/telegramdesktop/tdesktop/blob/dev/Telegram/SourceFiles/export/output/export_output_json.cpp
 *
 * `result.json` of one chat:
 *
 * { "name": "Ann", "type": "personal_chat", "id": 4711, "messages": [ … ] }
 *
 * of an account, where each part may be missing:
 *
 * { "about": "…", "personal_information": { "user_id": 1, … }, "contacts": { "about": "…", "list": [ … ] }, "chats": {
 * "about": "…", "list": [ { "name": …, "type": …, "id": …, "messages": [ … ] } ] }, "left_chats": { … } }
 *
 * Facts about exports that the program does not show:
 * - Until 2021, ids were numbers in one space: those of users unchanged, those of groups from 2^32 on, those of
 *   channels from 2^33 on. Now `from_id` includes the type (`user1`, `chat1`, `channel1`), and a chat's `id` depends on
 *   its `type`.
 * - Messages of a group from before it became a supergroup have negative ids in the supergroup's file.
 * - Control characters are written `\x0B`, and some versions left out the quotes of a `document_id`: neither is JSON.
 * - `date` is the wall time of the computer that wrote it; since 3.7.6, `date_unixtime` also gives the instant.
 */

/** One row; those that nothing here names go to `custom` under their own names. */
export interface TelegramMessage {
  readonly id: number;
  /** `unsupported`: newer than the program that wrote the export, which says nothing more of it. */
  readonly type: 'message' | 'service' | 'unsupported';
  /** `2026-03-02T09:15:00`, without a zone. */
  readonly date: string;
  /** Seconds as text. */
  readonly date_unixtime?: string;
  readonly edited?: string;
  readonly edited_unixtime?: string;
  /** Name, as it was at the time of the export; null of a deleted account. */
  readonly from?: string | null;
  readonly from_id?: string | number;
  /** For a service message. */
  readonly actor?: string | null;
  readonly actor_id?: string | number;
  readonly action?: string;
  readonly title?: string;
  readonly members?: readonly (string | null)[];
  readonly duration_seconds?: number;
  /** The same of calls of groups. */
  readonly duration?: number;
  readonly forwarded_from?: string | null;
  readonly reply_to_message_id?: number;
  /** Set if that message is in another chat. */
  readonly reply_to_peer_id?: string;
  /** A path inside the export, or `(File not included. Change data exporting settings to download.)`. */
  readonly photo?: string;
  readonly file?: string;
  readonly file_name?: string;
  readonly photo_file_size?: number;
  readonly file_size?: number;
  readonly mime_type?: string;
  readonly media_type?: string;
  readonly sticker_emoji?: string;
  readonly contact_vcard?: string;
  readonly contact_information?: {
    readonly first_name: string;
    readonly last_name: string;
    readonly phone_number: string;
  };
  readonly location_information?: { readonly latitude: number; readonly longitude: number };
  readonly place_name?: string;
  readonly address?: string;
  readonly poll?: {
    readonly question: TelegramText;
    readonly closed: boolean;
    readonly total_voters: number;
    readonly answers: readonly { readonly text: TelegramText; readonly voters: number; readonly chosen: boolean }[];
  };
  readonly todo_list?: {
    readonly title: TelegramText;
    readonly answers: readonly { readonly text: TelegramText; readonly id: number }[];
  };
  readonly text: TelegramText;
  /** The same in pieces, since 4.4. */
  readonly text_entities?: readonly TelegramPiece[];
  readonly giveaway_information?: {
    readonly quantity: number;
    readonly months: number;
    readonly stars: number;
    readonly until_date: string;
    readonly additional_prize: string;
  };
  readonly giveaway_results?: {
    /** Numbers of people. */
    readonly winners: readonly number[];
    readonly winners_count: number;
    readonly unclaimed_count: number;
    readonly additional_prize: string;
  };
  /** For paid pictures and films. */
  readonly paid_stars_amount?: number;
  /** For a forwarded story: the story itself is not exported. */
  readonly story_id?: number;
  readonly story_from?: string;
  /** New title of a topic that was changed, and text with a gift. */
  readonly new_title?: string;
  readonly gift_text?: TelegramText;
  /** `amount` in the smallest unit of the currency. */
  readonly invoice_information?: {
    readonly title: string;
    readonly description: string;
    readonly amount: number;
    readonly currency: string;
  };
  readonly game_title?: string;
  readonly game_description?: string;
  readonly game_link?: string;
  readonly inline_bot_buttons?: readonly (readonly {
    readonly type: string;
    readonly text: string;
    readonly data?: string;
  }[])[];
  readonly reactions?: readonly TelegramReaction[];
}

export type TelegramText = string | readonly (string | TelegramPiece)[];

/** Styles inside each other are flattened: a run has one type. */
export interface TelegramPiece {
  readonly type: string;
  readonly text: string;
  readonly href?: string;
  readonly user_id?: number;
  readonly document_id?: string;
  readonly language?: string;
}

export interface TelegramReaction {
  readonly type: 'emoji' | 'custom_emoji' | 'paid';
  readonly count: number;
  readonly emoji?: string;
  /** A number, or the path of the picture. */
  readonly document_id?: string;
  /** The latest few who reacted. */
  readonly recent?: readonly { readonly from: string; readonly from_id: string; readonly date: string }[];
}

/** A person in the export of an account: its owner, or a person of the address book. */
export interface TelegramPerson {
  readonly user_id?: number;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly phone_number?: string;
  readonly username?: string;
  readonly bio?: string;
}

export const telegramTypes =
  /^(?:saved_messages|replies|verification_codes|personal_chat|bot_chat|private_group|private_supergroup|public_supergroup|private_channel|public_channel)$/;

/** First ids of groups and channels in exports until 2021. */
const chatShift = 2 ** 32;
const channelShift = 2 ** 33;

/** Who it is, in the spelling of today's exports: `user1`, `chat1`, `channel1`. */
export function peerOf(id: unknown): string | undefined {
  if (typeof id === 'string') return id === '' ? undefined : /^\d+$/.test(id) ? peerOf(Number(id)) : id;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) return undefined;
  if (id >= channelShift) return `channel${id - channelShift}`;
  return id >= chatShift ? `chat${id - chatShift}` : `user${id}`;
}

/** Returns the id of a person, in a field that can only hold a person. Ids of today's accounts are as large as ids of groups used to be. */
export const personId = (id: unknown): string | undefined =>
  typeof id === 'number' && Number.isSafeInteger(id) && id >= 0
    ? `user${id}`
    : typeof id === 'string' && /^\d+$/.test(id)
      ? `user${id}`
      : peerOf(id);

/** Returns the id of a message: a whole number, also below 0. */
export const readMessageId = (id: unknown): string | undefined =>
  typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : undefined;

const unquotedId = /("document_id": )([^"\s\n][^\n]*)/g;
const anyEscape = /\\(x[0-9A-Fa-f]{2}|[\s\S])/g;

/** A row as its exporter meant it: `\x0B` and forgotten quotes. */
export const repairJson = (text: string): string =>
  text
    .replace(anyEscape, (whole, code: string) => (/^x../.test(code) ? `\\u00${code.slice(1)}` : whole))
    .replace(unquotedId, (whole, key: string, rest: string) => {
      const line = rest.trimEnd();
      const end = line.endsWith(',') ? ',' : '';
      const value = line.slice(0, line.length - end.length);
      return /^-?\d+$/.test(value) ? whole : `${key}${JSON.stringify(value)}${end}`;
    });
