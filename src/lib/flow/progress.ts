/** Progress of a run; the command line displays it, a library user may ignore it. */
export interface Progress {
  stage(name: string, options?: StageOptions): StageProgress;
  /** @internal Reports an error that did not stop the run, for the log; a screen shows none. */
  unforeseen?(fault: UnforeseenFault): void;
}

export interface StageOptions {
  readonly total?: number;
  /** @internal Of several jobs that run: the one that this is about. */
  readonly of?: JobRunName;
}

export interface JobRunName {
  readonly job: string;
  /** `support-3`. */
  readonly run: string;
}

export interface UnforeseenFault {
  /** Location in the export: `general/2024-03-01.json#/41`. */
  readonly place: string;
  /** `TypeError`. Its message is left out: it may quote what a person wrote. */
  readonly error: string;
  readonly stack: string;
  readonly of?: JobRunName;
}

export interface StageProgress {
  update(state: {
    readonly done: number;
    readonly total?: number;
    /** Of those that are done, the ones that failed. */
    readonly failed?: number;
    /** Left, in ms, where something better is known than the rate so far. */
    readonly etaMs?: number;
    /** Why nothing moves right now, as it follows the word "waiting": "the service asks us to". */
    readonly waiting?: string;
    /** Remaining wait in ms, if it is known. */
    readonly waitMs?: number;
    readonly note?: string;
  }): void;
  finish(summary?: string): void;
}

export const silent: Progress = { stage: () => ({ update() {}, finish() {} }) };
