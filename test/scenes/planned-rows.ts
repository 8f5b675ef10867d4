import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/checkpoint/base/store.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { loadMapping } from '../../src/mapping/rules/load-rules.ts';
import { plan } from '../../src/plan/plan.ts';
import type { ReadingThreads } from '../../src/plan/reading/reading-worker.ts';
import { profiles } from '../../src/service/profiles.ts';
import { never } from './bench.ts';
import { storeRows } from './store-rows.ts';

export interface PlannedExport {
  /** With `export/`, `export.zip` and so on, and maybe a `mapping.yaml`. */
  readonly folder: string;
  readonly source: string;
  readonly threads: number | ReadingThreads;
  /** Text of another mapping. */
  readonly rules?: string;
  readonly signal?: AbortSignal;
}

/** What is in a new store, in a folder of its own, once an export was planned. */
export async function plannedRows(place: string, { folder, source, threads, rules, signal = never }: PlannedExport) {
  const mapping = join(rules === undefined ? folder : place, 'mapping.yaml');
  if (rules !== undefined) writeFileSync(mapping, rules);
  const store = openStore(join(place, 'chatferry.db'), { command: 'plan', nowMs: 0 });
  try {
    await plan(store, {
      exports: readdirSync(folder).flatMap((name) => (name.startsWith('export') ? [join(folder, name)] : [])),
      source,
      mapping: await loadMapping(existsSync(mapping) ? mapping : undefined),
      acceptMapping: false,
      profile: profiles.spec,
      clock: { ...systemClock, now: () => 1_800_000_000_000 },
      progress: silent,
      signal,
      threads,
    });
    return storeRows(store.db);
  } finally {
    store.close();
  }
}
