import { join } from 'node:path';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { importExport } from '../../src/commands/move.ts';
import { never } from './bench.ts';
import type { Outcome } from '../../src/commands/results.ts';

/** Plans, sends into the embedded sandbox, and verifies; the store is in the folder. */
export async function importHere(folder: string, ...exports: readonly string[]): Promise<Outcome> {
  return importExport({
    to: 'sandbox',
    store: join(folder, 'chatferry.db'),
    from: exports,
    allowMappingChange: false,
    mapping: await loadMapping(undefined),
    overrides: {},
    apiKey: undefined,
    concurrency: 8,
    clock: systemClock,
    random: Math.random,
    progress: silent,
    stopping: never,
    signal: never,
    sendProfiles: 'first',
    maxFailureShare: 0.2,
    verify: true,
    confirm: async () => true,
  });
}
