/**
 * Rows of an export of Zulip: tables of its database, each a list under its name (`zerver_message`), as
 * https://zulip.readthedocs.io/en/stable/production/export-and-import.html and `zerver/lib/export.py` of
 * https://github.com/zulip/zulip write them (2026-11). Times are Unix seconds with a fraction. Facts about real exports
 * that no page documents:
 *
 * - A private message to one person names that person's own recipient: the conversation consists of that person and the
 *   sender. Newer servers write it to a group of two instead.
 * - Chunks are in no order, and reactions are in `realm.json`; other programs that write such exports put them into the
 *   chunks.
 * - Messages before 2018 have `pub_date`, and `prev_subject` in their history.
 * - The export of one person has `user.json` in place of `realm.json`, with the streams and groups of that person.
 * - An interrupted export leaves `messages-000002.json.partial`, with whole messages.
 */
export interface ZulipMessage {
  readonly id: number;
  readonly sender: number;
  readonly recipient: number;
  /** The topic; empty, or `\x07`, in private messages. */
  readonly subject: string;
  /** Markdown of Zulip, and the HTML that was made of it. */
  readonly content: string;
  readonly rendered_content: string | null;
  readonly date_sent: number;
  readonly pub_date: number;
  readonly last_edit_time: number | null;
  /** JSON in a string, the newest first. */
  readonly edit_history: string | null;
  readonly sending_client: number;
}

export interface ZulipEdit {
  readonly prev_content: string;
  readonly prev_topic: string;
  readonly prev_subject: string;
  readonly prev_stream: number;
  readonly user_id: number | null;
  readonly timestamp: number;
}

export interface ZulipReaction {
  readonly user_profile: number;
  readonly message: number;
  readonly emoji_name: string;
  /** Code points in hexadecimal; the id of the organisation's own emoji. */
  readonly emoji_code: string;
  readonly reaction_type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';
}

export interface ZulipUserMessage {
  /** Bits: 1 read, 2 starred. */
  readonly flags_mask: number;
  readonly flags: number;
}

export interface ZulipUser {
  readonly id: number;
  /** May be none that works, `user7@…`: `delivery_email` is. */
  readonly email: string;
  readonly delivery_email: string | null;
  readonly full_name: string;
  readonly is_active: boolean;
  readonly is_bot: boolean;
  readonly is_mirror_dummy: boolean;
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. Older exports have `is_realm_admin` and `is_guest`. */
  readonly role: number;
  readonly is_realm_admin: boolean;
  readonly is_guest: boolean;
  readonly date_joined: number;
  readonly recipient: number | null;
  /** The same, of the system's own accounts. */
  readonly recipient_id: number;
  readonly avatar_source: 'G' | 'U' | 'J';
  readonly timezone: string;
  readonly bot_owner: number | null;
}

export interface ZulipStream {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly invite_only: boolean;
  readonly deactivated: boolean;
  readonly is_web_public: boolean;
  readonly history_public_to_subscribers: boolean;
  /** 1 everybody may write. */
  readonly stream_post_policy: number;
  readonly message_retention_days: number | null;
  readonly date_created: number;
  readonly creator: number | null;
  readonly recipient: number | null;
  /** From servers 10 on: the id of a group of people; in answers also the group itself, if it has no name. */
  readonly can_administer_channel_group: number | { readonly direct_members: readonly number[] };
}

export interface ZulipRecipient {
  readonly id: number;
  /** 1 a person, 2 a stream, 3 a group. */
  readonly type: number;
  readonly type_id: number;
}

export interface ZulipGroup {
  readonly id: number;
  readonly recipient: number | null;
  readonly group_size: number;
}

export interface ZulipSubscription {
  readonly user_profile: number;
  readonly recipient: number;
  readonly active: boolean;
  /** Servers before 10: 20 for the administrator of a stream, 50 for everybody else. */
  readonly role: number;
  readonly is_muted: boolean;
  readonly pin_to_top: boolean;
}

export interface ZulipAttachment {
  readonly file_name: string;
  /** Path of the file in `uploads/`, and after `/user_uploads/` in texts. */
  readonly path_id: string;
  readonly size: number;
  readonly content_type: string | null;
}

