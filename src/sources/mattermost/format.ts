import type { Card } from '../kit/text/cards.ts';

/**
 * Mattermost's bulk export: JSON lines, each `{"type": T, T: {…}}`, in the order version, roles, schemes, teams,
 * channels, users, bots, posts, emoji, direct channels, direct posts.
 *
 * https://docs.mattermost.com/onboard/bulk-loading-data.html and `server/channels/app/imports/import_types.go` (looked
 * at 2026-11).
 *
 * Undocumented: messages have no ids, and are in the order of ids that are not exported, so not in order of time; a
 * reply may be older than its root; servers before 9.5 write a direct channel whose other member is deactivated as
 * `["ann","ann"]`, while its posts name both; deleted messages are left out, and so is the text before an edit.
 *
 * {"type":"post","post":{"team":"harbour","channel":"pier-4","user":"ines","message":"Hi","create_at":1772442900000,"replies":[…]}}
 */
export interface MattermostLine {
  readonly type: string;
  readonly version: number;
  /** Only in the first line, since version 6: when and by which program the export was made. */
  readonly info: { readonly created: string };
  readonly team: MattermostTeam;
  readonly channel: MattermostChannel;
  readonly user: MattermostUser;
  readonly bot: MattermostBot;
  readonly post: MattermostPost;
  readonly direct_channel: MattermostDirectChannel;
  readonly direct_post: MattermostPost;
}

export interface MattermostTeam {
  readonly name: string;
  readonly display_name: string;
}

export interface MattermostChannel {
  readonly team: string;
  readonly name: string;
  readonly display_name: string;
  /** `O`: open to the team; `P`: by invitation. */
  readonly type: 'O' | 'P';
  readonly header: string;
  readonly purpose: string;
  /** Epoch milliseconds, of an archived channel (`--include-archived-channels`). */
  readonly deleted_at: number;
}

export interface MattermostUser {
  /** The only id that there is; lower case. */
  readonly username: string;
  readonly email: string;
  readonly nickname: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly position: string;
  /** With spaces between: `system_admin system_user`. */
  readonly roles: string;
  /** Epoch milliseconds; 0 of who is active. */
  readonly delete_at: number;
  /** Path of a picture in the export. */
  readonly profile_image: string;
  readonly timezone: unknown;
  readonly custom_status: unknown;
  readonly teams: readonly MattermostMembership[] | null;
}

export interface MattermostMembership {
  readonly name: string;
  readonly roles: string;
  readonly favorite: boolean;
  readonly channels: readonly MattermostMembership[] | null;
}

export interface MattermostBot {
  readonly username: string;
  readonly owner: string;
  readonly display_name: string;
  readonly description: string;
  readonly delete_at: number;
}

export interface MattermostDirectChannel {
  readonly members: readonly string[];
  /** Instead of `members`, in newer exports. */
  readonly participants: readonly { readonly username: string; readonly last_viewed_at: number }[];
  readonly header: string;
  readonly favorited_by: readonly string[];
  readonly shown_by: readonly string[];
}

/** A post, a direct post, or a reply in one. */
export interface MattermostPost {
  readonly team: string;
  readonly channel: string;
  /** For a direct post, instead of team and channel. */
  readonly channel_members: readonly string[];
  readonly user: string;
  /** Empty for an ordinary one, and always before 2022; `system_join_channel`, `me`, `custom_calls`. */
  readonly type: string;
  /** Markdown. */
  readonly message: string;
  readonly props: MattermostProps;
  /** Epoch milliseconds. */
  readonly create_at: number;
  /** 0 where it was not edited. */
  readonly edit_at: number;
  readonly is_pinned: boolean;
  /** Who saved it for later. */
  readonly flagged_by: readonly string[];
  readonly thread_followers: readonly unknown[];
  readonly reactions: readonly MattermostReaction[];
  readonly replies: readonly MattermostPost[];
  readonly attachments: readonly { readonly path: string }[];
}

export interface MattermostReaction {
  readonly user: string;
  readonly emoji_name: string;
  readonly create_at: number;
}

/** Notes of apps and the server about a post; other keys are possible. */
export interface MattermostProps {
  /** https://developers.mattermost.com/integrate/reference/message-attachments/ (2026-11) */
  readonly attachments: readonly Card[];
  /** The name under which a webhook or a bot posted. */
  readonly override_username: string;
  readonly from_webhook: string;
  readonly from_bot: string;
  /** For calls, epoch milliseconds. */
  readonly start_at: number;
  readonly end_at: number;
}
