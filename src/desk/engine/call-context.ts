import type { OpenedExports } from './opened.ts';

/** What a call may use besides its request. */
export interface CallContext {
  /** The export, which stays open between calls. */
  readonly opened: OpenedExports;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Says how far it is. */
  readonly progress: (done: number, total: number | null) => void;
}
