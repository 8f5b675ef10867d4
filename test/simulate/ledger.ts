/** Result of one simulation, by the sandbox's own record. All but the first four fields are zero if the guarantee holds. */
export interface Ledger {
  readonly seed: number;
  /** Its name: what was broken. */
  readonly scenario: string;
  /** How often the client died. */
  readonly kills: number;
  /** Requests that the sandbox saw, of any kind. */
  readonly requests: number;
  /** Planned messages that the sandbox never stored, and messages with a good receipt that it never stored. */
  readonly lost: number;
  /** Copies beyond the first. */
  readonly duplicated: number;
  /** Stored messages that were never planned. */
  readonly unexpected: number;
  /** Messages behind one that should come after them in their conversation, except those that the store names as late. */
  readonly outOfOrder: number;
  /** Messages still unconfirmed at the end. */
  readonly unconfirmed: number;
  /** False statements of the store, or of reading everything back; totals that did not add up. */
  readonly misstated: number;
  /** 1 if it came to no end, else 0. */
  readonly hung: number;
  /** Findings in sentences; the first of each kind. Empty if the guarantee holds. */
  readonly problems: readonly string[];
}
