/**
 * JSON data for the viewer's page. The page and the program that answers it share these shapes and nothing else. Times
 * are Unix seconds.
 */

export interface Person {
  readonly uid: string;
  readonly name: string;
  readonly isBot?: boolean;
  readonly isDeactivated?: boolean;
}

export interface ConversationRow {
  /** The service's conversationId. */
  readonly id: string;
  readonly kind: 'group' | 'user';
  readonly title: string;
  /** Messages. */
  readonly count: number;
  readonly lastAt: number;
  /** Beginning of the last message. */
  readonly lastText: string;
  /** uid of its sender; empty if it has none. */
  readonly lastSender: string;
}

export interface ConversationPage {
  readonly rows: readonly ConversationRow[];
  /** Start of the next page; null at the end. */
  readonly next: string | null;
  readonly people: Readonly<Record<string, Person>>;
  readonly totals: { readonly conversations: number; readonly messages: number };
}

export interface ConversationDetails extends ConversationRow {
  readonly firstAt: number;
  readonly description?: string;
  /** `public`, `private`, `password`, of groups. */
  readonly access?: string;
  readonly members: readonly (Person & { readonly scope: string })[];
  readonly memberCount: number;
}

export interface ShownReaction {
  readonly reaction: string;
  readonly count: number;
}

export interface ShownMessage {
  readonly id: string;
  readonly muid: string | null;
  readonly sender: string;
  readonly category: string;
  readonly type: string;
  /** As it is answered, without entities and reactions; what is beyond `shownMax` characters is cut. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly isCut?: boolean;
  /** Sentence for an action or a call; null for a message that a person wrote. */
  readonly sentence: string | null;
  readonly tags: readonly string[];
  readonly sentAt: number;
  readonly deletedAt: number | null;
  readonly parent: string | null;
  /** As the service returns them. Those of the export are in `data.metadata`. */
  readonly reactions: readonly ShownReaction[];
  /** Replies to it, as far as they are counted. */
  readonly replies: number;
}

export interface MessagePage {
  /** Position of the first row in the conversation, from 0. */
  readonly from: number;
  readonly total: number;
  readonly rows: readonly ShownMessage[];
  readonly people: Readonly<Record<string, Person>>;
  /** Messages that the rows reply to or quote, by muid or, of parents, by `#id`. */
  readonly roots: Readonly<Record<string, Excerpt>>;
}

/** A message in a few words. */
export interface Excerpt {
  readonly id: string;
  readonly conversation: string;
  readonly sender: string;
  readonly sentAt: number;
  readonly text: string;
  /** Whether the sender wrote it: the text of a call, a join or a new topic already names the person. */
  readonly isSaid: boolean;
}

export interface Replies {
  readonly rows: readonly ShownMessage[];
  readonly people: Readonly<Record<string, Person>>;
}

export interface Place {
  readonly conversation: string;
  readonly id: string;
  readonly position: number;
}

export interface SearchPage {
  readonly hits: readonly (Excerpt & { readonly title: string })[];
  /** Start of the next page; null once everything was looked through. */
  readonly next: string | null;
  readonly people: Readonly<Record<string, Person>>;
}

export interface PeoplePage {
  readonly rows: readonly (Person & { readonly role: string; readonly conversations: number })[];
  readonly next: string | null;
}

export interface GroupRow {
  readonly guid: string;
  readonly name: string;
  /** `public`, `private` or `password`. */
  readonly access: string;
  readonly description: string;
  readonly members: number;
  /** The service's conversationId; null if the group has no messages. */
  readonly conversation: string | null;
  readonly messages: number;
  readonly lastAt: number | null;
}

export interface GroupsPage {
  readonly rows: readonly GroupRow[];
  readonly next: string | null;
}

/** A message as the service answers it, and the row of the export that it was made of. */
export interface Comparison {
  /** JSON, as it is answered. */
  readonly stored: string;
  /** Null if its origin is unknown. */
  readonly before: {
    /** `path:line` or `path#/pointer`. */
    readonly location: string;
    /** Null if the export is gone, has changed, or must not be shown. */
    readonly row: string | null;
    /** Why there is none, or what is to be known of it. */
    readonly why?: string;
    /** Data of the row that the service does not hold in the same form. */
    readonly losses: readonly { readonly what: string; readonly becomes: string }[];
  } | null;
}

export interface RunStage {
  readonly name: string;
  readonly done: number;
  readonly total: number | null;
  readonly perSecond: number | null;
  readonly etaMs: number | null;
  readonly waiting: { readonly reason: string; readonly ms: number | null } | null;
  readonly note: string | null;
  readonly summary: string | null;
}

export interface RunState {
  readonly command: string;
  readonly destination: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly outcome: string | null;
  readonly stages: readonly RunStage[];
  /** Notices during the run, the newest last. */
  readonly notices: readonly string[];
  /** The newest first. */
  readonly problems: readonly { readonly code: string; readonly place: string; readonly detail: string }[];
}

export interface ViewerState {
  readonly newest: string;
  readonly totals: { readonly conversations: number; readonly messages: number } | null;
  readonly run: RunState | null;
}
