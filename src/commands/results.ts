import type { CountedConversation } from '../model/counted-conversation.ts';
import type { Counted } from '../report/report-files.ts';
import type { ReportData } from '../report/report-data.ts';
import type { ArrivalKind } from '../model/arrival.ts';
import type { MessageRecord } from '../model/records.ts';
import type { UnreadColumn } from '../sources/not-migrated.ts';
import type { IgnoredFile } from '../sources/signatures.ts';
import type { Finding, TableOutline } from '../sources/table-source.ts';
import type { BeforeAfter } from '../rows/rows-with-messages.ts';
import type { Decision } from '../decisions/decision.ts';
import type { KeptValue, FileChange } from '../config/written-file.ts';
import type { DescribedReading } from '../decisions/reading.ts';
import type { Survey } from '../decisions/survey.ts';
import type { Written } from '../io/output.ts';
import type { RequestCounts } from '../delivery/destination.ts';
import type { Manifest } from '../fetch/manifest.ts';
import type { Store } from '../store/open.ts';
import type { CopyResult } from '../media/copy-media.ts';
import type { DestinationError } from '../lib/errors.ts';
import type { MessageStory } from '../store/totals.ts';
import type { Purgeable } from '../store/checks.ts';
import type { RefusedCount } from '../store/failures.ts';
import type { ActionKind } from '../model/action.ts';

/** Result of a command: everything that a report shows, and the exit code. */
export interface Outcome {
  readonly report: ReportData;
  /** One of `exitCodes`. */
  readonly exit: number;
  /** @internal For the lists that are too long for a report. */
  readonly counted: Counted;
  /** @internal Why a run without other requests does not know whether the destination takes the key. */
  readonly unasked?: DestinationError | undefined;
}

/** Facts about an export, before anything is decided about it. Counts are timeline rows unless stated otherwise. */
export interface Inspection {
  readonly source: string;
  readonly title: string;
  /** Per input: its label and why it was recognised. */
  readonly inputs: readonly { readonly label: string; readonly because: string }[];
  /**
   * @internal
   * Meanings that the columns of a table were taken to have, if no mapping states them; if each has one meaning, the
   * table is read accordingly.
   */
  readonly columns: readonly Finding[];
  /** @internal Tables that are read, by role (`messages`, `users`): as a mapping would name them, and why. */
  readonly roles: readonly TableRole[];
  /** @internal Questions that the user has to decide before a table can be read. If there are any, nothing is counted. */
  readonly open: readonly Decision[];
  readonly rows: number;
  readonly messages: number;
  /** Private notes and other messages that the old system showed to agents alone; not among `messages` and `system`. */
  readonly internal: number;
  readonly system: number;
  readonly invalid: number;
  readonly problems: number;
  readonly people: number;
  readonly conversations: Readonly<Record<string, number>>;
  /**
   * @internal
   * Conversations with what people wrote in them, those of most messages first, at most 20,000; `count` is all that are
   * described or named.
   */
  readonly conversationList: {
    readonly count: number;
    readonly rows: readonly CountedConversation[];
  };
  readonly files: Readonly<Record<string, number>>;
  /** @internal Files and tables with the records that they hold, in the order of reading; at most 1,000. */
  readonly parts: readonly CountedPart[];
  /**
   * @internal
   * Tables of the export with their columns and keys, read or not. Empty if they were not asked for, and for formats with
   * fixed fields; at most 2,000.
   */
  readonly tables: readonly TableOutline[];
  /** Files of which nothing was read, with the reason: chats first, at most 1,000. */
  readonly ignored: readonly IgnoredFile[];
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  /** @internal Messages of people and bots per day, UTC, oldest first; those before 1990 and after 2100 at these. */
  readonly days: readonly { readonly day: string; readonly count: number }[];
  /** @internal Files that Chatferry itself wrote into the folder of the export. */
  readonly own: readonly string[];
  /** Columns and fields that nothing reads, and in how many rows each has a value. */
  readonly notMigrated: readonly UnreadColumn[];
  /** The first few invalid rows and problems. */
  readonly notes: readonly { readonly location: string; readonly code: string; readonly reason: string }[];
  /** Five messages as the model sees them. */
  readonly examples: readonly MessageRecord[];
  /** @internal For tables: rows of different kinds, and the messages that they become. */
  readonly beforeAfter: readonly BeforeAfter[];
  /** @internal Names of the people and conversations of `examples`, by id, if a file or the message itself has them. */
  readonly names: Readonly<Record<string, string>>;
}

export interface TableRole {
  readonly role: string;
  /** `{ table: NAME }`, `{ query: SQL }`, or what else names a table of this source. */
  readonly value: unknown;
  readonly because: string;
}

