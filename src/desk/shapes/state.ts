import type { RunState } from '../../viewer/shapes.ts';

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
  /** Changes whenever another answer than this one does. */
  readonly version: string;
  /** In which the program runs. */
  readonly folder: string;
  /** The run that goes on, or the last one. */
  readonly run: DeskRun | null;
}

export type RunKind = 'inspect';

/** A command that the desk runs as a process of its own. */
export interface DeskRun extends RunState {
  readonly kind: RunKind;
  /** As it can be pasted: `chatferry inspect export.zip`. */
  readonly text: string;
  readonly isStopping: boolean;
  /** Null while it goes on, or if a signal ended it. */
  readonly exit: number | null;
  readonly error: DeskError | null;
}

export interface RunRequest {
  readonly kind: RunKind;
}

export interface StateRoutes {
  'GET state': DeskState;
  'POST run': DeskRun;
  'POST stop': DeskRun | null;
}
