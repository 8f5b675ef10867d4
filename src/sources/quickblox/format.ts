/**
 * Saved answers of the REST API of QuickBlox and of ConnectyCube, which is its sister: `{"items": […]}` of messages, dialogs and people.
 *
 * https://docs.quickblox.com/reference/list-messages; https://developers.connectycube.com/server/chat (looked at 2026-11).
 *
 * `date_sent` is when a message was sent, `created_at` when the server stored it. Ids of people are numbers, ids of messages and dialogs
 * grow with time. Parameters of the app are next to the fields of a message.
 *
 * {"_id":"5c094687e588ce59fff87425","chat_dialog_id":"5c093376e588ce6856f873fe","message":"Hi","date_sent":1772442900,"sender_id":29085}
 */
export interface QuickbloxMessage {
  readonly _id: string;
  readonly chat_dialog_id: string;
  readonly message: string | null;
  /** Seconds. */
  readonly date_sent: number;
  readonly sender_id: number;
  readonly attachments: readonly QuickbloxFile[];
  readonly created_at: string;
  /** Receipts move it, too. */
  readonly updated_at: string;
  /** ConnectyCube. */
  readonly edited_at: string | null;
  readonly read_ids: readonly number[];
  readonly delivered_ids: readonly number[];
  /** ConnectyCube, lists of administrators: people who deleted the message for themselves. */
  readonly deleted_for_ids: readonly number[];
  /** ConnectyCube: how many, not who. */
  readonly reactions: { readonly total: Readonly<Record<string, number>> } | null;
  /** An event of the app, such as a new member: a parameter by the custom of the vendor's sample apps. */
  readonly notification_type: string;
  /**
   * Parameters of the UI Kits of QuickBlox (repositories of QuickBlox on GitHub, 2026-11): the messages that this one forwards or answers, as
   * a list or its JSON. `message` is `[Forwarded_Message]`, or the words of the reply.
   */
  readonly qb_message_action: 'forward' | 'reply';
  readonly qb_original_messages: string | readonly QuickbloxMessage[];
  readonly origin_sender_name: string;
}

/** Without an address, unless the app gives one. */
export interface QuickbloxFile {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly name: string;
  readonly size: number;
}

export interface QuickbloxDialog {
  readonly _id: string;
  /** 3: of two. QuickBlox: 1 public, 2 group. ConnectyCube: 1 broadcast, 2 group, 4 public. */
  readonly type: number;
  readonly name: string | null;
  readonly description: string | null;
  readonly photo: string | null;
  readonly data: object | null;
  readonly user_id: number;
  readonly occupants_ids: readonly number[];
  readonly admins_ids: readonly number[];
  readonly pinned_messages_ids: readonly string[] | null;
  readonly last_message_id: string | null;
  readonly created_at: string;
  readonly xmpp_room_jid: string | null;
}

export interface QuickbloxPerson {
  readonly id: number;
  readonly full_name: string | null;
  readonly login: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly avatar: string | null;
  readonly custom_data: unknown;
  readonly created_at: string;
}

export type QuickbloxKind = 'people' | 'dialogs';

/** Kind of a row by its keys. People of QuickBlox are in an object: `{"user": {…}}`. */
export function recogniseQuickblox(has: (key: string) => boolean): QuickbloxKind | 'messages' | undefined {
  if (has('chat_dialog_id') && has('sender_id')) return 'messages';
  if (has('occupants_ids') && has('type')) return 'dialogs';
  return has('user') || (has('full_name') && has('login')) ? 'people' : undefined;
}

/** Fields of a message; others are parameters of the app. */
export const knownFields: ReadonlySet<string> = new Set(
  (
    '_id chat_dialog_id message date_sent sender_id recipient_id attachments created_at updated_at edited_at read read_ids ' +
    'delivered delivered_ids deleted_for_ids reactions views_count notification_type qb_message_action qb_original_messages origin_sender_name save_to_history send_to_chat markable'
  ).split(' '),
);
