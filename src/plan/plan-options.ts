import type { RowCounts } from '../store/messages.ts';
import type { Store } from '../store/open.ts';
import type { RunControls } from '../lib/flow/run-controls.ts';
import type { Location } from '../lib/text/location.ts';
import type { Filter } from '../mapping/filter.ts';
import type { Mapping } from '../mapping/load.ts';
import type { ActionKind } from '../model/action.ts';
import type { ChatRecord } from '../model/records.ts';
import type { DriftPolicy, ExportScope } from '../model/change.ts';
import type { Profile } from '../service/profiles.ts';
import type { SourceAdapter } from '../sources/source.ts';
import type { Seen } from './looks.ts';
import type { TableContext } from '../sources/table-source.ts';
import type { Corrections } from './steps/claim-store.ts';
import type { ExportReader, InputSummary } from './reading/export-reader.ts';

/** Decisions of a user about a plan. */
export interface PlanChoices {
  /** Name of a source; detected where absent. */
  readonly source?: string | undefined;
  /** Used if the export itself does not name its workspace. */
  readonly workspace?: string | undefined;
  /** Messages outside are skipped, and added by a later plan without it or with a wider one. */
  readonly only?: Filter | undefined;
  /** Treatment of messages that changed at the source after they were sent. Default: report. */
  readonly drift?: DriftPolicy | undefined;
  /** Meaning of a row that an export no longer holds. Default: the export holds everything, so the row was deleted. */
  readonly exportScope?: ExportScope | undefined;
  /** Actions to follow the messages. Absent: those that the latest plan was asked for. */
  readonly actions?: readonly ActionKind[] | undefined;
  /** @internal Items of a transaction, at least. Default 5,000. */
  readonly itemsPerCommit?: number | undefined;
}

/** The rules that decide which messages are sent, and how. */
interface Rules extends Pick<PlanChoices, 'only' | 'drift' | 'exportScope'> {
  readonly mapping: Mapping;
  /** Apply a changed mapping although messages were already sent under the old one. */
  readonly allowMappingChange: boolean;
  readonly profile: Profile;
}

export interface PlanOptions extends PlanChoices, Rules, Pick<RunControls, 'clock' | 'progress' | 'signal'> {
  /** Folders, archives and files, as the user named them. */
  readonly exports: readonly string[];
  /** Called with each record that is read; `input` is the number of its export. */
  readonly onRecord?: ((record: ChatRecord, location: Location, input: number) => void) | undefined;
}

/** The opened exports of a plan: what was found out before reading. */
export interface PlanInput {
  readonly reader: ExportReader;
  readonly inputs: readonly InputSummary[];
  /** They lie there as the plan before left them, so they were not opened. */
  readonly isSeen: boolean;
  readonly adapter: SourceAdapter;
  readonly sourceOptions: unknown;
  /** Present if the export corrects the content of a store of another source. */
  readonly corrections: Corrections | undefined;
}

/** The rules of a plan, and the two that are known once it has begun. */
export interface PlanRules extends Rules {
  /** Wall time at which the plan began: every verdict that depends on the time goes by it. */
  readonly nowMs: number;
  readonly actions: readonly ActionKind[];
}

/** How a plan goes on: its transactions, its progress, its end. */
export interface PlanRun
  extends Pick<PlanOptions, 'workspace' | 'itemsPerCommit' | 'onRecord' | 'progress' | 'signal'> {
  /** Commits what was staged so far. */
  commit(): void;
  /** Told of each value by which rows are sorted. */
  readonly onWord: NonNullable<TableContext['onWord']>;
  /** Says how many rows were read so far. */
  update(state: { readonly done: number }): void;
}

export interface Planning {
  readonly store: Store;
  readonly input: PlanInput;
  readonly rules: PlanRules;
  readonly run: PlanRun;
}

export interface Read {
  readonly rowCount: number;
  /** Whether anything was read, or left the store. */
  readonly isChanged: boolean;
  /** Counts of the rows, if every row was written just now and stayed as it was written. */
  readonly counts?: RowCounts | undefined;
  /** Also of what earlier plans read and this one did not; undefined if nothing was read. */
  readonly seen?: Seen | undefined;
}
