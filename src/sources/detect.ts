import type { ExportInput } from '../io/input/export-input.ts';
import { sources } from './registry.ts';
import type { SourceAdapter } from './source.ts';

/** A source that an export may belong to. */
export interface Detected {
  readonly adapter: SourceAdapter;
  readonly match: 'certain' | 'likely';
  /** Shown to the user: `"channels.json" and "users.json" at the top`. */
  readonly because: string;
}

/**
 * Asks every source whether the export is its own; the certain ones come first, otherwise in the order of the registry.
 * A source without fixed fields, which sees a table in anything, only counts where no other recognises the export.
 */
export async function detectSource(
  input: ExportInput,
  adapters: readonly SourceAdapter[] = sources,
): Promise<Detected[]> {
  const detected: Detected[] = [];
  for (const adapter of adapters) {
    const probe = await adapter.probe(input);
    if (probe.match !== 'no') detected.push({ adapter, ...probe });
  }
  const specific = detected.filter(({ adapter }) => !adapter.propose);
  return (specific.length > 0 ? specific : detected).sort(
    (a, b) => Number(b.match === 'certain') - Number(a.match === 'certain'),
  );
}
