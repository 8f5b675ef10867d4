/**
 * Chats of LiveChat (text|livechat.com), as its Agent Chat API answers: `list_archives`, `get_chat`, `list_threads`, `list_chats`.
 * https://platform.text.com/docs/messaging/agent-chat-api and the repository livechat/livechat-public-docs (versions 3.0 to 3.7, 2026-11).
 *
 * {"chats":[{"id":"PJ0MRSHTDG","users":[{"id":"b7eff798-…","type":"customer","name":"Ines"},{"id":"bo@example.com","type":"agent",…}],
 *  "thread":{"id":"K600PKZON8","user_ids":[…],"events":[{"id":"K600PKZON8_1","created_at":"2026-03-02T09:00:00.010200Z","type":"message",
 *  "text":"My boat leaks","author_id":"b7eff798-…","visibility":"all"}]}}],"found_chats":42,"next_page_id":"MTUx…"}
 *
 * A chat goes on for as long as customer and desk know each other; a thread is one visit. An answer has one thread of each chat, or
 * (`list_threads`) threads of one chat, without its id and its users.
 */
export interface LiveChatChat {
  readonly id: string;
  readonly users: readonly LiveChatUser[];
  readonly thread: LiveChatThread;
  /** Not LiveChat's: where somebody has put all threads into the chat. */
  readonly threads: readonly LiveChatThread[];
  /** In `list_chats`, instead of a thread with its events. */
  readonly last_thread_summary: { readonly id: string };
  /** Its name from version 3.7 on. */
  readonly last_thread_info: { readonly id: string };
  readonly properties: unknown;
}

/** Ids of agents are their addresses, those of customers and bots are made by LiveChat. */
export interface LiveChatUser {
  readonly id: string;
  readonly type: 'customer' | 'agent';
  readonly name: string;
  readonly email: string;
  readonly avatar: string;
  /** For agents: `agents` if the customer does not see that the agent is there. */
  readonly visibility: 'all' | 'agents';
  readonly created_at: string;
}

export interface LiveChatThread {
  readonly id: string;
  readonly events: readonly LiveChatEvent[];
  /** Why there are no events: the plan of the account does not show old ones. `true` in version 3.2. */
  readonly restricted_access: string | boolean;
  readonly previous_thread_id: string;
  readonly next_thread_id: string;
  /** Not LiveChat's: for threads of `list_threads`, which do not say it. */
  readonly chat_id: string;
  readonly tags: readonly string[];
  readonly properties: unknown;
  readonly customer_visit: unknown;
}

export interface LiveChatEvent {
  readonly id: string;
  /** An id that an app gave it. */
  readonly custom_id: string;
  readonly type: string;
  /** With microseconds, in UTC. */
  readonly created_at: string;
  /** Version 3.0: Unix seconds. */
  readonly timestamp: number;
  readonly author_id: string;
  readonly visibility: 'all' | 'agents';
  /** Its name up to version 3.3. Events of the system have neither of them there. */
  readonly recipients: 'all' | 'agents';
  /** Agents who are no administrators get no content. */
  readonly deleted: boolean;
  /** By namespaces of apps. */
  readonly properties: unknown;
  readonly text: string;
  /** The rich message of which a button was pressed. */
  readonly postback: Postback;
  /** For files. */
  readonly name: string;
  readonly url: string;
  readonly content_type: string;
  readonly size: number;
  readonly alternative_text: string;
  /** For rich messages. */
  readonly elements: readonly RichElement[];
  /** For forms, filled or not. */
  readonly form_type: string;
  readonly fields: readonly FormField[];
  /** For `system_message`: such as `rating.chat_rated`. */
  readonly system_message_type: string;
  /** For `system`. */
  readonly subtype: string;
  readonly details: unknown;
  /** For `custom`. */
  readonly content: unknown;
}

interface Postback {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly value: string;
}

export interface RichElement {
  readonly title: string;
  readonly subtitle: string;
  readonly image: { readonly url: string; readonly name: string; readonly content_type: string; readonly size: number };
  readonly buttons: readonly unknown[];
}

export interface FormField {
  readonly label: string;
  readonly answer: unknown;
  readonly answers: readonly unknown[];
}
