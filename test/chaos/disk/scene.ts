import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { systemClock } from '../../../src/lib/flow/clock.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { loadMapping } from '../../../src/mapping/load.ts';
import { silent } from '../../../src/lib/flow/progress.ts';
import { importExport } from '../../../src/commands/move.ts';
import { planExport } from '../../../src/commands/prepare.ts';
import { type GeneratedExport, makeExport } from '../../scenes/make-export.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { compareContents, type DiskLedger } from './ledger.ts';
import { apiKey, type ChaosServer, startServer } from './server.ts';
import type { ImportRequest } from '../../../src/commands/requests.ts';
import type { Outcome } from '../../../src/commands/results.ts';

/** Requests of 20 messages: 200 messages make ten, some of them at the same time. */
const batchItems = 20;
/** Nothing here answers late, so a short grace is enough. */
const graceMs = 20;
/** A run takes a second; one that takes a minute hangs. */
const hangMs = 60_000;

/**
 * Task of a client. `plan` reads the export and imports; `import` sends the planned messages of a store; both use a
 * server in another process. `embedded` sends them to the sandbox in its own process, and `people` the same with people, groups and members
 * before them, as to the hosted service, and deactivations after them.
 */
export type Way = 'plan' | 'import' | 'embedded' | 'people';

const isEmbedded = (way: Way): boolean => way === 'embedded' || way === 'people';
const readsExport = (way: Way): boolean => way === 'plan' || way === 'people';

/** An export of 200 messages and a server; clients with folders of their own. */
export interface Scene {
  readonly folder: string;
  readonly made: GeneratedExport;
  readonly server: ChaosServer;
  /** Makes a new folder, with a planned store if the way begins with one. */
  newClient(way: Way): string;
  /** The arguments of a client of this way, run in its folder. */
  argumentsOf(way: Way): string[];
  /** Runs the same command to its end, in this process, with nothing broken. */
  finish(ledger: DiskLedger, point: string, client: string, way: Way): Promise<void>;
  close(): Promise<void>;
}

export async function openScene(parent: string, seed: number): Promise<Scene> {
  const folder = mkdtempSync(join(parent, 'chatferry-disk-'));
  process.env.CHATFERRY_STATE_DIR = join(folder, 'state');
  const made = makeExport(join(folder, 'export'), {
    seed,
    messages: 208,
    people: 6,
    deactivated: 2,
    channels: 3,
    directs: 3,
    groupDirects: 1,
  });
  const server = await startServer();
  const template = join(folder, 'template.db');
  const requestOf = async (store: string, way: Way): Promise<ImportRequest> => ({
    to: isEmbedded(way) ? 'sandbox' : server.url,
    ...(way === 'people' && { rehearseFor: 'hosted' }),
    store,
    allowMappingChange: false,
    concurrency: 4,
    from: readsExport(way) ? [made.folder] : [],
    mapping: await loadMapping(undefined),
    overrides: {
      batchItemsMax: batchItems,
      graceLongMs: graceMs,
      ...(way === 'people' && { importsPerMinute: 3000, limits: { retentionDays: undefined } }),
    },
    apiKey: new Secret(apiKey),
    clock: systemClock,
    random: Math.random,
    progress: silent,
    stopping: never,
    signal: never,
    sendProfiles: 'first',
    maxFailureShare: 0.2,
    verify: true,
  });
  await planExport({ ...(await requestOf(template, 'plan')), to: 'http://127.0.0.1:9' });

  return {
    folder,
    made,
    server,
    newClient(way) {
      const client = mkdtempSync(join(folder, 'client-'));
      if (!readsExport(way)) copyFileSync(template, storeOf(client));
      return client;
    },
    argumentsOf: (way) => [
      ...['import', ...(readsExport(way) ? [made.folder] : []), '--yes', '--quiet', '--concurrency', '4'],
      ...['--to', isEmbedded(way) ? 'sandbox' : server.url],
      ...(way === 'people' ? ['--rehearse-for', 'hosted', '--retention-days', 'unlimited', '--rate', '3000'] : []),
      ...['--batch-items', String(batchItems), '--grace-period', `${graceMs}ms`],
    ],
    async finish(ledger, point, client, way) {
      ledger.runs++;
      let done: Outcome | undefined;
      try {
        done = await within(hangMs, importExport(await requestOf(storeOf(client), way)));
      } catch (error) {
        ledger.problems.push(`${point}: the next run fails: ${(error as Error).stack}`);
        return;
      }
      if (!done) {
        ledger.hung++;
        ledger.problems.push(`${point}: the next run does not end`);
        return;
      }
      ledger.unconfirmed += done.report.totals.unconfirmed;
      if (done.exit !== 0) {
        ledger.problems.push(`${point}: the next run ends with ${done.exit}: ${JSON.stringify(done.report.stopped)}`);
      }
      if (way === 'people') ledger.problems.push(...peopleLeft(done).map((left) => `${point}: ${left}`));
      const data = isEmbedded(way) ? join(client, 'chatferry.sandbox.db') : serverData(client);
      const [expected, found] = [made.conversations, sandboxContents(data)];
      compareContents(ledger, point, { expected, found, late: lateTexts(storeOf(client)) });
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** People, groups, members and deactivations that are not done. */
function peopleLeft({ report }: Outcome): string[] {
  const kinds = { ...report.arrivals?.kinds, ...report.actions?.kinds };
  const left = Object.entries(kinds).filter(
    ([, count]) => ('imported' in count ? count.imported : count.done) !== count.planned,
  );
  return left.map(([kind, count]) => `${kind}: ${JSON.stringify(count)}`);
}

const never = new AbortController().signal;
export const storeOf = (client: string): string => join(client, 'chatferry.db');
export const serverData = (client: string): string => join(client, 'server.db');

/** Returns a folder in memory if the machine has one, for tests of hundreds of stores: their damage is intended. */
export function memoryFolder(fallback: string): string {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : fallback;
  mkdirSync(parent, { recursive: true });
  return parent;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)));
  return await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

function lateTexts(store: string): Set<string> {
  const db = new Database(store, { readonly: true });
  const texts = db
    .prepare(
      `SELECT m.payload ->> '$.data.text' FROM delivery d JOIN message m ON m.seq = d.message WHERE d.is_late = 1`,
    )
    .pluck()
    .all() as string[];
  db.close();
  return new Set(texts);
}
