/** What a run tells while it works; the command line draws it, a library user may ignore it. */
export interface Progress {
  stage(name: string, options?: { readonly total?: number }): StageProgress;
}

export interface StageProgress {
  update(state: {
    readonly done: number;
    readonly total?: number;
    /** Left, in ms, where something better is known than the rate so far. */
    readonly etaMs?: number;
    /** Why nothing moves right now: "34 s: the service asks us to". */
    readonly waiting?: string;
    readonly note?: string;
  }): void;
  finish(summary?: string): void;
}

export const silent: Progress = { stage: () => ({ update() {}, finish() {} }) };
