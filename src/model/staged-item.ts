import type { RelationRecord } from './relation.ts';

/** Characters of a muid; that of a further part begins with the first part's. */
export const muidLength = 27;

/**
 * Items that a plan stages, in the order of reading. They name people and conversations by their ids at the source, so
 * that items can be made without the store.
 */
export type StagedItem =
  | { readonly type: 'person'; readonly person: StagedPerson }
  | { readonly type: 'conversation'; readonly conversation: StagedConversation }
  | { readonly type: 'row'; readonly path: string; readonly row: StagedRow }
  | {
      readonly type: 'problem';
      readonly path: string;
      readonly code: string;
      readonly reason: string;
      readonly place: string;
      /** Cases that it stands for. */
      readonly count: number;
      /** Ids under which the people or conversations that it is about are staged. */
      readonly about?: readonly string[] | undefined;
    }
  /** Two people are friends, or one blocks the other. */
  | { readonly type: 'relation'; readonly path: string; readonly relation: RelationRecord }
  /** A file of a planned message stays at this host. */
  | { readonly type: 'host'; readonly path: string; readonly host: string };

export interface StagedPerson {
  readonly sourceId: string;
  readonly uid: string;
  readonly name: string;
  /** JSON in the service's shape; of a conversation, for a group. */
  readonly details: string;
  /** JSON of the model's record. */
  readonly record: string;
  readonly isPlaceholder: boolean;
}

export interface StagedConversation extends Omit<StagedPerson, 'uid'> {
  readonly type: string;
  readonly receiverType: 'user' | 'group';
  readonly guid: string;
  /** The two of a direct conversation. */
  readonly people: readonly [string, string] | null;
  /** Whether the description says no more than the id. */
  readonly isBare?: boolean;
}

/** A timeline row. `place` is a line or JSON pointer inside the file. */
export interface StagedRow {
  readonly muid: string | null;
  /** `origin.source`. */
  readonly source: string | null;
  readonly workspace: string | null;
  readonly conversation: string | null;
  readonly sender: string | null;
  readonly originId: string | null;
  readonly sentAtMs: number | null;
  readonly sortKey: string | null;
  readonly editedAtMs: number | null;
  readonly recordDigest: string | null;
  /** Grows with later states of one message (`model/record-digest.ts`); empty if the source gives no version. */
  readonly version?: string | undefined;
  readonly verdict: 'planned' | 'skipped' | 'invalid';
  readonly reason: string | null;
  readonly detail: string | null;
  readonly payload: string | null;
  readonly rootMuid: string | null;
  readonly facts: string | null;
  readonly place: string;
  /** Who gave which reaction, if reactions are to be replayed. */
  readonly reactions?: readonly { readonly reaction: string; readonly people: readonly string[] }[] | undefined;
  /** JSON: its files that are in the export itself (`ExportedFile` of `mapping/message/payload-files.ts`). */
  readonly files?: string | undefined;
  /** Number of the part of a split text, from 1. The row of the first part is the one that counts; the others have muids of their own. */
  readonly part?: number | undefined;
}

/** Whether the source called a message deleted, by the facts of its row (JSON). */
export const isMarkedDeleted = ({ facts }: { readonly facts: string | null }): boolean =>
  facts !== null && (JSON.parse(facts) as { readonly deleted?: number }).deleted !== undefined;