/**
 * A message of an answer to `GET /api/v1/messages`, as https://zulip.com/api/get-messages (2026-11) and the server's own description of
 * its API have it. Times are whole seconds. Facts that the page does not say:
 *
 * - `recipient_id` is the number of the row of `zerver_recipient` in the server's export.
 * - `sender_realm_str` is the `string_id` of the organisation of the sender; the system's accounts are of another one.
 */
export interface ZulipAnswer {
  readonly id: number;
  /** Newer servers are to write `channel` and `direct`. */
  readonly type: 'stream' | 'channel' | 'private' | 'direct';
  readonly sender_id: number;
  readonly sender_full_name: string;
  readonly sender_email: string;
  readonly sender_realm_str: string;
  readonly recipient_id: number;
  readonly stream_id: number;
  /** The name of the stream; or everybody whose message it is, the sender as well. */
  readonly display_recipient: string | readonly { readonly id: number; readonly full_name: string }[];
  readonly subject: string;
  readonly content: string;
  /** `text/x-markdown` with `apply_markdown=false`, otherwise HTML. */
  readonly content_type: 'text/html' | 'text/x-markdown';
  readonly timestamp: number;
  readonly last_edit_timestamp: number;
  readonly edit_history: readonly ZulipEdit[];
  readonly client: string;
  readonly flags: readonly string[];
  readonly submessages: readonly object[];
  /** Before Zulip 3 a reaction has `user` alone. */
  readonly reactions: readonly (Omit<ZulipReaction, 'user_profile' | 'message'> & {
    readonly user_id: number;
    readonly user: { readonly id: number };
  })[];
}

/** A person of an answer to `GET /api/v1/users`: https://zulip.com/api/get-users (2026-11). */
export interface ZulipMember
  extends Pick<
    ZulipUser,
    'email' | 'delivery_email' | 'full_name' | 'is_active' | 'is_bot' | 'role' | 'is_guest' | 'timezone'
  > {
  readonly user_id: number;
  readonly is_owner: boolean;
  readonly is_admin: boolean;
  readonly is_imported_stub: boolean;
  readonly bot_owner_id: number | null;
  /** ISO 8601. */
  readonly date_joined: string;
  readonly avatar_url: string | null;
}

/** A stream of an answer to `GET /api/v1/streams`: https://zulip.com/api/get-streams (2026-11). */
export interface ZulipChannel extends Omit<ZulipStream, 'id' | 'deactivated' | 'creator' | 'recipient'> {
  readonly stream_id: number;
  readonly is_archived: boolean;
  readonly creator_id: number | null;
  /** The last three are of answers to `GET /api/v1/users/me/subscriptions?include_subscribers=true`. */
  readonly subscribers: readonly number[];
  readonly is_muted: boolean;
  readonly pin_to_top: boolean;
}

/** The system's own accounts that speak for it, by their address before the `@`. */
export const systemBots: ReadonlySet<string> = new Set(['notification-bot', 'welcome-bot', 'feedback']);

/** Milliseconds of seconds with a fraction. Undefined for none, for 0, and beyond the year 2286. */
export function zulipTime(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(value > 0 && value < 1e10)) return undefined;
  // Rounded to whole microseconds first: 1772442000.123 is a little less than that.
  return Math.floor(Math.round(value * 1e6) / 1000);
}

/** Codes that were looked up: far more than there are emoji. */
const knownMax = 10_000;
const known = new Map<string, string | undefined>();

/** The emoji of `1f1e9-1f1ea`. */
export function emojiOfCode(code: string): string | undefined {
  const before = known.get(code);
  if (before !== undefined || known.has(code)) return before;
  if (known.size >= knownMax) known.clear();
  const emoji = emojiWithCode(code);
  known.set(code, emoji);
  return emoji;
}

function emojiWithCode(code: string): string | undefined {
  if (!/^[\da-f]{2,6}(?:-[\da-f]{2,6}){0,15}$/i.test(code)) return undefined;
  const points = code.split('-').map((point) => Number.parseInt(point, 16));
  if (points.some((point) => point > 0x10ffff || (point >= 0xd800 && point < 0xe000))) return undefined;
  const [first = 0, second] = points;
  // The server leaves out what makes a sign an emoji, as of the heart and of keys.
  const isSign = points.length === 1 && !/\p{Emoji_Presentation}/u.test(String.fromCodePoint(first));
  if (isSign || (points.length === 2 && second === 0x20e3)) points.splice(1, 0, 0xfe0f);
  return String.fromCodePoint(...points);
}
