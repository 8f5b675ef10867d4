import type { Untrusted } from '../kit/narrow.ts';
import { timeReader } from '../kit/time/time-reading.ts';

/**
 * Pusher Chatkit, which ended on 23 April 2020: its data export, `export/users.ndjson`, `rooms.ndjson` and `messages.ndjson`, and saved
 * answers of its API, which name some fields otherwise.
 *
 * The export: the example and the JSON schemas that Pusher sent out on 2020-03-26 ("provisional"), in
 * github.com/sendbird-graveyard/migrating-from-pusher-chatkit; there the files are arrays, whatever they are called.
 * The API: github.com/pusher/chatkit-server-go, internal/core/types.go, and chatkit-client-js, src/parsers.js (looked at 2026-11).
 *
 * {"id":42,"sender_id":"ines","room_id":"harbour","created_at":"2020-03-25T12:52:59Z","updated_at":"2020-03-25T12:52:59Z",
 *  "parts":[{"part_type":"inline","payload":{"type":"text/plain","content":"Hello"}}]}
 */
export interface ChatkitMessage {
  /** Grows with time, over all rooms. */
  readonly id: number;
  readonly sender_id: string;
  /** The API's name of `sender_id`. */
  readonly user_id: string;
  readonly room_id: string;
  readonly created_at: string;
  /** Moved by an edit alone. */
  readonly updated_at: string;
  readonly parts: readonly (ChatkitPart | Wrapped)[];
  /** Before messages had parts (API v1 and v2). */
  readonly text: string;
  readonly attachment: { readonly resource_link: string; readonly type: string };
}

/** A part in the export. */
interface Wrapped {
  readonly part_type: 'inline' | 'url' | 'attachment';
  readonly payload: ChatkitPart & ChatkitFile;
}

/** A part: with `content`, `url` or `attachment`. */
export interface ChatkitPart {
  /** Media type. */
  readonly type: string;
  readonly content: string;
  readonly url: string;
  readonly attachment: ChatkitFile;
}

export interface ChatkitFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  /** Signed for seven days in the export, for less in the API. */
  readonly download_url: string;
  readonly custom_data: unknown;
}

export interface ChatkitRoom {
  readonly id: string;
  readonly name: string;
  readonly private: boolean;
  readonly created_by_id: string;
  readonly member_ids: readonly string[];
  /** The API's name of `member_ids`. */
  readonly member_user_ids: readonly string[];
  readonly push_notification_title_override: string;
  readonly custom_data: object;
  readonly last_message_at: string;
  readonly created_at: string;
}

export interface ChatkitPerson {
  readonly id: string;
  readonly name: string;
  readonly avatar_url: string;
  readonly custom_data: object;
  readonly created_at: string;
}

export type ChatkitKind = 'people' | 'rooms';

/** Kind of a row by its keys. */
export function chatkitKindOf(has: (key: string) => boolean): ChatkitKind | 'messages' | undefined {
  if (has('room_id') && (has('sender_id') || has('user_id')) && (has('parts') || has('text'))) return 'messages';
  if (has('created_by_id') && has('private')) return 'rooms';
  return has('name') && has('created_at') && has('updated_at') ? 'people' : undefined;
}

const readIso = timeReader('iso', 'UTC');

/** Epoch milliseconds of a time in RFC 3339. */
export const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? readIso(value)?.atMs : undefined;

/** Data of the application: nothing if it is empty. */
export const customDataOf = (row: Untrusted<{ readonly custom_data: unknown }>): Readonly<Record<string, never>> =>
  isNothing(row.custom_data) ? {} : { custom_data: row.custom_data as never };

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