/** Findings of `init`, and the files it wrote. */
export interface InitResult
  extends Pick<Inspection, 'source' | 'title' | 'inputs' | 'ignored' | 'open' | 'own' | 'examples' | 'beforeAfter'> {
  readonly files: readonly FileChange[];
  /** Keys of a mapping that was there before, which it says now and did not say, or said otherwise. */
  readonly setKeys: readonly string[];
  /** Values of an existing configuration that differ. */
  readonly kept: readonly KeptValue[];
  /** Whether the configuration names this export, so that `plan` and `import` need not. */
  readonly isExportNamed: boolean;
  /** Tables that nothing reads, with what is known of them. */
  readonly unread: readonly { readonly key: string; readonly because: string }[];
  /** The first few rows that cannot be read. */
  readonly invalidRows: Survey['invalidRows'];
  /** The reading of tables that a person still has to confirm. */
  readonly reading: Pick<DescribedReading, 'digest' | 'state' | 'stops' | 'news' | 'picture'> | null;
  /** Whether a table has more rows than were read. */
  readonly isLarge: boolean;
  /** Null if the export was not counted: it is not decided yet how it is read, a table is large, or `count` was `false`. */
  readonly counts: {
    readonly messages: number;
    readonly invalid: number;
    /** People whom neither a file of the export nor the mapping describes. */
    readonly unresolvedPeople: number;
    readonly conversations: number;
    /** Columns and fields that nothing reads, and in how many rows each has a value. */
    readonly notMigrated: Survey['notMigrated'];
  } | null;
}

export interface TrustedInit {
  readonly result: InitResult;
  /** Whether commands use all of the configuration; else it has to be trusted first. */
  readonly counts: boolean;
  /** Whether the mapping is inside the export. */
  readonly isInside: boolean;
}

/** One line of an examination. A warning or an error says what to do; an error also says how an import would end. */
export type DoctorFinding = { readonly name: string; readonly says: string } & (
  | { readonly level: 'ok' }
  | { readonly level: 'warning'; readonly todo: string }
  | { readonly level: 'error'; readonly todo: string; readonly exit: number }
);

/** Result of an example. Without differences it is as the file states. */
export interface ExampleResult {
  readonly name: string;
  /** `my.yaml:12:5`. */
  readonly place: string;
  readonly differences: readonly Difference[];
}

/** Counts of people in the written table, by what decided their uid. */
export interface WrittenPeople extends Written {
  readonly byTemplate: number;
  readonly byTable: number;
  readonly byHand: number;
  /** People whom the table cannot name, and who are not in it: their ids begin or end with blanks, or are damaged. */
  readonly leftOut: number;
  /** Rows of the present table that match no one in the plan. They are kept. */
  readonly unmatched: number;
}

/** Counts of what was read and written. `read = messages + invalid`, and `lines` is the sum of all kinds of lines. */
export interface Conversion extends ConversionCounts, Written {
  readonly source: string;
  readonly title: string;
  readonly inputs: readonly string[];
}

export interface ProviderFetched {
  readonly manifest: Manifest;
  /** Requests of this run alone. */
  readonly requests: RequestCounts;
}

export interface CopiedFiles extends CopyResult {
  /** Messages that wait for files. */
  readonly waiting: number;
  /** The first files that are not there and why; `count`: all of them. */
  readonly faults: ReturnType<Store['media']['figures']['faults']>;
  readonly exit: number;
}

export interface VerifiedFiles {
  readonly location: string;
  /** Files read back whole, with the digest that was written. */
  readonly same: number;
  readonly bytes: number;
  readonly files: number;
  /** Files that are not what was written; the first hundred. */
  readonly differences: readonly { readonly key: string; readonly what: string }[];
  readonly differenceCount: number;
  readonly stopped: DestinationError | undefined;
  readonly exit: number;
}

/** Files that would be deleted, and those that would not. */
export interface PlannedRemoval {
  readonly location: string;
  /** Files that we wrote there. */
  readonly files: number;
  readonly bytes: number;
  /** Files that were there before Chatferry. */
  readonly others: number;
  /** Messages at a destination whose files they are: people will not be able to open them any more. */
  readonly messages: number;
}

export interface RemovedFiles extends PlannedRemoval {
  readonly removed: number;
  /** Files left alone because they have other content by now. */
  readonly changed: number;
  readonly stopped: DestinationError | undefined;
  readonly exit: number;
}

/** A message's story, and its record as the model sees it if the export can still be read. */
export interface ExplainedMessage extends MessageStory {
  readonly record: MessageRecord | null;
}

export interface ShownMessage {
  readonly muid: string;
  /** As a person would say it. */
  readonly destination: string;
  /** One, or several if the text was split. */
  readonly parts: readonly ShownPart[];
}

