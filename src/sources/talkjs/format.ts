/**
 * Saved answers of the REST API of TalkJS: `{"data": […]}` of messages, conversations and people.
 *
 * https://talkjs.com/docs/Reference/Concepts/Messages/, …/Message_Content/ and talkjs.com/docs/Customizations/Formatting (looked at 2026-11).
 *
 * Lists of messages begin with the latest one. A deleted message is gone. `content` has what `text`, `attachment` and `location` have, with
 * styles; older messages lack it.
 *
 * {"id":"msg_6TKoWs0Jm8XrjPOmFdOGiX","conversationId":"harbour","type":"UserMessage","senderId":"ines","text":"Hi","createdAt":1772442900123}
 */
export interface TalkjsMessage {
  readonly id: string;
  readonly conversationId: string;
  /** `SystemMessage`: sent by the application, without a sender. */
  readonly type: string;
  readonly senderId: string | null;
  readonly text: string | null;
  readonly content: readonly TalkjsBlock[];
  readonly attachment: { readonly url: string; readonly size: number } | null;
  /** Latitude and longitude, by the example of the page. */
  readonly location: readonly number[] | null;
  readonly origin: string;
  readonly createdAt: number;
  readonly editedAt: number | null;
  readonly readBy: readonly string[];
  readonly referencedMessageId: string | null;
  readonly custom: Readonly<Record<string, string>>;
  /** By emoji; what is under it is not documented. */
  readonly reactions: Readonly<Record<string, unknown>>;
}

/** `text` with `children`, `file`, or `location`. */
export interface TalkjsBlock {
  readonly type: string;
  readonly children: readonly unknown[];
  readonly url: string;
  readonly filename: string;
  /** `image`, `video`, `audio`, `voice`; null for other files. */
  readonly subtype: string | null;
  readonly size: number;
  readonly latitude: number;
  readonly longitude: number;
}

export interface TalkjsConversation {
  readonly id: string;
  readonly subject: string | null;
  readonly photoUrl: string | null;
  readonly topicId: string | null;
  readonly welcomeMessages: readonly string[] | null;
  readonly custom: Readonly<Record<string, string>>;
  readonly participants: Readonly<Record<string, unknown>>;
  /** A copy. */
  readonly lastMessage: TalkjsMessage | null;
  readonly createdAt: number;
}

export interface TalkjsPerson {
  readonly id: string;
  readonly name: string;
  readonly email: readonly string[] | null;
  readonly phone: readonly string[] | null;
  readonly photoUrl: string | null;
  readonly role: string | null;
  readonly locale: string | null;
  readonly welcomeMessage: string | null;
  readonly availabilityText: string | null;
  readonly custom: Readonly<Record<string, string>>;
  readonly createdAt: number;
}

export type TalkjsKind = 'people' | 'conversations';

/** Kind of a row by its keys. */
export function recogniseTalkjs(has: (key: string) => boolean): TalkjsKind | 'messages' | undefined {
  if (has('conversationId') && has('senderId')) return 'messages';
  if (has('participants') && has('subject')) return 'conversations';
  return has('name') && has('photoUrl') && (has('availabilityText') || has('welcomeMessage')) ? 'people' : undefined;
}

/** Epoch milliseconds. */
export const timeOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 1e11 ? value : undefined;
