import type { RunControls } from '../lib/flow/run-controls.ts';
import type { Secret } from '../lib/secret.ts';
import type { TargetOptions, openTarget } from '../delivery/target.ts';
import type { Mapping } from '../mapping/load.ts';
import type { ConfigValues } from '../config/written-file.ts';
import type { Advisor } from '../decisions/proposal.ts';
import type { AnswerNotes } from './prepare/init/note-answers.ts';
import type { OpenedExport } from '../decisions/questions.ts';
import type { Settings } from '../lib/settings.ts';
import type { PlanChoices, PlanOptions } from '../plan/plan-options.ts';
import type { LoadedRecipe } from '../fetch/load-recipe.ts';
import type { Values } from '../fetch/template.ts';
import type { Severity } from '../model/severity.ts';
import type { MediaFlags } from '../media/media-rules.ts';
import type { SendChoices } from '../delivery/session.ts';
import type { OutputTarget } from '../io/output.ts';
import type { FetcherOptions } from '../media/fetcher.ts';
import type { ReportData } from '../report/report-data.ts';
import type { Transport } from '../service/transport.ts';
import type { MediaRules } from '../mapping/rules.ts';
import type { DriftPolicy } from '../model/change.ts';
import type { Filter } from '../mapping/filter.ts';
import type { RepairChoices } from '../delivery/verify.ts';
import type { PlannedRemoval, PurgePlan, RetryChoice, UndoResult } from './results.ts';
import type { MessageLimits } from '../service/profiles.ts';

/** Request of a command on a store and at a destination; the destination is the embedded sandbox unless named. */
export interface CommandRequest extends Partial<RunControls>, Partial<Omit<TargetOptions, 'apiKey'>> {
  readonly store: string;
  /** A key of the destination with full access. A text is wrapped at once and shown in no log or error. */
  readonly apiKey?: string | Secret | undefined;
}

/** A request in which nothing is left out. */
export type Complete<R extends CommandRequest> = R & RunControls & TargetOptions;

export interface InspectOptions
  extends Pick<PlanRequest, 'from' | 'source' | 'workspace'>,
    Partial<Pick<RunControls, 'progress' | 'signal'>> {
  /** Says how the source is to be read; absent: in its default way. */
  readonly mapping?: Mapping | undefined;
  /** Whether to list the tables of the export: opens a database once more. Default: no. */
  readonly listTables?: boolean;
}

export interface InitRequest
  extends Pick<PlanOptions, 'exports' | 'source' | 'workspace'>,
    Pick<RunControls, 'progress' | 'signal'> {
  /** Path of the mapping, existing or not. */
  readonly mappingPath: string;
  /** Path of the configuration, existing or not. */
  readonly configPath: string;
  /** Values of the configuration apart from `source` and `mapping`. */
  readonly config: ConfigValues;
  /** Decisions for the mapping, made beforehand. */
  readonly settings: Settings;
  /** Starts over: existing files are copied and replaced. */
  readonly force: boolean;
  /** The exports, opened before: they stay open. Absent: they are opened, and closed at the end. */
  readonly opened?: OpenedExport | undefined;
  /**
   * Whether to read the whole export, to count its messages and to suggest uids and names for people and groups. Default: yes. Answers that
   * are given one by one need that only at the end.
   */
  readonly count?: boolean;
  /** Whether to read rows to show them next to their messages, if the export is not counted. Default: yes. */
  readonly show?: boolean;
  readonly advisor?: Advisor;
  readonly notes?: AnswerNotes;
}

export interface DoctorRequest extends Omit<CommandRequest, 'apiKey'> {
  /** Opened and recognised, not read; a database server is connected to. May be none. */
  readonly exports: readonly string[];
  readonly source?: string | undefined;
  /** Path of a mapping: it may name the file with the password of a database. */
  readonly mapping?: string | undefined;
  /** Called once. An error that it throws gets a line of its own. */
  readonly readKey: () => string | Secret | undefined;
  /** Also import one message twice into a scratch conversation: they stay there. Default: no. */
  readonly probeDuplicates?: boolean | undefined;
  /** Called when a request has taken 10 s, with the time after which it is given up, in ms. */
  readonly onSlow?: ((leftMs: number) => void) | undefined;
}

