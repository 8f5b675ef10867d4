import type { Store } from '../../store/open.ts';
import { StoreError, UsageError } from '../../lib/errors.ts';
import type { Mapping } from '../../mapping/load.ts';
import type { Profile } from '../../service/profiles.ts';
import type { ReadEntry } from '../reading/read-entries.ts';

/** Source of the file that `chatferry export-failed` writes and people correct. */
const correctionsSource = 'chatferry';

/**
 * Claims a store for one source, fixed by its first plan. Chatferry's own records may correct the content of a store of
 * another source.
 *
 * @returns How the records are applied, if they are corrections.
 * @throws StoreError, UsageError
 */
export function claimStore(
  store: Store,
  source: string,
  rules: { readonly mapping: Mapping; readonly profile: Profile },
): Corrections | undefined {
  const owner = store.facts.read('source');
  if (owner === undefined || owner === source) return undefined;
  if (source === correctionsSource) {
    assertSameRules(store, rules);
    return new Corrections(store, store.facts.read('originSource') ?? owner);
  }
  throw new StoreError(
    `Cannot plan into "${store.path}": it belongs to source "${owner}", this export to "${source}"`,
    { path: store.path, hint: 'Pass --store with another file for this export' },
  );
}

/** Corrections go with what is staged: other rules would mean reading the export itself. */
function assertSameRules(
  store: Store,
  { mapping, profile }: { readonly mapping: Mapping; readonly profile: Profile },
): void {
  const isSame =
    store.facts.read('mappingHash') === mapping.hash &&
    store.facts.read('limitsHash') === JSON.stringify(profile.limits) &&
    store.facts.read('people') === profile.people;
  if (isSame) return;
  throw new UsageError('Cannot plan corrections under another mapping or profile than the export itself', {
    hint: 'Pass the --mapping and --profile (or --to) of the last plan, or plan the export with these first',
  });
}

/** Files of our own records that go into a store of another source. */
export class Corrections {
  readonly #store: Store;
  /** Source of the messages that they may correct. */
  readonly #originSource: string;

  constructor(store: Store, originSource: string) {
    this.#store = store;
    this.#originSource = originSource;
  }

  /** Those of the store's own source: they stay as they are. */
  get sourceOptions(): unknown {
    return JSON.parse(this.#store.facts.read('sourceOptions') ?? '{}');
  }

  /** @param key Absolute path of the file or folder. */
  beginInput(key: string): void {
    this.#store.files.nameSource(key, correctionsSource);
  }

  /** @throws StoreError if it is no message of the store's. */
  check(entry: ReadEntry): void {
    if (entry.type !== 'record' || entry.record.kind !== 'message') return;
    const { source } = entry.record.origin;
    if (source === this.#originSource) return;
    const { path } = this.#store;
    throw new StoreError(
      `Cannot plan into "${path}": its messages come from source "${this.#originSource}", this export has messages from "${source}"`,
      { path, hint: 'Pass --store with another file for this export' },
    );
  }
}
