/** What a reconcile found, in messages. */
export interface ReconcileCounts {
  /** Conversations that were read. */
  conversations: number;
  /** In the books as they are there, before and after. */
  confirmed: number;
  /** There, and unknown to the books: now imported or present. */
  found: number;
  /** There under our muid with other content: now refused. */
  refused: number;
  /** In the books as imported or present, and there with other content: left as they are, for verify to name. */
  different: number;
  /** In the books as imported, present or in doubt, and gone: pending again. */
  putBack: number;
  /** Not there, and not in the books as sent: pending. */
  unsent: number;
  /** There more than once. */
  duplicated: number;
  /** Of our making, and not of this export. */
  extra: number;
  /** Written by others. */
  foreign: number;
}

export const noCounts = (): ReconcileCounts => ({
  conversations: 0,
  confirmed: 0,
  found: 0,
  refused: 0,
  different: 0,
  putBack: 0,
  unsent: 0,
  duplicated: 0,
  extra: 0,
  foreign: 0,
});
