import { isoMs } from '../kit/time/time-reading.ts';

/**
 * Zendesk Support: tickets, comments and users, as its API answers them, and tickets with their comments, a line each.
 * https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/ (2026-11)
 *
 * {"comments":[{"id":1,"type":"Comment","author_id":11,"html_body":"<p>My boat leaks</p>","public":true,"created_at":"2026-03-02T09:15:00Z"}]}
 *
 * A comment does not say of which ticket it is: the address that was asked does, and so has the name of the file to.
 */
export interface ZendeskTicket {
  readonly id: number;
  /** Text of the requester, or of the agent who wrote to one: then no customer has read it while no comment is public. */
  readonly subject: string;
  /** Whether any comment is public. */
  readonly is_public: boolean;
  readonly status: string;
  readonly requester_id: number;
  readonly created_at: string;
  readonly comment_count: number;
  readonly comments: readonly ZendeskComment[];
}

export interface ZendeskComment {
  /** Ids ascend with time. */
  readonly id: number;
  readonly type: 'Comment' | 'VoiceComment';
  /** -1: Zendesk itself. */
  readonly author_id: number;
  readonly html_body: string;
  readonly plain_body: string;
  readonly body: string;
  /** False: agents alone read it. */
  readonly public: boolean;
  readonly attachments: readonly ZendeskFile[];
  readonly via: { readonly channel: string };
  readonly created_at: string;
}

export interface ZendeskFile {
  readonly id: number;
  readonly file_name: string;
  readonly content_url: string;
  readonly content_type: string;
  readonly size: number;
  readonly deleted: boolean;
}

/** Agents and customers are numbered together. */
export interface ZendeskUser {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly role: 'end-user' | 'agent' | 'admin';
  readonly active: boolean;
  readonly external_id: string | null;
  readonly photo: { readonly content_url: string } | null;
  readonly created_at: string;
}

/**
 * Zendesk Chat: chats with their history, and messages that were left offline.
 * https://developer.zendesk.com/api-reference/live-chat/chat-api/chats/ and …/incremental_export/ (2026-11)
 *
 * {"chats":[{"id":"1410.655464.1KhqS0Nw1zwlb","type":"chat","visitor":{"id":"1.12345","name":"Ines"},"history":[
 *  {"type":"chat.msg","timestamp":"2026-03-02T09:15:00Z","nick":"visitor","name":"Ines","msg":"My boat leaks","msg_id":"1"}]}]}
 */
export interface ZendeskChat {
  readonly id: string;
  readonly type: 'chat' | 'offline_msg';
  readonly visitor: { readonly id: string; readonly name: string; readonly email: string } | null;
  readonly timestamp: string;
  readonly message: string;
  /** For a message that was left offline; not documented. */
  readonly response: unknown;
  readonly history: readonly ChatEvent[];
  readonly rating: string | null;
  readonly comment: string | null;
  readonly deleted: boolean;
  readonly zendesk_ticket_id: number | null;
}

export interface ChatEvent {
  readonly type: string;
  readonly timestamp: string;
  /** `visitor`, `visitor:…`, `agent:7`, `agent:trigger`. */
  readonly nick: string;
  readonly name: string;
  readonly sender_type: 'Visitor' | 'Agent' | 'Trigger';
  readonly msg: string;
  readonly msg_id: string;
  /**
   * Quick replies, buttons, panels and lists; `msg` may be empty then.
   * https://support.zendesk.com/hc/en-us/articles/4408831142554 (2026-11)
   */
  readonly structured_msg: object | null;
  /** The file, or the message, was deleted. */
  readonly deleted: boolean;
  readonly new_rating: string;
  readonly new_comment: string;
  readonly attachment: {
    readonly name: string;
    readonly url: string;
    readonly mime_type: string;
    readonly size: number;
  } | null;
}

/**
 * Channels whose messages are in the log of the conversation, and not in the comments of the ticket.
 * https://developer.zendesk.com/documentation/ticketing/reference-guides/via-types and
 * https://developer.zendesk.com/api-reference/ticketing/tickets/conversation_log/ (2026-11)
 */
const chats = new Set([
  ...['chat', 'native_messaging', 'line', 'wechat', 'whatsapp', 'instagram_dm', 'telegram', 'viber', 'kakaotalk'],
  ...['twilio_sms', 'messagebird_sms', 'google_rcs', 'google_business_messages', 'apple_business_chat'],
  ...['facebook_messenger', 'twitter_dm', 'api'].map((name) => `sunshine_conversations_${name}`),
]);

export const isChat = (channel: string | undefined): channel is string => channel !== undefined && chats.has(channel);

/** Epoch milliseconds of a time of Zendesk. */
export const msOf = isoMs;
