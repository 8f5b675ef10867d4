import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import { importExport } from '../../src/commands/move.ts';
import { verifyDestination } from '../../src/commands/check.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { ChatServiceClient } from '../contracts/service-client.ts';
import { apiKey } from './bench.ts';
import { type GeneratedExport, makeExport } from './make-export.ts';
import { byName, sandboxContents } from './sandbox-contents.ts';
import { sessionRequest } from './session-request.ts';
import type { ImportRequest } from '../../src/commands/requests.ts';

export interface ServerScene {
  readonly folder: string;
  readonly made: GeneratedExport;
  /** Data file of the server. */
  readonly data: string;
  readonly sandbox: WatchedSandbox;
  readonly client: ChatServiceClient;
  readonly request: ImportRequest;
}

/** Calls back before a request is applied, and after it was and before its answer leaves. */
export class WatchedSandbox extends FaultySandbox {
  onArrival: () => void = () => {};
  onRequest: () => void = () => {};

  override deliver(...args: Parameters<FaultySandbox['deliver']>): ReturnType<FaultySandbox['deliver']> {
    this.onArrival();
    const delivery = super.deliver(...args);
    this.onRequest();
    return delivery;
  }
}

export interface SceneShape {
  readonly duplicates?: 'refused' | 'stored';
  readonly messages?: number;
  readonly seed?: number;
  /** Whether people, groups and members are imported before the messages. */
  readonly importsPeople?: boolean;
  readonly changes?: Parameters<typeof sessionRequest>[1];
}

/** A small export, and a server of this process that may break things; both gone with the test. */
export async function serverScene(folder: string, shape: SceneShape = {}): Promise<ServerScene> {
  const { duplicates = 'refused', messages = 50, seed = 5, importsPeople = false, changes = {} } = shape;
  const made = makeExport(join(folder, 'export'), {
    seed,
    messages,
    people: 5,
    channels: 3,
    directs: 2,
    groupDirects: 1,
  });
  const data = join(folder, 'server.db');
  const sandbox = new WatchedSandbox({
    store: openSandboxStore(data),
    apiKey,
    profile: 'spec',
    clock: systemClock,
    duplicates,
    hasDirectory: importsPeople,
  });
  const served = await serveSandbox(sandbox);
  const client = new ChatServiceClient({ baseUrl: served.url, apiKey });
  process.env.CHATFERRY_STATE_DIR = join(folder, 'state');
  onTestFinished(async () => {
    await client.close();
    await served.close(100);
    await sandbox.close();
    delete process.env.CHATFERRY_STATE_DIR;
  });
  const overrides = { graceLongMs: 60, ...(importsPeople && { people: 'import' as const }) };
  const request = await sessionRequest(folder, { to: served.url, apiKey: new Secret(apiKey), overrides, ...changes });
  return { folder, made, data, sandbox, client, request };
}

/** Another import of the scene brings everything: once, in order, and as it is in the export. */
export async function expectAllThere({ request, made, data }: ServerScene): Promise<void> {
  const { report, exit } = await importExport(request);
  expect(report.stopped).toBeNull();
  expect(report.totals).toMatchObject({ planned: made.planned, failed: 0, pending: 0, unconfirmed: 0 });
  expect(exit).toBe(0);
  expect(byName(sandboxContents(data))).toEqual(byName(made.conversations));
  const same = { same: made.planned, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 };
  expect(await verifyDestination(request)).toMatchObject({ exit: 0, report: { verify: same } });
}

/** Changes what the server holds, behind its back. */
export function change(data: string, sql: string): void {
  const db = new Database(data);
  db.exec(sql);
  db.close();
}

/** Returns one column of a query on the server's data file. */
export function column(data: string, sql: string): string[] {
  const db = new Database(data, { readonly: true });
  const values = db.prepare(sql).pluck().all() as string[];
  db.close();
  return values;
}
