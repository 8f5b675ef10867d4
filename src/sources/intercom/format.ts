/**
 * Conversations of Intercom, as its API answers them: one object for each conversation, lists of them, or one on each line.
 * https://developers.intercom.com/docs/references/rest-api/api.intercom.io/conversations (versions 2.10 to 2.15, looked at 2026-11), and
 * the OpenAPI description in the repository intercom/Intercom-OpenAPI.
 *
 * {"type":"conversation","id":"123","created_at":1772442900,"source":{"id":"501","body":"<p>My boat leaks</p>","author":{…}},
 *  "contacts":{"contacts":[{"id":"6762f1261bb69f9f2193bba7","external_id":"70"}]},
 *  "conversation_parts":{"conversation_parts":[{"id":"601","part_type":"comment","body":"<p>Where?</p>",…}],"total_count":1}}
 *
 * The first message is `source`, at the time of the conversation: it is in no list. Bodies are HTML; with `display_as=plaintext`, text.
 */
export interface IntercomConversation {
  readonly type: 'conversation';
  readonly id: string;
  readonly title: string | null;
  /** Unix seconds, as all times. */
  readonly created_at: number;
  readonly updated_at: number;
  readonly source: IntercomSource;
  /** The first message, in versions 1.0 to 1.4. */
  readonly conversation_message: IntercomSource;
  readonly contacts: { readonly contacts: readonly ContactReference[] };
  /** Contacts, in versions 1.0 to 1.4. */
  readonly customers: readonly ContactReference[];
  /** Absent in answers of lists, which have `source` alone. At most 500 parts, of `total_count`. */
  readonly conversation_parts: { readonly conversation_parts: readonly IntercomPart[]; readonly total_count: number };
  readonly state: 'open' | 'closed' | 'snoozed';
  readonly conversation_rating: { readonly rating: number; readonly remark: string } | null;
  readonly statistics: { readonly count_conversation_parts: number } | null;
}

interface IntercomBody {
  readonly id: string | number;
  readonly body: string | null;
  readonly author: IntercomAuthor;
  readonly attachments: readonly IntercomFile[];
  /** The text was taken away for good. */
  readonly redacted: boolean;
}

export interface IntercomSource extends IntercomBody {
  /** How it came: `conversation`, `email`, `phone_call`. */
  readonly type: string;
  readonly subject: string;
}

export interface IntercomPart extends IntercomBody {
  readonly part_type: string;
  readonly created_at: number;
  /** Always there: no sign of an edit, but later after any change. */
  readonly updated_at: number;
  readonly external_id: string | null;
  readonly tags: readonly unknown[];
  readonly email_message_metadata: { readonly subject: string } | null;
  readonly metadata: { readonly quick_reply_options: readonly { readonly text: string }[] } | null;
}

/** Ids of contacts, admins, bots and teams are numbered apart: 274 may be several. */
export interface IntercomAuthor {
  readonly type: 'user' | 'lead' | 'contact' | 'admin' | 'bot' | 'team';
  readonly id: string | number;
  readonly name: string;
  readonly email: string;
  readonly from_ai_agent: boolean;
}

/** `external_id` is the id that the app itself has for the person. */
export interface ContactReference {
  readonly id: string;
  readonly external_id: string | null;
}

export interface IntercomFile {
  readonly name: string;
  /** Expires. */
  readonly url: string;
  readonly content_type: string;
  readonly filesize: number;
}

/** An entry of a list of contacts or admins. */
export interface IntercomPerson extends ContactReference {
  readonly type: 'contact' | 'admin';
  readonly name: string | null;
  readonly email: string | null;
  readonly avatar: { readonly image_url: string } | string | null;
  readonly created_at: number;
}

/**
 * Whether the body of a part of this type is for teammates alone: `note`, `note_and_reopen`, `note_and_unsnooze`, and any type that is
 * called a note. https://developers.intercom.com/docs/references/1.0/rest-api/conversations/conversation-part-model, "Conversation Part
 * Types" (2026-11).
 */
export const isNote = (type: string): boolean => /^note(?:_|$)/.test(type);

/** A remark that the customer adds to a rating: shown to nobody in the conversation. */
export const ratingRemark = 'conversation_rating_remark_added';

/**
 * Types of parts whose body the customer reads: replies, and what is said with closing and opening. `body` of the request to close: "leave a
 * message in the conversation to provide additional context to the user and other teammates".
 */
export const replies: ReadonlySet<string> = new Set(['comment', 'close', 'open', 'quick_reply']);
