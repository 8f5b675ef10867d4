import type { AppDatabase, DatabaseShape } from '../kit/files/app-database.ts';
import type { DatabaseFiles } from '../kit/files/app-database-files.ts';
import { readCount } from '../kit/time/counted-time.ts';

/**
 * The database of Messages: `~/Library/Messages/chat.db` of macOS, `sms.db` of an iPhone or its backup. Apple documents it nowhere; what is
 * known of it is in https://github.com/ReagentX/imessage-exporter (`docs/tables`, `imessage-database/src`; looked at 2026-11).
 *
 *     message(ROWID, guid, text, attributedBody, handle_id, date, is_from_me, item_type, associated_message_type, …)
 *     chat(ROWID, guid "iMessage;-;+15555550100" | "iMessage;+;chat123", style 43 group | 45 direct, display_name, …)
 *     handle(ROWID, id "+15555550100" | "ann@example.com", service, person_centric_id)
 *     chat_message_join(chat_id, message_id), chat_handle_join(chat_id, handle_id)
 *     attachment(ROWID, guid, filename "~/Library/Messages/Attachments/ab/11/…/a.jpg", transfer_name, mime_type, total_bytes)
 *     message_attachment_join(message_id, attachment_id), chat_recoverable_message_join(chat_id, message_id)
 *
 * - Times count from 2001-01-01 in UTC: nanoseconds since macOS 10.13, seconds before.
 * - `text` is null in most rows since macOS 13: the text is in `attributedBody` alone, a typedstream (`archive/typed-stream.ts`), seldom a
 *   binary property list. U+FFFC is the place of a file, U+FFFD that of an app.
 * - A reaction is a row of its own: `associated_message_type` 2000 to 2006, and 3000 to 3006 if it was taken back; 1000 and 2007 are stickers that
 *   were put on a message. `associated_message_guid` is `p:0/GUID`, `bp:GUID` or the bare guid. Only the latest state is kept.
 * - A vote in a poll is a row of its own, too: `associated_message_type` 4000 (ReagentX/imessage-exporter#545). The choice is in the archive of the
 *   app. "Send later" of iOS 18 is `schedule_type` 2, and `is_sent` 0 until then.
 * - `message_summary_info` of an edited message is a property list: `otr` has its parts, `ec` the versions of each (`d` when, `t` the typedstream),
 *   `rp` the parts that were unsent.
 * - Messages that were deleted within the last 30 days are in no chat, but in `chat_recoverable_message_join`.
 * - One person has a handle for each address and service. Handles with the same `person_centric_id` are one person.
 */

/** One's own id: the database knows oneself by `is_from_me` alone. */
export const self = 'self';

/** Tables without which there is nothing to read, and columns that each of them has. */
const required: Readonly<Record<string, readonly string[]>> = {
  message: ['guid', 'date', 'is_from_me', 'handle_id'],
  chat: ['chat_identifier'],
  handle: ['id'],
  chat_message_join: ['chat_id', 'message_id'],
};

/** Columns that are read, by table. Older versions lack some of them. */
const columns = {
  message: [
    ...['guid', 'text', 'attributedBody', 'subject', 'handle_id', 'service', 'date', 'is_from_me', 'item_type'],
    ...['other_handle', 'group_title', 'group_action_type', 'share_status', 'associated_message_type'],
    ...['associated_message_guid', 'associated_message_emoji', 'balloon_bundle_id', 'expressive_send_style_id'],
    ...['thread_originator_guid', 'date_edited', 'date_retracted', 'message_summary_info', 'is_corrupt', 'is_spam'],
    ...['error', 'is_sent', 'schedule_type', 'date_read', 'date_delivered', 'payload_data'],
  ],
  chat: ['guid', 'style', 'chat_identifier', 'service_name', 'room_name', 'display_name', 'group_id', 'is_archived'],
  handle: ['id', 'person_centric_id'],
  attachment: ['guid', 'filename', 'transfer_name', 'mime_type', 'uti', 'total_bytes', 'is_sticker'],
} as const;

type TableName = keyof typeof columns;

export type MessagesDatabase = AppDatabase<TableName>;

