import type { ExportInput } from '../io/input/export-input.ts';
import { probedInput } from './kit/probed-input.ts';
import { sources } from './registry.ts';
import { foreignPlatform } from './signatures.ts';
import type { SourceAdapter } from './source.ts';
import { isTableSource } from './table-source.ts';

/** A source that an export may belong to. */
export interface Detected {
  readonly adapter: SourceAdapter;
  readonly match: 'certain' | 'likely';
  /** Shown to the user: `"channels.json" and "users.json" at the top`. */
  readonly because: string;
}

/** Found before. With many files the sources look for a second, and an export is asked more than once while it is open. */
const found = new WeakMap<ExportInput, Promise<readonly Detected[]>>();

/**
 * Asks every source whether it recognises the export. Certain matches come first, otherwise in the order of the
 * registry. A source without fixed fields sees a table in anything. It only counts if no other source recognises the
 * export and nothing shows that it belongs to another platform (`foreignPlatform`).
 */
export function detectSource(
  input: ExportInput,
  adapters: readonly SourceAdapter[] = sources,
): Promise<readonly Detected[]> {
  if (adapters !== sources) return detect(input, adapters);
  const detected = found.get(input) ?? detect(input, adapters);
  found.set(input, detected);
  return detected;
}

async function detect(input: ExportInput, adapters: readonly SourceAdapter[]): Promise<readonly Detected[]> {
  const probed = probedInput(input);
  const detected: Detected[] = [];
  for (const adapter of adapters) {
    const probe = await adapter.probe(probed);
    if (probe.match !== 'no') detected.push({ adapter, ...probe });
  }
  const specific = detected.filter(({ adapter }) => !isTableSource(adapter));
  if (specific.length === 0 && detected.length > 0 && (await isForeign(probed))) return [];
  return (specific.length > 0 ? specific : detected).sort(
    (a, b) => Number(b.match === 'certain') - Number(a.match === 'certain'),
  );
}

/** Whether the format of another platform matches the export, other than as a file among tables. */
async function isForeign(input: ExportInput): Promise<boolean> {
  const foreign = await foreignPlatform(input);
  return foreign !== undefined && (!foreign.signature.isContainer || (await input.paths()).length === 1);
}