export interface ProviderExamination extends Pick<RunControls, 'clock' | 'random' | 'signal'> {
  readonly recipe: LoadedRecipe;
  readonly settings: Values;
  /** Called once. An error that it throws gets a line of its own. */
  readonly readKey: () => string | Secret | undefined;
  readonly perMinute?: number | undefined;
  readonly onWait: (ms: number, why: string) => void;
}

export interface PlanRequest extends CommandRequest, PlanChoices, Pick<SendChoices, 'outOfOrder'> {
  /** Path of the export; several are one export, and none means that the store holds the plan. */
  readonly from: string | readonly string[];
  /** Default: that of `chatferry init`, which changes nothing. */
  readonly mapping?: Mapping;
  /** Apply a changed mapping although messages were already sent under the old one. Default: no. */
  readonly allowMappingChange?: boolean;
  /** Digest of the reading that the user has seen, as the picture of a reading prints it: confirms this one and no other. */
  readonly confirmReading?: string | undefined;
  /** Name under which the confirmation is noted. Default: the user of this process. */
  readonly decidedBy?: string | undefined;
  /** Asked with the plan if nobody has confirmed how the rows of tables are read: `true` confirms it. */
  readonly askReading?: ((plan: ReportData) => Promise<boolean>) | undefined;
  /** A plan that finds something of this severity, or a worse one, ends as if a row were invalid. */
  readonly failOn?: Severity | undefined;
  /** Whether addresses of attachments are asked after planning: the only requests that a plan makes. */
  readonly checkMedia?: boolean | undefined;
  /** Place to which files of messages are copied before the messages; a plan reports the cost. Default: that of the last run with this store. */
  readonly media?: MediaFlags | undefined;
}

export interface PeopleRequest {
  readonly store: string;
  /** The mapping of the plan: its table of uids goes into the new one. */
  readonly mapping: Mapping;
  readonly to: OutputTarget;
}

/** Addresses that may be requested, and how they resolve: those of the public network unless a program sets others. No command line can. */
export type Reach = Pick<FetcherOptions, 'rule' | 'resolve'>;

export interface ImportRequest extends PlanRequest, Partial<SendChoices> {
  /** May hold the keys of a bucket. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether what was sent is read back and compared. Default: yes. */
  readonly verify?: boolean;
  /** @internal How the destination is reached; over the network, or in this process for the embedded sandbox, without it. */
  readonly openTarget?: typeof openTarget | undefined;
  /**
   * @internal
   * The store is a copy of one whose holder may still be alive. Its lock says nothing of that: what is unconfirmed is believed absent only
   * when the deadline of the requests has passed as well. Default: no.
   */
  readonly isTakenOver?: boolean | undefined;
  /** @internal Whether a run that makes no request asks the destination if it takes the key. Default: no. */
  readonly asksKey?: boolean | undefined;
  /** Called once the exports are planned, before anything is sent. */
  readonly onPlanned?: (() => void) | undefined;
  /** Asked before the first message is sent, with the plan; `false` ends the run. Not asked for the embedded sandbox. */
  readonly confirm?: ((plan: ReportData) => Promise<boolean>) | undefined;
}

/** @internal */
export interface ImportRequest extends Reach {}

export interface ConvertOptions
  extends Pick<PlanRequest, 'from' | 'source' | 'workspace'>,
    Partial<Pick<RunControls, 'progress' | 'signal'>> {
  /** Only the source's own options of the mapping count: the plan decides what people and messages become. */
  readonly mapping: Mapping;
  readonly to: OutputTarget;
}

export interface ProviderFetchRequest extends Partial<RunControls> {
  /** `loadProvider('twilio')`, or `loadRecipeFile('mine.yaml')`. */
  readonly recipe: LoadedRecipe;
  /** Those that the recipe asks for, by name. */
  readonly settings: Values;
  /** A key of the provider. A text is wrapped at once and shown in no log, error or file. */
  readonly key: string | Secret | undefined;
  /** Folder of the export. */
  readonly out: string;
  /** Only what changed since, Unix ms, as far as the provider says. */
  readonly sinceMs?: number | undefined;
  /** Only what was sent up to then, Unix ms, with recipes that can ask for it. */
  readonly untilMs?: number | undefined;
  /** Only these conversations, by the ids that the provider gives them. */
  readonly only?: readonly string[] | undefined;
  /** Whether files of messages are fetched too, as soon as their page is kept: addresses may expire. Default: no. */
  readonly withFiles?: boolean;
  /** It is one of a series that together are everything: that only a part was asked for is no gap. */
  readonly isIncrement?: boolean;
  /** @internal Instead of the network: answers that were written down. */
  readonly transport?: Transport | undefined;
  /** Rows of a page at most, with recipes that can ask for so many. It may change when a fetch continues. */
  readonly pageSize?: number | undefined;
  /** Requests per minute instead of what the recipe says. */
  readonly perMinute?: number | undefined;
}

