import type { RunState } from '../../viewer/shapes.ts';

/** The steps of a migration, in their order. */
export type Step = 'source' | 'decide' | 'people' | 'rehearse' | 'sign-off' | 'go';

export interface StepState {
  readonly step: Step;
  readonly status: 'done' | 'open' | 'waiting';
  /** `3 to decide`. */
  readonly note: string;
}

/** An error in words for people. */
export interface DeskError {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** Part of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Start of the next page; null at the end. */
  readonly next: string | null;
}

export interface DeskState {
  /** Changes with any of the files, whoever wrote them. */
  readonly version: string;
  /** In which the program runs. */
  readonly folder: string;
  /** Why `chatferry.yaml` cannot be used. Nothing else is known then. */
  readonly error: DeskError | null;
  /** In their order; none if there is an error. */
  readonly steps: readonly StepState[];
  readonly next: Step;
  /** As can be pasted, by step. */
  readonly commands: Readonly<Record<Step, readonly string[]>>;
  /** The run that goes on, or the last one. */
  readonly run: DeskRun | null;
  /** Work of the engine that takes longer than 100 ms. */
  readonly asking: {
    readonly what: string;
    readonly ms: number;
    readonly done: number | null;
    readonly total: number | null;
  } | null;
  /** `people.unknownAuthors: skip`; null if nothing can be undone. */
  readonly undo: string | null;
  readonly chats: 'rehearsal' | 'store' | null;
}

export type RunKind = 'inspect' | 'plan' | 'rehearse' | 'doctor' | 'import' | 'verify' | 'undo' | 'report';

/** A command that the desk runs as a process of its own. */
export interface DeskRun extends RunState {
  readonly kind: RunKind;
  /** As it can be pasted: `chatferry inspect export.zip`. */
  readonly text: string;
  readonly isOurs: boolean;
  readonly canPause: boolean;
  readonly isStopping: boolean;
  /** Null while it goes on, or if a signal ended it. */
  readonly exit: number | null;
  readonly error: DeskError | null;
  /** Of `doctor`. */
  readonly findings: readonly {
    readonly level: 'ok' | 'warning' | 'error';
    readonly name: string;
    readonly says: string;
    readonly todo: string | null;
  }[];
}

export interface RunRequest {
  readonly version: string;
  readonly kind: Exclude<RunKind, 'report'>;
  readonly repair?: boolean;
  /** Of `undo`: only show. */
  readonly isDry?: boolean;
}

export interface StateRoutes {
  'GET state': DeskState;
  'POST run': DeskRun;
  'POST stop': DeskRun | null;
}
