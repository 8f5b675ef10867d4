import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { apiKey } from './bench.ts';

export interface ServedFaulty {
  readonly url: string;
  /** Path of its data file. */
  readonly data: string;
  /** Set `sandbox.plan = …` to change its faults. */
  readonly sandbox: FaultySandbox;
}

/** A sandbox with a port of its own in this process, whose data is `server.db` in the folder; ended with the test. */
export async function servedFaulty(
  folder: string,
  { duplicates = 'stored' }: { readonly duplicates?: 'stored' | 'refused' } = {},
): Promise<ServedFaulty> {
  const data = join(folder, 'server.db');
  const sandbox = new FaultySandbox({
    store: openSandboxStore(data),
    apiKey,
    profile: 'spec',
    duplicates,
    clock: systemClock,
  });
  const served = await serveSandbox(sandbox);
  onTestFinished(async () => {
    await served.close(100);
    await sandbox.close();
  });
  return { url: served.url, data, sandbox };
}
