import type { Database } from 'better-sqlite3';
import type { ConversationRecord, MessageRecord, UserRecord } from '../../model/records.ts';
import type { MessageLimits } from '../../service/profiles.ts';

/** How much a finding matters, the worst first. */
export const severities = ['blocks', 'decision', 'information'] as const;
/** `blocks`: the message is not sent. `decision`: it is, and somebody should say whether that is right. */
export type Severity = (typeof severities)[number];

/** One named question about an export. */
export interface Check {
  /** Stable; part of reports: `blank-text`. */
  readonly code: string;
  readonly severity: Severity;
  /** A heading: what the findings have in common. */
  readonly title: string;
  /** What it means for the move, in whole sentences. */
  readonly explanation: string;
  /** What to do: a key of the mapping, a setting, or a step in the old system. */
  readonly remedy: string;
}

/** What a check that blocks may look at: a message as it would be sent, and what the destination is known to refuse. */
export interface Checked {
  readonly text: string;
  readonly attachmentCount: number;
  /** JSON of `data`. */
  readonly data: string;
  readonly tags: readonly string[];
  readonly sentAtMs: number;
  readonly limits: MessageLimits;
  /** Wall time of the plan. */
  readonly nowMs: number;
}

/** Asked of every message as it would be sent; a finding is a reject. */
export interface BlockingCheck extends Check {
  /** Words for this message, or nothing if it passes. */
  find(message: Checked): string | undefined;
}

/** What a record's check may ask about others. */
export interface RecordContext {
  /** Whether a file of the export describes this person, as far as it was read. */
  isKnown(userId: string): boolean;
  /** Wall time of the plan. */
  readonly nowMs: number;
}

/** What makes a check worth asking. `own facts`: those of the platform that have no field of ours. */
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
export interface MessageCheck extends Check {
  /** What a message must have; others are not asked. */
  readonly concerns: Concern;
  find(record: MessageRecord, context: RecordContext): string | undefined;
}

export interface PersonCheck extends Check {
  find(
    user: UserRecord,
    context: RecordContext & { readonly uid: string; readonly hasHash?: boolean | undefined },
  ): string | undefined;
}

export interface ConversationCheck extends Check {
  find(
    conversation: ConversationRecord,
    context: RecordContext & {
      readonly guid: string;
      readonly receiverType: 'user' | 'group';
    },
  ): string | undefined;
}

/** Asked of everything that is staged, at the end of a plan. */
export interface WholeCheck extends Check {
  /** It finds what is absent: not asked of a plan with `--only`, which leaves out on purpose. */
  readonly isAboutAbsence?: true;
  find(db: Database): Iterable<WholeFinding>;
}

export interface WholeFinding {
  /** In words. */
  readonly reason: string;
  /** A file and a place in it, ready to print, or an id. */
  readonly place: string;
}
