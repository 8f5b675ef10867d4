import type { RowCounts } from '../../store/messages.ts';
import type { Store } from '../../store/open.ts';
import type { ConversationRecord, MessageRecord, UserRecord } from '../../model/records.ts';
import type { peopleWays } from '../../model/arrival.ts';
import type { MessageLimits } from '../../service/profiles.ts';
import type { SourceCode } from '../../sources/source.ts';

/** One named question about an export: its words are those of a code of a source. */
export type Check = SourceCode;

export const noteCheck = <Of extends Check>(check: Omit<Extract<Of, { remedy: string }>, 'severity'>): Of =>
  ({ severity: 'information', ...check }) as unknown as Of;

/** A check whose findings a person should decide about. */
export const decisionCheck = <Of extends Check>(check: Omit<Extract<Of, { otherwise: string }>, 'severity'>): Of =>
  ({ severity: 'decision', ...check }) as unknown as Of;

/** Data that a blocking check may use: a message as it would be sent, and the known limits of the destination. */
export interface Checked {
  readonly text: string;
  readonly attachmentCount: number;
  readonly unread?: MessageRecord['unread'];
  /** JSON of `data`. */
  readonly data: string;
  readonly tags: readonly string[];
  readonly sentAtMs: number;
  readonly limits: MessageLimits;
  /** Wall time of the plan. */
  readonly nowMs: number;
}

/** Asked of every message as it would be sent; a finding makes it invalid. */
export type BlockingCheck = Check & {
  /** Words for this message, or nothing if it passes. */
  find(message: Checked): string | undefined;
  /** Returns a few words for a headline if they are better than the title: `older than the 183 days the service keeps`. */
  inShort?(limits: MessageLimits): string | undefined;
};

/** Facts about others that the check of a record may ask for. */
export interface RecordContext {
  /** Whether a file of the export describes this person, as far as it was read. */
  isKnown(userId: string): boolean;
  /** Wall time of the plan. */
  readonly nowMs: number;
  /** Whether the id of a person is their name: some exports know people by nothing else. */
  isName(userId: string): boolean;
}

/** Feature of a message that makes a check worth running. `own facts`: those of the platform that have no field of ours. */
export type Concern =
  | 'anything'
  | 'replies'
  | 'quotes'
  | 'broadcasts'
  | 'own facts'
  | 'deletions'
  | 'calls'
  | 'unusual text'
  | 'attachments'
  | 'reactions'
  | 'mentions'
  | 'edit';

/** Asked of the messages that it concerns, while they are mapped: millions of times, so it must cost next to nothing. */
export type MessageCheck = Check & {
  /** Feature that a message must have; others are not checked. */
  readonly concerns: Concern;
  find(record: MessageRecord, context: RecordContext): string | undefined;
};

export type PersonCheck = Check & {
  /** Asked of people too whom no file describes. */
  readonly isOfPlaceholders?: true;
  find(
    user: UserRecord,
    context: RecordContext & { readonly uid: string; readonly hasHash?: boolean | undefined },
  ): string | undefined;
};

export type ConversationCheck = Check & {
  find(
    conversation: ConversationRecord,
    context: RecordContext & {
      readonly guid: string;
      readonly receiverType: 'user' | 'group';
    },
  ): string | undefined;
};

/** Asked of everything that is staged, at the end of a plan. */
export type WholeCheck = Check & {
  /** It finds what is absent: not asked of a plan with `--only`, which leaves out on purpose. */
  readonly isAboutAbsence?: true;
  /** Asked only where people come in this way. */
  readonly peopleCome?: (typeof peopleWays)[number];
  /** Only the first of many are put in words. */
  find(store: Store): Iterable<() => WholeFinding>;
  /** Whether it is known without looking that nothing will be found. */
  isAbsent?(counts: RowCounts): boolean;
};

interface WholeFinding {
  readonly reason: string;
  /** A file and a place in it, ready to print, or an id. */
  readonly place: string;
  /** Ids of the people that it is about, if they are several. */
  readonly about?: readonly string[];
}
