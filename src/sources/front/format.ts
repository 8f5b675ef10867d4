/**
 * Front, as its Core API answers: conversations, messages and comments of a conversation, contacts, teammates; or an object in each file, as
 * the export template of frontapp writes them (frontapp/coreapi-export-template: `INBOX/cnv_…/1772442000.5-message-msg_….json`).
 * https://dev.frontapp.com/reference/messages-1 and `core-api/core-api.json` of frontapp/front-api-specs (2026-11).
 *
 * {"_pagination":{"next":null},"_links":{"self":"https://api2.frontapp.com/conversations/cnv_7/messages"},"_results":[{"id":"msg_1",
 *  "_links":{"related":{"conversation":"https://api2.frontapp.com/conversations/cnv_7"}},"type":"email","is_inbound":true,"is_draft":false,
 *  "created_at":1772442000.5,"author":null,"recipients":[{"handle":"ines@example.com","role":"from"}],"body":"<p>My boat leaks</p>"}]}
 *
 * The latest comes first.
 */
export interface FrontMessage {
  readonly _links: {
    readonly self: string;
    readonly related: {
      readonly conversation: string;
      readonly message_replied_to: string;
      readonly comment_replied_to: string | null;
    };
  };
  readonly id: string;
  /** The channel. `internal` is between teammates. */
  readonly type: string;
  readonly is_inbound: boolean;
  /** Answers have it, `draft_mode` or both. */
  readonly is_draft: boolean;
  /** Null: it is no draft. */
  readonly draft_mode: 'shared' | 'private' | null;
  /** Why it could not be sent. */
  readonly error_type: string | null;
  /** Unix seconds with milliseconds. */
  readonly created_at: number;
  readonly subject: string | null;
  /** Who sent it from Front. */
  readonly author: FrontTeammate | null;
  readonly recipients: readonly FrontRecipient[];
  /** HTML. */
  readonly body: string;
  /** The same as plain text; mails have it. */
  readonly text: string | null;
  readonly attachments: readonly FrontFile[];
  readonly signature: unknown;
  readonly metadata: unknown;
}

/** Teammates write comments to one another; no customer sees one. */
export interface FrontComment {
  readonly id: string;
  readonly author: FrontTeammate | null;
  /** Markdown. */
  readonly body: string;
  /** Unix seconds with milliseconds. */
  readonly posted_at: number;
  readonly is_pinned: boolean;
  readonly attachments: readonly FrontFile[];
}

export interface FrontRecipient {
  /** The address, number or name in the channel. For tweets, `[REDACTED]`. */
  readonly handle: string;
  readonly name: string | null;
  readonly role: 'from' | 'to' | 'cc' | 'bcc' | 'reply-to';
  readonly _links: { readonly related: { readonly contact: string | null } };
}

export interface FrontTeammate {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly is_admin: boolean;
  readonly is_blocked: boolean;
}

export interface FrontContact {
  readonly id: string;
  readonly name: string | null;
  readonly avatar_url: string | null;
  readonly handles: readonly { readonly handle: string; readonly source: string }[];
}

export interface FrontFile {
  readonly id: string;
  readonly filename: string;
  /** Needs a token. */
  readonly url: string;
  readonly content_type: string;
  readonly size: number;
}

export interface FrontConversation {
  readonly id: string;
  readonly subject: string;
  readonly status: 'archived' | 'unassigned' | 'assigned' | 'deleted' | 'snoozed';
  readonly assignee: FrontTeammate | null;
  readonly recipient: FrontRecipient | null;
  readonly tags: readonly unknown[];
  readonly last_message: FrontMessage | null;
  readonly created_at: number;
}

/** Front gives out no content of tweets. */
export const redacted = '[REDACTED]';

/** Epoch milliseconds of Unix seconds with a fraction, up to the year 2286. */
export const msOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value < 1e10 ? Math.round(value * 1000) : undefined;

const ids = {
  conversation: /\/(cnv_\w{1,64})$/,
  row: /\/((?:msg|com|cmt)_\w{1,64})$/,
  contact: /\/((?:crd|ctc)_\w{1,64})$/,
} as const;

/** The id at the end of an address: `https://api2.frontapp.com/conversations/cnv_7`. */
export const idInAddress = (address: unknown, kind: keyof typeof ids): string | undefined =>
  typeof address === 'string' ? ids[kind].exec(address)?.[1] : undefined;
