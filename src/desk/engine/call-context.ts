import type { Decisions } from './decisions.ts';
import type { OpenedExports } from './opened.ts';
import type { PeopleMap } from './people-map.ts';

/** All that a call may use besides its request. */
export interface CallContext {
  /** The export, which stays open between calls. */
  readonly opened: OpenedExports;
  readonly decisions: Decisions;
  /** The people of the plan, which are read once. */
  readonly people: PeopleMap;
  readonly signal: AbortSignal;
  /** Says how far it is. */
  readonly progress: (done: number, total: number | null) => void;
}

export const endOfThread = 'end';
