/**
 * Result of one scenario, from the server's data alone and not from anything under test. All but the first four fields
 * are zero if the guarantee holds.
 */
export interface DiskLedger {
  readonly scenario: string;
  /** Processes and images that were continued to the end. */
  runs: number;
  /** Processes that ended by SIGKILL, and power cuts. */
  kills: number;
  /** Requests that the server saw. */
  requests: number;
  /** Messages of the export that are not there at the end. */
  lost: number;
  /** Copies beyond the first. */
  duplicated: number;
  /** Messages at the server that are in no export. */
  unexpected: number;
  /** Messages behind one that should come after them, except those that the store names as late. */
  outOfOrder: number;
  /** Messages still unconfirmed at the end. */
  unconfirmed: number;
  /** Runs that came to no end. */
  hung: number;
  /** Everything that was wrong, each with the point that shows it again. */
  readonly problems: string[];
}

export const newLedger = (scenario: string): DiskLedger => ({
  scenario,
  runs: 0,
  kills: 0,
  requests: 0,
  lost: 0,
  duplicated: 0,
  unexpected: 0,
  outOfOrder: 0,
  unconfirmed: 0,
  hung: 0,
  problems: [],
});

/** Required values of a ledger, apart from the counts of work done. */
export const allZeros = { lost: 0, duplicated: 0, unexpected: 0, outOfOrder: 0, unconfirmed: 0, hung: 0, problems: [] };

interface Contents {
  /** Texts by conversation, each once, in the order of the source. */
  readonly expected: ReadonlyMap<string, readonly string[]>;
  /** Texts by conversation, in the order of arrival. */
  readonly found: ReadonlyMap<string, readonly string[]>;
  /** Texts that the store names as late. */
  readonly late: ReadonlySet<string>;
}

/** Adds up what a server holds against what it should. */
export function compareContents(ledger: DiskLedger, point: string, { expected, found, late }: Contents): void {
  const before = { ...ledger };
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    const place = new Map((expected.get(name) ?? []).map((text, index) => [text, index]));
    const seen = new Set<string>();
    let last = -1;
    for (const text of found.get(name) ?? []) {
      const index = place.get(text);
      if (index === undefined) ledger.unexpected++;
      else if (seen.has(text)) ledger.duplicated++;
      else if (!late.has(text)) {
        if (index < last) ledger.outOfOrder++;
        last = Math.max(last, index);
      }
      seen.add(text);
    }
    for (const text of place.keys()) if (!seen.has(text)) ledger.lost++;
  }
  for (const kind of ['lost', 'duplicated', 'unexpected', 'outOfOrder'] as const) {
    if (ledger[kind] > before[kind]) ledger.problems.push(`${point}: ${ledger[kind] - before[kind]} ${kind}`);
  }
}
