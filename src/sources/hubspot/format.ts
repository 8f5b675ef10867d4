import { isoMs } from '../kit/time/time-reading.ts';

/**
 * Conversations of HubSpot, as its API answers: messages of a thread, lists of threads, actors, and original contents of messages.
 * https://developers.hubspot.com/docs/api-reference/legacy/conversations/guide, and the types of its client libraries (2026-11).
 *
 * {"results":[{"id":"c6f5237b…","conversationsThreadId":"8243595013","createdAt":"2026-03-02T09:00:00Z","createdBy":"V-101",
 *  "senders":[{"actorId":"V-101","name":"Ines","deliveryIdentifier":{"type":"HS_EMAIL_ADDRESS","value":"ines@example.com"}}],
 *  "text":"My boat leaks","richText":"<div>My boat leaks</div>","truncationStatus":"NOT_TRUNCATED","type":"MESSAGE",…}],
 *  "paging":{"next":{"after":"MQ"}}}
 *
 * A page may have fewer messages than were asked for, and one more behind it: the last one has no "paging".
 */
export interface HubSpotMessage {
  readonly id: string;
  readonly conversationsThreadId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The actor who caused it: for an assignment, the one who assigned. */
  readonly createdBy: string;
  /** COMMENT: for agents alone. Types of events have no text. */
  readonly type:
    | 'MESSAGE'
    | 'COMMENT'
    | 'WELCOME_MESSAGE'
    | 'ASSIGNMENT'
    | 'THREAD_STATUS_CHANGE'
    | 'THREAD_INBOX_CHANGE';
  readonly senders: readonly HubSpotParty[];
  readonly recipients: readonly HubSpotParty[];
  /** It was put away; it is deleted some time later. */
  readonly archived: boolean;
  readonly text: string;
  /** HTML. */
  readonly richText: string;
  readonly subject: string;
  readonly inReplyToId: string;
  /** Anything but NOT_TRUNCATED: the text is a part of what was written. */
  readonly truncationStatus: 'NOT_TRUNCATED' | 'TRUNCATED' | 'TRUNCATED_TO_MOST_RECENT_REPLY';
  readonly status: { readonly statusType: 'SENT' | 'FAILED' | 'RECEIVED' | 'READ' };
  readonly attachments: readonly HubSpotAttachment[];
  readonly newStatus: string;
  readonly assignedTo: string;
  readonly assignedFrom: string;
  readonly fromInboxId: string;
  readonly toInboxId: string;
}

/** A sender or recipient. The address of an agent is that of the inbox. */
export interface HubSpotParty {
  readonly actorId: string;
  readonly name: string;
  readonly senderField: string;
  readonly deliveryIdentifier: { readonly type: string; readonly value: string };
}

export interface HubSpotAttachment {
  readonly type:
    | 'FILE'
    | 'LOCATION'
    | 'CONTACT'
    | 'UNSUPPORTED_CONTENT'
    | 'MESSAGE_HEADER'
    | 'QUICK_REPLIES'
    | 'WHATSAPP_TEMPLATE_METADATA'
    | 'SOCIAL_MEDIA_METADATA';
  /** `IMAGE`, `AUDIO`, `VOICE_RECORDING`, `STICKER`, `OTHER` */
  readonly fileUsageType: string;
  readonly fileId: string | number;
  readonly name: string;
  readonly url: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly address: string;
  readonly text: string;
  readonly quickReplies: readonly unknown[];
}

/** Ids begin with a letter for the kind: A agent, V visitor or contact, B bot, L assistant, E mail address, I integration, S system. */
export interface HubSpotActor {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly email: string;
  readonly avatar: string;
}

export interface HubSpotThread {
  readonly id: string;
  readonly createdAt: string;
  readonly status: 'OPEN' | 'CLOSED';
  readonly archived: boolean;
}

export const msOf = isoMs;

/** Whether the row says that its text is not whole. */
export const isTruncated = (status: unknown): boolean =>
  status !== undefined && status !== null && status !== 'NOT_TRUNCATED';
