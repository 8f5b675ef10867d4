import { asString, secondsToMs } from '../kit/narrow.ts';
import { timeReader } from '../kit/time/time-reading.ts';

/**
 * Chatwoot, as its API answers: messages of a conversation, lists of conversations, contacts and agents, and events of webhooks, a line each.
 * https://developers.chatwoot.com/api-reference/messages/get-messages, and `swagger/swagger.json` of chatwoot/chatwoot (2026-11).
 *
 * {"meta":{…},"payload":[{"id":1,"content":"My boat leaks","conversation_id":7,"message_type":0,"private":false,"created_at":1772442900,
 *  "sender":{"id":1,"name":"Ines","type":"contact"}}]}
 *
 * An answer has at most 20 messages, and does not say whether there are older ones. `content` is Markdown.
 */
export interface ChatwootMessage {
  /** In webhooks. */
  readonly event: string;
  /** Ids ascend, over all conversations. */
  readonly id: number;
  readonly content: string | null;
  /** Numbers begin at 1 in each account. */
  readonly conversation_id: number;
  readonly account_id: number;
  /** In webhooks. */
  readonly account: { readonly id: number };
  /** In webhooks. */
  readonly conversation: { readonly id: number };
  /** 0 incoming, 1 outgoing, 2 activity (a note of what happened), 3 template (sent by the system). Webhooks have the words. */
  readonly message_type: 0 | 1 | 2 | 3 | 'incoming' | 'outgoing' | 'activity' | 'template';
  readonly content_type: string;
  readonly content_attributes: {
    readonly deleted: boolean;
    readonly in_reply_to: number | null;
    readonly items: readonly unknown[];
    readonly submitted_values: unknown;
    readonly email: unknown;
  };
  readonly additional_attributes: Readonly<Record<string, unknown>>;
  /** Unix seconds; in webhooks, ISO 8601. */
  readonly created_at: number | string;
  readonly private: boolean;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  readonly sender: ChatwootSender | null;
  readonly sender_type: string | null;
  readonly sender_id: number | null;
  readonly attachments: readonly ChatwootFile[];
}

/** Contacts, agents and bots are numbered apart: 1 is three people. */
export interface ChatwootSender {
  readonly id: number;
  readonly name: string;
  readonly available_name: string;
  readonly email: string | null;
  readonly type: 'contact' | 'user' | 'agent_bot' | 'captain_assistant';
  /** The id that an app has for a contact. */
  readonly identifier: string | null;
  readonly thumbnail: string;
  readonly avatar_url: string;
}

export interface ChatwootFile {
  readonly id: number;
  readonly file_type: 'image' | 'audio' | 'video' | 'file' | 'location' | 'contact' | 'fallback';
  readonly data_url: string;
  readonly file_size: number;
  readonly fallback_title: string;
  readonly coordinates_lat: number;
  readonly coordinates_long: number;
}

/**
 * The subject of an event of a webhook: the row has the keys of a message, a conversation or a contact next to it.
 * https://www.chatwoot.com/docs/product/others/webhook-events (2026-11).
 */
export const eventRows: Readonly<Record<string, 'messages' | 'conversations' | 'contacts' | 'none'>> = {
  message_created: 'messages',
  message_updated: 'messages',
  conversation_created: 'conversations',
  conversation_updated: 'conversations',
  conversation_status_changed: 'conversations',
  contact_created: 'contacts',
  contact_updated: 'contacts',
  conversation_typing_on: 'none',
  conversation_typing_off: 'none',
  webwidget_triggered: 'none',
};

export interface ChatwootConversation {
  readonly id: number;
  readonly status: string;
  readonly created_at: number;
  readonly meta: { readonly sender: ChatwootSender; readonly assignee: ChatwootSender | null };
  readonly labels: readonly string[];
  /** Only messages have one. */
  readonly message_type: unknown;
}

const iso = timeReader('iso', 'UTC');

export const msOf = (value: unknown): number | undefined => {
  const text = asString(value);
  return secondsToMs(value) ?? (text === undefined ? undefined : iso(text)?.atMs);
};
