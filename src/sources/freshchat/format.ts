import { asString } from '../kit/narrow.ts';
import { timeReader } from '../kit/time/time-reading.ts';

/**
 * Freshchat, as its API (v2) answers: messages of a conversation, conversations, users and agents.
 *
 * https://developers.freshchat.com/api/, the types of the vendor's client, freshworks/jaya-lib `packages/freshchat-api/src/interfaces`,
 * and the schemas of airbytehq/airbyte `source-freshchat/manifest.yaml` (2026-11).
 *
 * {"messages":[{"id":"m1","conversation_id":"c1","created_time":"2026-03-02T09:15:00.123Z","actor_type":"user","actor_id":"u1",
 *  "message_type":"normal","message_parts":[{"text":{"content":"My boat leaks"}}]}],"link":{"href":"/v2/conversations/c1/messages?page=2"}}
 *
 * A page of messages has at most 50, and a `link` if there are older ones; the first page begins with the latest message. Agents write HTML.
 */
export interface FreshchatMessage {
  readonly id: string;
  readonly conversation_id: string;
  /** ISO 8601 with milliseconds. */
  readonly created_time: string;
  readonly actor_type: 'user' | 'agent' | 'bot' | 'system';
  readonly actor_id: string;
  /** `private`: a note for agents. */
  readonly message_type: 'normal' | 'private' | 'system';
  /** A note of a bot, which the user does not see, whatever `message_type` says. */
  readonly botsPrivateNote: boolean;
  readonly bots_private_note: boolean;
  readonly message_parts: readonly FreshchatPart[];
  /** Answers from which the user may choose. */
  readonly reply_parts: readonly FreshchatPart[];
  readonly in_reply_to: { readonly message_id: string };
  /** Marks of a message that resolved or reopened the conversation. */
  readonly meta_data: { readonly isResolved: boolean; readonly isReopen: boolean };
  readonly error_code: number;
  readonly error_message: string;
}

/** One key, which says what it is. */
export interface FreshchatPart {
  readonly text: { readonly content: string };
  readonly email: { readonly subject: string; readonly content: string };
  readonly image: FreshchatFile;
  readonly video: FreshchatFile;
  readonly file: FreshchatFile;
  readonly url_button: { readonly label: string; readonly url: string };
  readonly quick_reply_button: { readonly label: string };
  readonly callback: { readonly label: string };
  readonly reference: { readonly label: string };
  readonly collection: { readonly sub_parts: readonly FreshchatPart[] };
  readonly template_content: { readonly sections: readonly { readonly parts: readonly FreshchatPart[] }[] };
}

export interface FreshchatFile {
  readonly name: string;
  readonly url: string;
  readonly file_size_in_bytes: number;
  readonly content_type: string;
}

export interface FreshchatPerson {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone: string;
  readonly avatar: { readonly url: string };
  /** The id that an app has for a user. */
  readonly reference_id: string;
  readonly created_time: string;
  readonly properties: readonly unknown[];
  readonly social_profiles: readonly unknown[];
  readonly biography: string;
  readonly is_deactivated: boolean;
  readonly is_deleted: boolean;
}

/** In the list of a user there are only `id` and `link`. */
export interface FreshchatConversation {
  readonly id: string;
  readonly conversation_id: string;
  readonly status: string;
  readonly created_time: string;
  readonly user_id: string;
  readonly users: readonly { readonly id: string }[];
  readonly assigned_agent_id: string;
  /** A list of them in older answers. */
  readonly properties: unknown;
}

const iso = timeReader('iso', 'UTC');

/** Epoch milliseconds; undefined for a time without an offset. */
export function msOf(value: unknown): number | undefined {
  const text = asString(value);
  return text === undefined || !/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? undefined : iso(text)?.atMs;
}
