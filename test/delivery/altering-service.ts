import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import type { VerifyResult } from '../../src/model/totals.ts';
import type { Transport, TransportAnswer, TransportRequest } from '../../src/service/transport.ts';
import { apiKey, check, copyStore, planTemplate, type Sending, type Sent, send } from '../scenes/bench.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';

const home = temporaryFolderInMemory();

/** A planned store with one channel for each size, and its muids in order. By default messages are a second apart. */
export async function plannedStore(
  sizes: readonly number[],
  { fromSeconds = 1_709_251_200, stepSeconds = 1 } = {},
): Promise<{ readonly store: string; readonly muids: string[] }> {
  const folder = home.make();
  const author = userId(1);
  const channels = sizes.map((_, index) => ({
    id: `C${String(index).padStart(8, '0')}`,
    name: `c${index}`,
    members: [author],
  }));
  const days = sizes.map((size, index) => [
    `c${index}/2024-03-01.json`,
    Array.from({ length: size }, (_, place) =>
      message(`${fromSeconds + place * stepSeconds}.000100`, author, `${index} ${place}`),
    ),
  ]);
  writeFiles(join(folder, 'export'), {
    'users.json': [user(author)],
    'channels.json': channels,
    ...Object.fromEntries(days),
  });
  const store = join(folder, 'template.db');
  await planTemplate(store, [join(folder, 'export')], new VirtualClock());
  const db = new Database(store, { readonly: true });
  const muids = db
    .prepare(`SELECT muid FROM message WHERE verdict = 'planned' ORDER BY conversation, sent_at, seq`)
    .pluck();
  const found = muids.all() as string[];
  db.close();
  return { store, muids: found };
}

type Handle = (request: TransportRequest) => TransportAnswer;

/** Answers an import; throws if the connection breaks. */
export type Alteration = (request: TransportRequest, handle: Handle) => TransportAnswer;

export interface AlteringService {
  readonly clock: VirtualClock;
  readonly store: string;
  /** The bodies of all imports that left, in order. */
  readonly imports: readonly string[];
  /** The paths of everything else. */
  readonly reads: readonly string[];
  /** Called with every import that arrives. */
  onImport: () => void;
  /** Path of the data of the sandbox. */
  readonly data: string;
  send(sending?: Partial<Sending>): Promise<Sent>;
  check(): Promise<VerifyResult>;
  close(): void;
}

/** A sandbox whose answers a test alters, and a store with something to send to it. */
export function alteringService(
  template: string,
  alterImport: Alteration,
  {
    alterRead = (request, handle) => handle(request),
    duplicates = 'refused',
  }: { alterRead?: Alteration; duplicates?: 'refused' | 'stored' } = {},
): AlteringService {
  const folder = home.make();
  const clock = new VirtualClock();
  const data = join(folder, 'server.db');
  const opened = openSandboxStore(data, { synchronous: 'NORMAL' });
  const sandbox = createSandbox({ store: opened, apiKey, clock, profile: 'spec', duplicates });
  const imports: string[] = [];
  const reads: string[] = [];
  const handle: Handle = (request) => sandbox.handle(request);
  const transport: Transport = {
    send: (request, signal) =>
      clock.busy(() => {
        signal.throwIfAborted();
        if (request.method !== 'POST') reads.push(request.path);
        else {
          imports.push(String(request.body));
          service.onImport();
        }
        return request.method === 'POST' ? alterImport(request, handle) : alterRead(request, handle);
      }),
    async close() {},
  };
  const store = copyStore(template, folder);
  const service: AlteringService = {
    clock,
    store,
    imports,
    reads,
    onImport() {},
    data,
    send: (sending) => send({ store, transport, clock, random: seededRandom(1), ...sending }),
    check: () => check({ store, transport, clock, random: seededRandom(1) }),
    close() {
      clock.stop();
      sandbox.close();
      rmSync(folder, { recursive: true });
    },
  };
  return service;
}

/** The items of an import, by muid. */
export const itemsOf = (request: TransportRequest): Record<string, unknown> =>
  (JSON.parse(String(request.body)) as { messages: Record<string, unknown> }).messages;

export const errorBody = (status: number, code: string): TransportAnswer => ({
  status,
  headers: {},
  body: JSON.stringify({ error: { code, message: 'Something is wrong with it' } }),
});
