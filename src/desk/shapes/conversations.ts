import type { CountedConversation } from '../../model/counted-conversation.ts';
import type { Page } from './state.ts';

/** A conversation of the export, as the next plan would have it. */
export interface ConversationRow extends CountedConversation {
  readonly isExcluded: boolean;
  /** A name in place of that of the export; empty without one. */
  readonly rename: string;
  /** Who may see it; empty: as the mapping says for all groups. */
  readonly access: 'private' | 'public' | '';
  /** Uid of its owner; empty: as the mapping says for all groups. */
  readonly owner: string;
}

export type ConversationOrder = 'messages' | 'name' | 'type' | 'members' | 'first' | 'last';

/** The conversations that a search finds; absent fields find all. */
export interface ConversationSearch {
  /** Words of a name, or an id. */
  readonly search?: string | undefined;
  readonly type?: string | undefined;
  readonly show?: 'moved' | 'left-out' | undefined;
}

export interface ConversationsPage extends Page<ConversationRow> {
  readonly version: string;
  /** `undecided`: nothing is counted before it is decided how the export is read. */
  readonly state: 'ready' | 'counting' | 'undecided' | 'none';
  /** All conversations, and those of most messages that are listed. */
  readonly count: number;
  readonly listed: number;
  /** Those that the search finds, and how many of these are moved. */
  readonly found: number;
  readonly foundMoved: number;
  /** Of all that are listed. */
  readonly moved: number;
  readonly messages: number;
  readonly movedMessages: number;
  readonly types: readonly string[];
  /** Messages of earlier times are left out: `2y`, `183d` or a date; empty if all are moved. */
  readonly olderThan: string;
  /** Days that the destination keeps messages; null if that is not known or it keeps all. */
  readonly serviceDays: number | null;
  /** The last change of this desk, if it can be taken back. */
  readonly undo: string | null;
}

export interface ChangedConversations {
  /** Null if several were changed. */
  readonly row: ConversationRow | null;
  readonly undo: string | null;
}

export interface ConversationRoutes {
  'GET conversations': ConversationsPage;
  'POST conversations': ChangedConversations;
}
