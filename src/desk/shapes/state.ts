import type { RunState } from '../../viewer/shapes.ts';

/** An error in words for people. */
export interface DeskError {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Start of the next page; null at the end. */
  readonly next: string | null;
}

export type Step = 'source' | 'conversations' | 'decide' | 'people' | 'rehearse' | 'go';

export interface StepState {
  readonly step: Step;
  /** `waiting`: a step before it has to be done first. */
  readonly status: 'done' | 'open' | 'waiting';
  /** `3 to decide`; may be empty. */
  readonly note: string;
}

export interface DeskState {
  /**
   * Changes whenever another answer than this one does. What changes a file carries the version that the page has seen, and is refused if
   * the files have changed since.
   */
  readonly version: string;
  /** In which the program runs. */
  readonly folder: string;
  /** Why `chatferry.yaml` cannot be used. Nothing else is known then. */
  readonly error: DeskError | null;
  /** In their order; none if there is an error. */
  readonly steps: readonly StepState[];
  /** The first step that is not done. */
  readonly next: Step;
  /** Commands that do the same, as they can be pasted, by step. */
  readonly commands: Readonly<Record<Step, readonly string[]>>;
  /** The run that goes on, or the last one. */
  readonly run: DeskRun | null;
  /** The run before it, if `run` is a count that began by itself: how it ended is still to be shown. */
  readonly runBefore: DeskRun | null;
  /** Work of the desk itself that takes a while. */
  readonly asking: {
    readonly what: string;
    readonly ms: number;
    readonly done: number | null;
    readonly total: number | null;
  } | null;
  /** Whose chats are under `/desk/chats/`: those of the last rehearsal, else those of the store's own sandbox. */
  readonly chats: 'rehearsal' | 'store' | null;
}

/** `rehearse` plans nothing: it sends what was planned to a sandbox of its own. */
export type RunKind =
  | 'fetch'
  | 'inspect'
  | 'plan'
  | 'rehearse'
  | 'report'
  | 'doctor'
  | 'media'
  | 'import'
  | 'verify'
  | 'undo';

/** A command that the desk runs as a process of its own, or that a terminal runs on the same store. */
export interface DeskRun extends RunState {
  /** Null if it is another command of a terminal. */
  readonly kind: RunKind | null;
  /** As it can be pasted: `chatferry inspect export.zip`. */
  readonly text: string;
  /** Whether this desk started it. The work of another process is shown, and nothing else can be started. */
  readonly isOurs: boolean;
  /** Whether it can be asked to stop; the same command continues. */
  readonly canStop: boolean;
  readonly isStopping: boolean;
  /** Null while it goes on, or if a signal ended it. */
  readonly exit: number | null;
  readonly error: DeskError | null;
  /** Of `doctor`, once it has ended. */
  readonly findings: readonly {
    readonly level: 'ok' | 'warning' | 'error';
    readonly name: string;
    readonly says: string;
    readonly todo: string | null;
  }[];
  /** Of `undo`, once it has ended. */
  readonly undo: UndoView | null;
}

/** Deletions at the destination, made or planned. */
export interface UndoView {
  readonly isDry: boolean;
  readonly conversations: number;
  readonly messages: number;
  readonly members: number;
  readonly people: number;
  /** Some of the requests, those with most messages first. */
  readonly requests: readonly { readonly request: string; readonly name: string; readonly messages: number }[];
  /** Conversations that stay, by the reason. */
  readonly left: readonly { readonly count: number; readonly explanation: string }[];
}

export interface RunRequest {
  readonly kind: RunKind;
  /** The version of the state that was seen; `import` and `undo` need it. */
  readonly version?: string | undefined;
  /** Of `verify`: sends again what is missing. */
  readonly repair?: boolean | undefined;
  /** For `plan`: the digest of the reading that was shown, which a person confirms. */
  readonly confirmReading?: string | undefined;
  /** Who confirms it. */
  readonly by?: string | undefined;
  /** Of `undo`: only says what it would delete. */
  readonly isDry?: boolean | undefined;
}

export interface StateRoutes {
  'GET state': DeskState;
  'POST run': DeskRun;
  'POST stop': DeskRun | null;
}
