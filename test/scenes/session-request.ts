import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import type { Secret } from '../../src/lib/secret.ts';
import { type Progress, silent } from '../../src/lib/flow/progress.ts';
import { never } from './bench.ts';
import type { Complete, ImportRequest } from '../../src/commands/requests.ts';

/** Changes that a test makes; `mapping` is the text of a mapping file. */
type Changes = Partial<Omit<ImportRequest, 'mapping' | 'apiKey'>> & {
  readonly mapping?: string;
  readonly apiKey?: Secret;
};

/** Returns a request for the embedded sandbox next to `chatferry.db` in the folder, with the export in `export` there. */
export async function sessionRequest(
  folder: string,
  { mapping, ...changes }: Changes = {},
): Promise<Complete<ImportRequest>> {
  const mappingPath = mapping === undefined ? undefined : join(folder, 'mapping.yaml');
  if (mappingPath !== undefined) writeFileSync(mappingPath, mapping!);
  return {
    to: 'sandbox',
    store: join(folder, 'chatferry.db'),
    from: [join(folder, 'export')],
    allowMappingChange: false,
    mapping: await loadMapping(mappingPath),
    overrides: {},
    apiKey: undefined,
    concurrency: 4,
    clock: systemClock,
    random: Math.random,
    progress: silent,
    stopping: never,
    signal: never,
    sendProfiles: 'first',
    maxFailureShare: 1,
    verify: true,
    confirm: async () => true,
    ...changes,
  };
}

/** Calls back at one of the updates of progress, counted from 1. */
export function atUpdate(wanted: number, act: () => void): Progress {
  let count = 0;
  const update = () => {
    if (++count === wanted) act();
  };
  return { stage: () => ({ update, finish() {} }) };
}
