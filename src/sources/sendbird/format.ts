import { asCount, asObject, type Untrusted } from '../kit/narrow.ts';
import { timeReader } from '../kit/time/time-reading.ts';

/**
 * Data exports of Sendbird: ZIPs of at most 31 days each, with `messages/…`, `channels/…` and `users/…`, in JSON or
 * CSV. And answers of its Platform API, or the rows of them, one a line.
 *
 * https://docs.sendbird.com/docs/chat/v3/platform-api/data-export/data-export-overview (looked at 2026-11).
 * https://sendbird.com/docs/chat/v3/platform-api/message/messaging-basics/list-messages (looked at 2026-11).
 *
 * Undocumented: messages use milliseconds and channels seconds, in one file; 0, -1 and "1969-12-31 23:59:59+0000" stand
 * for never; people have `nickname` and `profile_url` or `name` and `image`; removed messages are still there with
 * their text; lists of people include their access tokens; an absent value is `""`, `null`, `{}` or `[]`,
 * inconsistently. In a table the same keys are columns.
 *
 * {"type":"MESG","message_id":10463242990,"message":"Hi","created_at":1772442000123,"channel_url":"sendbird_group_channel_1_ab","user":{"user_id":"ines"}}
 */
export interface SendbirdMessage {
  /** 64 bits. */
  readonly message_id: number | string;
  /** `MESG`, `FILE`; `ADMM` and `BRDM`, of the app itself, have no author. */
  readonly type: string;
  readonly message: string;
  /** With `@{user_id}` in place of the names in the text. */
  readonly mentioned_message_template: string;
  readonly mentioned_users: readonly SendbirdUser[];
  readonly channel_url: string;
  readonly user: SendbirdUser;
  readonly created_at: number;
  /** 0 where it was never edited. */
  readonly updated_at: number;
  readonly is_removed: boolean;
  readonly parent_message_id: number;
  readonly is_reply_to_channel: boolean;
  readonly reactions: readonly {
    readonly key: string;
    readonly user_ids: readonly string[];
    readonly updated_at: number;
  }[];
  readonly file: SendbirdFile;
  readonly files: readonly SendbirdFile[];
  /** Whatever the app put there, often JSON. */
  readonly data: string;
  readonly custom_type: string;
  readonly sorted_metaarray: readonly { readonly key: string; readonly value: readonly string[] }[];
  readonly translations: object;
  readonly extended_message_payload: object;
  readonly og_tag: object;
  readonly poll: SendbirdPoll;
  /** -1: permanently. */
  readonly message_survival_seconds: number;
}

/** `name`, `size` and `type`, or `file_name`, `file_size` and `file_type`. */
export interface SendbirdFile {
  readonly url: string;
  readonly name: string;
  readonly file_name: string;
  readonly size: number;
  readonly file_size: number;
  readonly type: string;
  readonly file_type: string;
  readonly data: string;
  /** The file cannot be opened without a token of the app. */
  readonly require_auth: boolean;
}

export interface SendbirdPoll {
  readonly title: string;
  readonly options: readonly { readonly text: string; readonly vote_count: number }[];
}

export interface SendbirdUser {
  readonly user_id: string;
  readonly nickname: string;
  readonly name: string;
  readonly profile_url: string;
  readonly image: string;
  readonly is_active: boolean;
  readonly is_bot: boolean;
  readonly created_at: number;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface SendbirdMember extends SendbirdUser {
  /** `joined` or `invited`. */
  readonly state: string;
  readonly role: string;
  readonly joined_ts: number;
  /** In rows that Chatferry fetched: an answer of the API with members does not say whose they are. */
  readonly channel_url: string;
}

export interface SendbirdChannel {
  readonly channel_url: string;
  readonly name: string;
  readonly cover_url: string;
  readonly data: string;
  readonly custom_type: string;
  readonly is_distinct: boolean;
  readonly is_public: boolean;
  readonly is_super: boolean;
  readonly is_broadcast: boolean;
  readonly is_ephemeral: boolean;
  readonly freeze: boolean;
  readonly created_at: number;
  readonly created_by: SendbirdUser;
  readonly members: readonly SendbirdMember[];
  readonly operators: readonly SendbirdUser[];
  readonly participant_count: number;
  readonly read_receipt: Readonly<Record<string, number>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** A copy, in answers of the API. */
  readonly last_message: SendbirdMessage;
}

/** Below this it counts seconds, up to the year 5138; above milliseconds, from 1973 on. */
const secondsMax = 1e11;

/** Reads times in epoch milliseconds: numbers of either unit, also as text, and dates of tables. Nothing where it says never. */
export function timesIn(zone: string | undefined): (value: unknown) => number | undefined {
  const readText = timeReader('iso', zone ?? 'UTC');
  return (value) => {
    const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
    if (typeof number === 'string') return positive(readText(number)?.atMs);
    return typeof number === 'number' ? positive(number < secondsMax ? number * 1000 : number) : undefined;
  };
}

const positive = (ms: number | undefined): number | undefined =>
  ms !== undefined && Number.isSafeInteger(ms) && ms > 0 ? ms : undefined;

/** Parses custom data: the app's own JSON, or its text unchanged. */
export function parseData(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Whether it says anything. */
export function isSaid(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '' && value !== false;
}

export type Times = ReturnType<typeof timesIn>;

export const countOf = (value: unknown): number | undefined =>
  asCount(typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value);

export const parseObject = <T>(value: unknown): Untrusted<T> | undefined => {
  const object = asObject<T>(parseData(value));
  return object && Object.keys(object).length > 0 ? object : undefined;
};
