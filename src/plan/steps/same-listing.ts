import type { Store } from '../../store/open.ts';
import { type Listing, readListings } from '../../io/input/listing.ts';
import type { PlanOptions } from '../plan-options.ts';
import type { InputSummary, OpenedExports } from '../reading/export-reader.ts';

/** A file that is changed again so soon may have the time of the change before. */
const unchangedMs = 3000;

/** The exports as they lay there before a plan opened them. */
export interface SeenExports {
  /** The exports that the plan before opened, if it read all of them and they have not changed since; else they have to be opened. */
  readonly unchanged: OpenedExports | undefined;
  /** Once everything is read: what the next plan compares with. @param inputs As they were opened. */
  remember(inputs: readonly InputSummary[]): void;
}

/** One digest for each export is compared, before anything of it is opened. */
export function listExports(store: Store, options: Pick<PlanOptions, 'exports' | 'source' | 'clock'>): SeenExports {
  const listings = readListings(options.exports) ?? [];
  const listingText = ({ digest }: Listing) => `${options.source ?? ''} ${digest}`;
  const source = store.facts.read('source');
  const isUnchanged =
    listings.length > 0 &&
    store.facts.read('isComplete') === 'yes' &&
    listings.every((listing) => store.files.listing(listing.key) === listingText(listing));
  const unchangedSinceMs = options.clock.now() - unchangedMs;
  return {
    unchanged:
      isUnchanged && source !== undefined
        ? { source, inputs: listings.map(({ key, label }) => ({ key, label, problems: [] })) }
        : undefined,
    remember(inputs) {
      for (const { key, problems } of inputs) {
        const listing = listings.find((found) => found.key === key);
        // Each plan notes problems of the listing again.
        const isSure = listing && problems.length === 0 && listing.changedAtMs < unchangedSinceMs;
        store.files.keepListing(key, isSure ? listingText(listing) : null);
      }
    },
  };
}
