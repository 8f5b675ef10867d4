import { asString } from '../kit/narrow.ts';
import { timeReader } from '../kit/time/time-reading.ts';

/**
 * Layer, which ended in 2019: its exports after they were decrypted (`export.json`), and saved answers of its Platform API and Client API.
 *
 * A historical export is one JSON document with all conversations and messages. A scheduled export has the events of webhooks:
 * `{"event": {"type": "message.sent", …}, "message": {…}}`. Answers are lists.
 *
 * github.com/thomasclarke1969/documentation, a copy of Layer's documentation: platform/data/export.md, platform/messages/retrieving-messages.md,
 * client/introduction/{message,message-part,conversation,identity}.md, webhooks/payloads (looked at 2026-11). How a historical export names its
 * lists is not documented: rows are known by their fields.
 *
 * {"id":"layer:///messages/940d…","conversation":{"id":"layer:///conversations/e67b…"},"sender":{"user_id":"ines","name":null},
 *  "parts":[{"mime_type":"text/plain","body":"Hi"}],"sent_at":"2018-09-09T04:44:47.102Z","recipient_status":{"bo":"read"}}
 */
export interface LayerMessage {
  readonly id: string;
  readonly conversation: { readonly id: string };
  readonly parts: readonly LayerPart[];
  readonly sent_at: string;
  readonly sender: LayerSender;
  /** Grows inside a conversation, from the view of one person. */
  readonly position: number;
  /** By id of a person: sent, delivered, read. */
  readonly recipient_status: Readonly<Record<string, string>>;
}

/** A person, or, if the Platform API sent it, the `name` of a service. */
export type LayerSender = LayerPerson & { readonly name: string };

export interface LayerPart {
  readonly mime_type: string;
  readonly body: string;
  /** `base64`, of the body alone. */
  readonly encoding: string;
  /** Instead of a body above 2 kB. */
  readonly content: LayerContent;
}

export interface LayerContent {
  readonly id: string;
  /** Expires. */
  readonly download_url: string;
  readonly size: number;
}

export interface LayerConversation {
  readonly id: string;
  readonly created_at: string;
  /** Ids, or whole people. */
  readonly participants: readonly unknown[];
  /** Whether these participants have no other distinct conversation. */
  readonly distinct: boolean;
  /** `title`, by the example of the documentation. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly last_message: { readonly id: string } | null;
}

export interface LayerPerson {
  readonly id: string;
  readonly user_id: string;
  readonly type: string;
  readonly display_name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly avatar_url: string;
  readonly email_address: string;
  readonly phone_number: string;
  readonly metadata: object;
}

/** An event of a scheduled export. */
export interface LayerEvent {
  readonly event: { readonly type: string; readonly created_at: string };
  readonly message: unknown;
  readonly conversation: unknown;
}

export type LayerKind = 'people' | 'conversations';

/** Kind of a row by its keys. Events count as messages: most are. */
export function layerKindOf(has: (key: string) => boolean): LayerKind | 'messages' | undefined {
  if (isMessage(has) || (has('event') && (has('message') || has('conversation')))) return 'messages';
  if (has('participants') && (has('distinct') || has('messages_url'))) return 'conversations';
  return has('user_id') && (has('display_name') || has('first_name')) ? 'people' : undefined;
}

export const isMessage = (has: (key: string) => boolean): boolean => has('parts') && has('sender') && has('sent_at');

/** The part behind `layer:///messages/` in an id, or the id as it is. */
export const idOf = (value: unknown): string | undefined => {
  const id = asString(value);
  return id?.replace(/^layer:\/\/\/[a-z]+\//, '') || undefined;
};

/**
 * The application's id of a person: `user_id`, or what an identity is made of. An id that looks like that of a service, or like what is
 * made of it here, begins with `person:`.
 */
export function personIdOf(person: { readonly id?: unknown; readonly user_id?: unknown }): string | undefined {
  const id = asString(person.user_id) ?? decoded(idOf(person.id));
  return id !== undefined && /^(?:person:)*service:/.test(id) ? `person:${id}` : id;
}

function decoded(id: string | undefined): string | undefined {
  try {
    return id && decodeURIComponent(id);
  } catch {
    return id;
  }
}

const readIso = timeReader('iso', 'UTC');

/** Epoch milliseconds of a time in ISO 8601. */
export const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? readIso(value)?.atMs : undefined;
