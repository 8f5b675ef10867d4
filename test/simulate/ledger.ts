/** What became of one simulation, by the sandbox's own book. All but the first four are zero where the promise holds. */
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
  /** Stored messages that nobody planned. */
  readonly unexpected: number;
  /** Messages behind one that should come after them in their conversation, except those that the store names as late. */
  readonly outOfOrder: number;
  /** Messages still unconfirmed at the end. */
  readonly unconfirmed: number;
  /** What the store, or reading everything back, says otherwise than it is; books that did not balance. */
  readonly misstated: number;
  /** 1 if it came to no end, else 0. */
  readonly hung: number;
  /** What was found, in sentences; the first of each kind. Empty where the promise holds. */
  readonly problems: readonly string[];
}
