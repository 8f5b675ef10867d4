/**
 * Crisp, as its REST API answers: `{"error":false,"reason":"listed","data":[…]}` with messages of a conversation, conversations or
 * operators.
 *
 * https://docs.crisp.chat/references/rest-api/v1/ and the types of the vendor's client, crisp-im/node-crisp-api
 * `lib/resources/WebsiteConversation.ts` (2026-11).
 *
 * {"session_id":"session_7c1e","website_id":"8c00","type":"text","from":"user","origin":"chat","content":"My boat leaks",
 *  "fingerprint":177244290000001,"timestamp":1772442900123,"user":{"user_id":"session_7c1e","nickname":"Ines"}}
 *
 * An answer has some of the messages of a conversation; whether there are older ones is said by the status of the answer alone, which a
 * saved file does not have. A message that was removed is gone. `content` is Markdown.
 */
export interface CrispMessage {
  readonly session_id: string;
  readonly website_id: string;
  /** Unique inside the conversation. */
  readonly fingerprint: number;
  /** `note` is for operators; `event` says what happened. */
  readonly type: CrispType;
  readonly from: 'user' | 'operator';
  /** `chat`, `email`, or the address of another channel. */
  readonly origin: string;
  readonly content: unknown;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly user: CrispAuthor;
  /** Ids of operators. */
  readonly mentions: readonly string[];
  readonly preview: readonly unknown[];
  readonly references: readonly { readonly name: string; readonly target: string }[];
  readonly properties: Readonly<Record<string, unknown>>;
  /** The mail that the message was made from: another request has it. */
  readonly original: { readonly original_id: string };
  /** Channels through which it was read or delivered; empty if it was not. */
  readonly read: string;
  readonly delivered: string;
  readonly ignored: Readonly<Record<string, unknown>>;
  readonly edited: boolean;
  readonly translated: boolean;
  readonly automated: boolean;
  /** Known for messages that are sent, not for those that are listed; whether the other side saw it is not documented. */
  readonly stealth: boolean;
}

export type CrispType = 'text' | 'note' | 'file' | 'animation' | 'audio' | 'picker' | 'field' | 'carousel' | 'event';

/** A visitor's `user_id` is the id of the conversation. */
export interface CrispAuthor {
  readonly type: string;
  readonly user_id: string;
  readonly nickname: string;
  readonly avatar: string;
}

export interface CrispConversation {
  readonly session_id: string;
  readonly state: 'pending' | 'unresolved' | 'resolved';
  readonly created_at: number;
  /** The latest message. */
  readonly preview_message: { readonly fingerprint: number };
  readonly assigned: { readonly user_id: string };
  readonly participants: readonly unknown[];
  readonly meta: CrispVisitor;
}

export interface CrispVisitor {
  readonly nickname: string;
  readonly email: string;
  readonly avatar: string;
  readonly subject: string;
  readonly phone: string;
  readonly address: string;
  readonly ip: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly segments: readonly string[];
  readonly device: unknown;
  readonly connection: unknown;
}

export interface CrispOperator {
  readonly user_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly avatar: string;
  readonly role: string;
}

/** Epoch milliseconds. */
export const msOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 1e11 && value < 1e14 ? value : undefined;
