import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import { examine } from '../../src/commands/prepare.ts';
import { FaultySandbox, type FaultySandboxOptions } from '../../src/sandbox/faults.ts';
import type { FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { never } from './bench.ts';
import { fastClock } from './fast-clock.ts';
import type { DoctorRequest } from '../../src/commands/requests.ts';
import type { DoctorFinding } from '../../src/commands/results.ts';

export const doctorKey = 'doctor-key-5c0de';

export const hurried = fastClock();

/** A sandbox behind HTTP that breaks what a plan says, gone with the test. */
export async function servedSandbox(plan: FaultPlanInput = {}, options: Partial<FaultySandboxOptions> = {}) {
  const store = openSandboxStore(':memory:');
  const sandbox = new FaultySandbox({ apiKey: doctorKey, profile: 'spec', clock: systemClock, store, ...options });
  sandbox.plan = plan;
  const server = await serveSandbox(sandbox);
  onTestFinished(async () => {
    await server.close(0);
    await sandbox.close();
  });
  return { sandbox, url: server.url, close: () => server.close(0) };
}

/** Returns the doctor's findings, by name; the store is `chatferry.db` in the folder. */
export async function findingsOf(
  folder: string,
  to: string,
  changes: Partial<DoctorRequest> = {},
): Promise<{ readonly all: readonly DoctorFinding[]; readonly byName: Readonly<Record<string, DoctorFinding>> }> {
  const request: DoctorRequest = {
    to,
    store: join(folder, 'chatferry.db'),
    exports: [],
    overrides: {},
    concurrency: 1,
    readKey: () => new Secret(doctorKey),
    probeDuplicates: false,
    clock: hurried,
    random: Math.random,
    signal: never,
    ...changes,
  };
  const all: DoctorFinding[] = [];
  for await (const finding of examine(request)) all.push(finding);
  return { all, byName: Object.fromEntries(all.map((finding) => [finding.name, finding])) };
}
