import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, run, runJson, type ServedSandbox, serveSandbox, start, testKey } from '../cli/in-process.ts';
import type { Running } from '../cli/running.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { testPostgres } from './postgres.ts';

/** A fleet as a user has it: a database, a folder for copies, a service, and the commands, each run as `chatferry …`. */
export interface FleetHere {
  readonly folder: string;
  /** URL of the database, with its password. */
  readonly url: string;
  /** Where copies lie. */
  readonly files: string;
  readonly service: ServedSandbox;
  readonly env: Readonly<Record<string, string>>;
  run(...args: readonly string[]): Promise<Ended>;
  /** With other variables. */
  runWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended>;
  /** With `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  json(...args: readonly string[]): Promise<any>;
  /** A worker that beats every 2.5 s; its leases are processes. */
  worker(): Running;
}

/** @param folder Of its own. */
export async function fleetHere(folder: string): Promise<FleetHere> {
  const url = (await testPostgres()).reveal();
  const service = await serveSandbox(folder);
  const files = join(folder, 'files');
  const env = { CHATFERRY_FLEET_DATABASE: url, CHATFERRY_FLEET_FILES: files, CHATFERRY_API_KEY: testKey };
  const where = { folder, env };
  writeFileSync(join(folder, 'worker.yaml'), 'fleet: { heartbeat: 10s, copyEvery: 1s }\n');
  return {
    ...{ folder, url, files, service, env },
    run: (...args) => run(args, where),
    runWith: (env, ...args) => run(args, { folder, env }),
    json: async (...args) => (await runJson(args, where)).json,
    worker: () => start(['worker', '--leases', '2', '--config', 'worker.yaml'], where),
  };
}

/** An export of one conversation in the folder. @returns Its path. */
export function exportOf(folder: string, name: string, messages: number): string {
  const path = join(folder, `${name}.ndjson`);
  writeRecords(path, [
    person('ann'),
    channel(name),
    ...Array.from({ length: messages }, (_, index) => says(index + 1, name, 'ann', `Message ${index + 1} of ${name}`)),
  ]);
  return path;
}