/** Columns that mean nothing for a message, with the reason. Any other column that has values is reported. */
const meaningless: Readonly<Record<TableName, Readonly<Record<string, readonly string[]>>>> = {
  message: {
    'the row itself': ['ROWID', 'version', 'type', 'replace', 'sort_id', 'reply_to_guid', 'is_finished', 'is_prepared'],
    'how far it came: counted with when it was read': [
      ...[
        'is_delivered',
        'is_read',
        'schedule_state',
        'is_played',
        'date_played',
        'was_delivered_quietly',
        'is_delayed',
      ],
      ...['did_notify_recipient', 'has_unseen_mention', 'was_downgraded', 'time_expressive_send_played'],
    ],
    "the account and device that it came through, which are one's own": [
      ...['account', 'account_guid', 'destination_caller_id', 'service_center', 'country', 'message_source'],
    ],
    'synchronisation with iCloud': [
      ...['ck_sync_state', 'ck_record_id', 'ck_record_change_tag', 'sr_ck_sync_state', 'sr_ck_record_id'],
      ...['sr_ck_record_change_tag', 'syndication_ranges', 'synced_syndication_ranges', 'ck_chat_id'],
      ...[
        'was_deduplicated',
        'is_archive',
        'part_count',
        'is_stewie',
        'is_kt_verified',
        'is_critical',
        'bia_reference_id',
      ],
    ],
    'what the text and its files say themselves': [
      ...['cache_has_attachments', 'cache_roomnames', 'is_empty', 'has_dd_results', 'was_data_detected', 'is_emote'],
      ...['is_audio_message', 'is_forward', 'is_system_message', 'is_service_message', 'is_auto_reply'],
      ...['associated_message_range_location', 'associated_message_range_length', 'thread_originator_part'],
      ...['message_action_type', 'share_direction', 'is_expirable', 'expire_state', 'fallback_hash'],
      ...['was_detonated', 'is_sos', 'is_pending_satellite_send', 'needs_relay'],
      ...['sent_or_received_off_grid', 'is_time_sensitive', 'date_recovered'],
    ],
  },
  chat: {
    'the row itself': ['ROWID', 'state', 'successful_query', 'engram_id', 'original_group_id'],
    "one's own account": ['account_id', 'account_login', 'last_addressed_handle', 'last_addressed_sim_id'],
    'how it is shown and how far it was read': [
      ...['properties', 'is_filtered', 'is_blackholed', 'last_read_message_timestamp', 'is_recovered'],
      ...['is_deleting_incoming_messages', 'is_pending_review'],
    ],
    'synchronisation with iCloud': [
      ...['server_change_token', 'ck_sync_state', 'ck_record_system_property_blob', 'sr_server_change_token'],
      ...['sr_ck_sync_state', 'cloudkit_record_id', 'sr_cloudkit_record_id', 'syndication_date', 'syndication_type'],
    ],
  },
  handle: { 'the row itself': ['ROWID', 'country', 'service', 'uncanonicalized_id'] },
  attachment: {
    'the row itself': ['ROWID', 'original_guid', 'created_date', 'start_date', 'is_outgoing', 'transfer_state'],
    'how it is shown': [
      ...['user_info', 'sticker_user_info', 'attribution_info', 'hide_attachment', 'is_commsafety_sensitive'],
      ...['emoji_image_content_identifier', 'emoji_image_short_description', 'preview_generation_state'],
    ],
    'synchronisation with iCloud': [
      ...['ck_sync_state', 'ck_server_change_token_blob', 'ck_record_id', 'sr_ck_record_id', 'sr_ck_sync_state'],
      'sr_ck_server_change_token_blob',
    ],
  },
};

export const shape: DatabaseShape<TableName> = {
  app: 'Messages',
  required,
  columns,
  presence: ['payload_data'],
  meaningless,
};

export const bytesOf = (value: unknown): Uint8Array | undefined =>
  value instanceof Uint8Array && value.length > 0 ? value : undefined;

/** Above it a number counts nanoseconds, at or below it seconds: as seconds it would be in the year 33700. */
const secondsMax = 1_000_000_000_000n;

/** @returns undefined for 0, which means never, and for what is no time. */
export function readTime(value: unknown): { readonly atMs: number; readonly nanoseconds: number } | undefined {
  if (typeof value === 'number') return readCount(String(value), 'apple-s');
  if (typeof value !== 'bigint' || value <= 0n) return undefined;
  return readCount(String(value), value > secondsMax ? 'apple-ns' : 'apple-s');
}

export const files: DatabaseFiles<string> = {
  // As Apple calls it: on a Mac, on a phone, in a backup of a phone, where names are hashes.
  named: /(?:^|\/)(?:chat\.db|sms\.db|3d0d7e5fb2ce288813306e4d4636395e047a3d28)$/i,
  marks: ['chat_message_join', 'handle'],
  shape,
};