export interface MediaRequest extends Omit<CommandRequest, 'to' | 'openTarget'>, Reach {
  /** Rules of the mapping; default: those by which files were copied last. */
  readonly rules?: MediaRules | undefined;
  readonly media?: MediaFlags | undefined;
  /** How people are notified of a file that was copied after its message was sent. Default: report. */
  readonly drift?: DriftPolicy | undefined;
  /** May hold the keys of a bucket. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface VerifyMediaRequest extends MediaRequest {
  /** Reads back so many files only, chosen at random. Default: all. */
  readonly sample?: number | undefined;
}

export interface UndoMediaRequest extends MediaRequest {
  /** Asked before the first file is deleted; `false` ends it. */
  readonly confirm: (planned: PlannedRemoval) => Promise<boolean>;
}

export interface VerifyRequest extends CommandRequest {
  /** Only messages that it finds are compared, repaired and called missing. */
  readonly only?: Filter | undefined;
  /** Sends what is missing again. */
  readonly repair?: RepairChoices | undefined;
  /** Looks at so many messages only; the seed is the run's id unless given. */
  readonly sample?: { readonly size: number; readonly seed?: string | undefined } | undefined;
}

export interface ExportFailedRequest extends Partial<Pick<RunControls, 'progress' | 'signal'>> {
  readonly store: string;
  /** The exports, if they are not where the plan found them; else empty. */
  readonly exports: readonly string[];
  /** Exports that the configuration names: user and settings of a database come from here, since a store does not keep them. */
  readonly configured?: readonly string[];
  readonly to: OutputTarget;
}

export interface RetryRequest extends CommandRequest, Partial<SendChoices>, Pick<ImportRequest, 'verify' | 'env'> {
  /** muids or ids at the source; empty: all that were refused. */
  readonly ids: readonly string[];
  /** Only those that were refused with this code. */
  readonly code?: string | undefined;
  /** Instead: what imports left quarantined, each message alone; one that stays unanswered has failed, whatever becomes of others. */
  readonly oneByOne?: boolean;
  /** Receives the failed messages and those that are tried again, before anything is sent; `false` ends the run there. */
  readonly confirm: (choice: RetryChoice) => Promise<boolean>;
}

export interface ReconcileRequest extends PlanRequest {
  /** Missing messages get a muid that was never used: for a destination that takes none twice. Default: no. */
  readonly newMuids?: boolean;
}

export interface UndoRequest extends CommandRequest {
  /** Takes back only conversations in which everything of ours is what it finds. */
  readonly only?: Filter | undefined;
  /** Leaves people active whom the import made. Default: no. */
  readonly keepUsers?: boolean;
  /** Only works out what would be requested: sends nothing, asks nothing, and leaves the store as it is. Default: no. */
  readonly dryRun?: boolean;
  /** Asked with everything that would be requested, before the first request that changes anything; `false` ends it. */
  readonly confirm: (planned: UndoResult) => Promise<boolean>;
}

export interface PurgeRequest extends Partial<RunControls> {
  readonly store: string;
  /** The destination whose verify counts; that of the last import without it. */
  readonly target?: Pick<TargetOptions, 'to' | 'appId' | 'region'> | undefined;
  /** Receives the messages that would be purged; `false` leaves everything as it is. */
  readonly confirm: (what: PurgePlan) => Promise<boolean>;
}

export interface MappingTestOptions {
  /** Limits of the destination; examples may show messages that exceed them. */
  readonly limits: MessageLimits;
}

/** Files that the user named, rather than those of the folder. */
export interface NamedFiles {
  readonly mapping: string | undefined;
  readonly config: string | undefined;
}
