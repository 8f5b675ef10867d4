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

/** Known facts; a field that is left out is unknown, or no longer the case. */
export interface StageUpdate {
  readonly done: number;
  /** Replaces the total from here on. */
  readonly total?: number;
  /** How many of those that are done failed. */
  readonly failed?: number;
  /** Per second. Default: measured over the last five seconds. */
  readonly rate?: number;
  /** Default: what is left divided by the rate. */
  readonly etaMs?: number;
  /** Why nothing is moving, as it follows the word "waiting": `34 s: the service asks us to (429)`. */
  readonly waiting?: string;
  /** How long the wait still takes, in ms. Then it is counted down before `waiting`, which gives the reason alone. */
  readonly waitMs?: number;
  readonly note?: string;
}

export interface StageProgress {
  update(update: StageUpdate): void;
  finish(summary?: string): void;
}

export const silent: Progress = { stage: () => ({ update() {}, finish() {} }) };