export interface ShownPart {
  readonly muid: string;
  /** The body of an import request for this message alone, byte for byte, with `--send-profiles never` and with `--send-profiles always`. */
  readonly never: string;
  readonly always: string;
  /** Difference between the two: `senderUserDetails`, and those of the receiver. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface ExportedFailures extends Written {
  /** Messages that can be corrected and planned again. */
  readonly messages: number;
  /** Rows that are no messages: named with their places. */
  readonly unreadable: number;
}

export interface RetryChoice {
  readonly destination: string;
  readonly isEmbedded: boolean;
  /** Every code with which messages were refused there, most first. */
  readonly codes: readonly RefusedCount[];
  readonly chosen: number;
  /** Put back by a retry that did not come to its end: they are sent first of all. */
  readonly begun: number;
  /** Pending, and quarantined by an import: sent alone, or given up, if that is what was asked for. */
  readonly quarantined: number;
  /** Pending all the same: they are sent with the others, so that none of them turns late. */
  readonly pending: number;
  /** Failed people, groups and members: asked for again before the messages. */
  readonly arrivals: readonly { readonly kind: ArrivalKind; readonly code: string; readonly count: number }[];
}

export interface Retried extends Outcome {
  readonly choice: RetryChoice;
}

/** Results of a reconcile, in messages. */
export interface ReconcileCounts {
  conversations: number;
  /** In the store as they are there, before and after. */
  confirmed: number;
  /** There, and unknown to the store: now imported or existing. */
  found: number;
  /** There under our muid with other content: now failed. */
  failed: number;
  /** In the store as imported or existing, and there with other content: left as they are, for verify to name. */
  different: number;
  /** In the store as imported, existing or unconfirmed, and gone: pending again. */
  putBack: number;
  /** Not there, and not in the store as sent: pending. */
  unsent: number;
  /** There more than once. */
  duplicated: number;
  /** Messages made by Chatferry that are not of this export. */
  extra: number;
  /** Written by others. */
  foreign: number;
}

export interface Reconciled extends Outcome {
  readonly found: ReconcileCounts;
}

export interface UndoSum {
  readonly calls: number;
  readonly messages: number;
}

/** Subjects that are left alone for one reason. */
export interface UndoLeft extends UndoSum {
  readonly reason: string;
  readonly explanation: string;
  readonly examples: readonly { readonly name: string; readonly detail: string }[];
}

/** State of an undo: before its first request, and at its end. */
export interface UndoResult {
  readonly destination: string;
  /** The filter outside of which nothing is taken back; null without one. */
  readonly only: string | null;
  /** By kind of request. */
  readonly todo: Readonly<Record<'group' | 'conversation' | 'member' | 'person' | 'deactivation', UndoSum>>;
  readonly done: UndoResult['todo'];
  /** Some of the requests, those with most messages first: `DELETE /v3/groups/general`. */
  readonly requests: readonly (UndoSum & { readonly request: string; readonly name: string })[];
  readonly left: readonly UndoLeft[];
  /** Friends and blocks that stay: an undo takes back conversations, and reactions with them. By kind. */
  readonly staying: Readonly<Partial<Record<ActionKind, number>>>;
  /** Copied files that stay, by location: `media undo` deletes those that were written there. */
  readonly stayingFiles: readonly { readonly location: string; readonly files: number }[];
  readonly reads: RequestCounts;
  readonly stopped: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
}

export interface Undone {
  /** Null for a dry run. */
  readonly runId: string | null;
  readonly result: UndoResult;
  readonly exit: number;
}

export interface PurgePlan extends Purgeable {
  readonly destination: string;
}

export interface PurgeResult {
  readonly plan: PurgePlan;
  /** Messages whose content is gone. */
  readonly purged: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly exit: number;
}

/** A value that is not as expected. Values are JSON; `nothing` if there is none. */
export interface Difference {
  /** Dotted: `payload.data.text`. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/** A file, or a table of a database, with the records that were read from it. */
export interface CountedPart {
  /** A file, or those of a conversation by day: `general/*.json`. */
  readonly path: string;
  /** Absent unless the export is a database. */
  readonly table?: string;
  /** Timeline rows, also those that cannot be read. */
  readonly rows: number;
  readonly people: number;
  readonly conversations: number;
  /** Times of its first and last message, in ms; null if no time can be read. */
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
}

export interface ConversionCounts {
  /** Timeline rows of the export: `messages + invalid + skipped`. */
  readonly read: number;
  readonly messages: number;
  readonly invalid: number;
  readonly skipped: number;
  /** Descriptions: a person whom two exports describe counts twice. */
  readonly people: number;
  readonly conversations: number;
  readonly relations: number;
  readonly problems: number;
  /** Problems that kept something from being read. */
  readonly unread: number;
  /** All of the above but `unread`, and the header. */
  readonly lines: number;
  /** Files of the export by what was done with them. */
  readonly files: Readonly<Record<'shared' | 'rows' | 'skipped' | 'unknown', number>>;
}
