import { existsSync } from 'node:fs';
import { openStore, readStore, type Store } from '../../store/open.ts';
import { type Totals, noTotals } from '../../model/totals.ts';
import { collectArrivals } from '../../report/collect-arrivals.ts';
import type { ArrivalsData } from '../../report/report-data.ts';
import { addUpMessages } from '../../report/tally.ts';
import { knownDestination, profileOf } from '../../delivery/target.ts';
import { version } from '../../lib/version.ts';
import type { RunRequest } from '../job.ts';

/** A store before or after a run: what the run brought is the difference. */
export interface StoreSummary {
  /** It holds a complete plan, under just these rules. */
  readonly isPlanned: boolean;
  readonly totals: Totals;
  readonly arrivals: ArrivalsData['kinds'];
  readonly actions: Readonly<Record<string, number>>;
  readonly drift: Readonly<Record<string, number>>;
  /** Changes with the files that were read. */
  readonly exportDigest: string | undefined;
}

const emptySummary: StoreSummary = {
  isPlanned: false,
  totals: noTotals(),
  arrivals: {},
  actions: {},
  drift: {},
  exportDigest: undefined,
};

/**
 * Takes the store for a moment, so that another writer is noticed before anything is downloaded.
 *
 * @param counted Totals if they are known: saves one pass over all messages.
 * @throws StoreError
 */
export function summarizeStore(request: RunRequest, counted?: Totals): StoreSummary {
  if (!existsSync(request.store)) return emptySummary;
  const store = openStore(request.store, { command: 'sync', nowMs: request.clock.now() });
  try {
    const destination = knownDestination(store, request)?.id ?? -1;
    return {
      isPlanned: store.facts.read('isComplete') === 'yes' && isUnderRules(store, request),
      totals: counted ?? addUpMessages(store, destination).totals,
      arrivals: collectArrivals(store, destination, profileOf(request))?.data.kinds ?? {},
      actions: Object.fromEntries(store.actions.count(destination).map(({ kind, done }) => [kind, done])),
      drift: driftCounts(store, destination),
      exportDigest: store.files.pins()?.export,
    };
  } finally {
    store.close();
  }
}

/** By kind, whatever was done about them, since the store began. */
function driftCounts(store: Store, destination: number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind, count } of store.totals.driftGroups(destination, 0)) counts[kind] = (counts[kind] ?? 0) + count;
  return counts;
}

export interface HeldPlan {
  /**
   * Whether the plan is complete: then pending messages may be sent without an export. If a plan was cut off, its
   * missing part is unknown.
   */
  readonly isComplete: boolean;
  readonly exports: readonly string[];
}

/** Returns undefined if no plan was ever begun. */
export function heldPlan(path: string): HeldPlan | undefined {
  if (!existsSync(path)) return undefined;
  return readStore(path, (store) => {
    const isComplete = store.facts.read('isComplete');
    const exports = JSON.parse(store.facts.read('exports') ?? '[]') as readonly string[];
    return isComplete === undefined ? undefined : { isComplete: isComplete === 'yes', exports };
  });
}

/** Compares the same rules as a plan: if they differ, it reads everything again. */
function isUnderRules(store: Store, request: RunRequest): boolean {
  const { mapping, only } = request;
  return (
    store.facts.read('mappingHash') === mapping.hash &&
    store.facts.read('limitsHash') === JSON.stringify(profileOf(request).limits) &&
    store.facts.read('people') === profileOf(request).people &&
    (store.facts.read('only') ?? '') === (only?.text ?? '') &&
    (store.facts.read('version') ?? version) === version
  );
}
