import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { systemClock } from '../src/lib/flow/clock.ts';
import { createSandbox } from '../src/sandbox/app.ts';
import { createInProcessTransport } from '../src/sandbox/in-process.ts';
import { openSandboxStore } from '../src/sandbox/store.ts';
import { normaliseBaseUrl } from '../src/service/profiles.ts';
import { planTemplate, send } from '../test/scenes/bench.ts';
import { largeExportLines } from './large-export.ts';

const conversationCount = 1000;

/** An import that is over. */
export interface ImportedStore {
  /** An export in our own format, in one file. */
  readonly path: string;
  /** Data file of the sandbox that has everything. */
  readonly data: string;
  readonly store: string;
}

/** An import, made in this process: the sandbox that it fills has no port yet. */
export async function importedStore(folder: string, messageCount: number): Promise<ImportedStore> {
  const [path, data, store] = ['export.ndjson', 'server.db', 'chatferry.db'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const lines = largeExportLines({ messages: messageCount, conversations: conversationCount });
  await pipeline(Readable.from(lines), createWriteStream(path));
  await planTemplate(store, [path], systemClock);
  const sandbox = createSandbox({
    store: openSandboxStore(data, { synchronous: 'NORMAL' }),
    apiKey: 'bench-key',
    profile: 'spec',
    clock: systemClock,
  });
  const transport = createInProcessTransport(sandbox, systemClock);
  const { report } = await send({ store, transport, clock: systemClock, random: Math.random });
  sandbox.close();
  if (report.totals.imported !== messageCount) throw new Error(`Imported only ${report.totals.imported} messages`);
  return { path, data, store };
}

/** Changes the address of that import's destination in the store. */
export function moveTo(url: string, store: string): void {
  const db = new Database(store);
  db.prepare('UPDATE destination SET address = ?').run(normaliseBaseUrl(url));
  db.close();
}
