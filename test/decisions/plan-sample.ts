import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { plan } from '../../src/plan/plan.ts';
import { profiles } from '../../src/service/profiles.ts';
import { openStore } from '../../src/store/open.ts';
import { never } from '../scenes/bench.ts';

/** The reading that a plan keeps. @param mapping Path, if the source needs one. */
export async function planReading(
  folder: string,
  exports: readonly string[],
  mapping: string | undefined,
  source?: string,
) {
  const store = openStore(join(folder, 'chatferry.db'), { command: 'plan', nowMs: systemClock.now() });
  try {
    const rules = { mapping: await loadMapping(mapping), allowMappingChange: false, profile: profiles.spec };
    await plan(store, { exports, source, ...rules, clock: systemClock, progress: silent, signal: never });
    return { result: store.facts.reading()!, beside: store.facts.beside()?.found, source: store.facts.read('source')! };
  } finally {
    store.close();
  }
}

/** The export of a sample, and its mapping. */
export function sampleFiles({ folder }: { readonly folder: string }) {
  const exports = readdirSync(folder).filter((name) => name.startsWith('export'));
  const mapping = join(folder, 'mapping.yaml');
  return {
    exports: exports.sort().map((name) => join(folder, name)),
    mapping: existsSync(mapping) ? mapping : undefined,
  };
}
