/**
 * How fast the sandbox is, seen from another process: imports of 50 messages at 8 concurrent requests, and pages of 1,000 messages
 * where many are stored. `node bench/sandbox.ts`, or with `--import 20000 --stored 100000 --pages 50` for a short run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSandbox } from '../src/sandbox/app.ts';
import { openSandboxStore } from '../src/sandbox/store.ts';
import { systemClock } from '../src/lib/flow/clock.ts';
import { createHttpTransport } from '../src/service/http-transport.ts';
import type { Transport } from '../src/service/transport.ts';
import { formatTable } from './table.ts';

interface SandboxBench {
  /** Messages to import. */
  readonly imported: number;
  /** Messages that are stored where pages are read, and how many pages are read. */
  readonly stored: number;
  readonly pages: number;
}

const usual: SandboxBench = { imported: 200_000, stored: 1_000_000, pages: 500 };

export const apiKey = 'bench-key';
const batchSize = 50;
const concurrency = 8;
const pageSize = 1000;
const conversationCount = 1000;
const never = new AbortController().signal;

/** Both rows, as a table. */
export async function sandboxTable({ imported, stored, pages }: SandboxBench = usual): Promise<string> {
  const rows = [await measureImport(imported), await measureListing(stored, pages)];
  return formatTable(['sandbox', 'seconds', 'rate', 'goal', 'peak RSS, MB'], rows);
}

/** Everything that is answered is on disk: the sandbox runs as users start it. */
async function measureImport(messageCount: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  const served = await serve(join(folder, 'sandbox.db'));
  const bodies = Array.from({ length: Math.ceil(messageCount / batchSize) }, (_, index) => batch(index));
  const startedMs = performance.now();
  const next = bodies.values();
  await Promise.all(Array.from({ length: concurrency }, () => sendAll(served.transport, next)));
  const seconds = (performance.now() - startedMs) / 1000;
  const peak = await served.stop();
  rmSync(folder, { recursive: true });
  const rate = `${count(messageCount / seconds)} messages/s`;
  return [`import of ${count(messageCount)} messages`, seconds.toFixed(2), rate, '10,000 messages/s', peak];
}

async function sendAll(transport: Transport, bodies: Iterable<string>): Promise<void> {
  for (const body of bodies) await importBatch(transport, body);
}

async function importBatch(transport: Transport, body: string): Promise<void> {
  const headers = { apikey: apiKey, 'content-type': 'application/json' };
  const answer = await transport.send({ method: 'POST', path: '/v3/data_import/messages', headers, body }, never);
  if (answer.status !== 200 || answer.body.includes('"success":false')) throw new Error(answer.body.slice(0, 500));
}

async function measureListing(storedCount: number, pageCount: number): Promise<string[]> {
  const served = await serve(prepareData(storedCount));
  const startedMs = performance.now();
  let id = '';
  let pages = 0;
  for (; pages < pageCount; pages++) {
    const path = `/v3/messages?limit=${pageSize}${id && `&id=${id}`}`;
    const { body } = await served.transport.send({ method: 'GET', path, headers: { apikey: apiKey } }, never);
    const { data, meta } = JSON.parse(body) as { data: unknown[]; meta: { next: { id: string } } };
    if (data.length === 0) break;
    id = meta.next.id;
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const peak = await served.stop();
  const name = `${count(pages)} pages of 1,000, ${count(storedCount)} stored`;
  return [name, seconds.toFixed(2), `${count(pages / seconds)} pages/s`, '50 pages/s', peak];
}

/** The data file of that many messages: made on first use, some minutes for a million, in `.bench/`. */
function prepareData(storedCount: number): string {
  const folder = fileURLToPath(new URL('../.bench/', import.meta.url));
  const path = join(folder, `sandbox-${storedCount}.db`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  console.error(`Making a sandbox with ${count(storedCount)} messages in .bench/, once`);
  const part = `${path}.part`;
  rmSync(part, { force: true });
  const store = openSandboxStore(part, { synchronous: 'NORMAL' });
  const sandbox = createSandbox({ store, apiKey, profile: 'spec', clock: systemClock });
  for (let index = 0; index < storedCount / batchSize; index++) {
    sandbox.handle({
      method: 'POST',
      path: '/v3/data_import/messages',
      headers: { apikey: apiKey },
      body: batch(index),
    });
  }
  store.db.pragma('wal_checkpoint(TRUNCATE)');
  sandbox.close();
  renameSync(part, path);
  return path;
}

/** 50 messages of some 150 characters, between 2,000 people. */
function batch(index: number): string {
  const messages = Array.from({ length: batchSize }, (_, offset) => {
    const number = index * batchSize + offset;
    // Muids are digests in real imports: they arrive in no order.
    const muid = `m1${((number * 0x9e3779b1) >>> 0).toString(36)}x${number.toString(36)}`;
    const sender = `u${number % conversationCount}`;
    const receiver = `v${number % conversationCount}`;
    const text = `Message ${number}. ${'The quick brown fox jumps over the lazy dog. '.repeat(3)}`;
    const details = {
      senderUserDetails: { uid: sender, name: `User ${sender}` },
      receiverUserDetails: { uid: receiver, name: `User ${receiver}` },
    };
    const kind = { receiverType: 'user', category: 'message', type: 'text' };
    return [
      muid,
      { muid, sender, receiver, ...kind, data: { text }, sentAt: String(1_700_000_000 + number), ...details },
    ];
  });
  return JSON.stringify({ messages: Object.fromEntries(messages) });
}

interface Served {
  readonly url: string;
  readonly transport: Transport;
  /** Stops the sandbox. @returns Its peak memory, in MB; empty if the system does not report it. */
  stop(): Promise<string>;
}

/** A sandbox with this data file, in a process of its own. */
export async function serve(data: string): Promise<Served> {
  const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
  const server = spawn(process.execPath, [cli, 'sandbox', '--port', '0', '--data', data], {
    env: { ...process.env, CHATFERRY_API_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await urlOf(server);
  const transport = createHttpTransport(new URL(url), { connections: concurrency });
  return {
    url,
    transport,
    async stop() {
      const peak = peakRssOf(server.pid);
      await transport.close();
      server.kill('SIGTERM');
      await once(server, 'exit');
      return peak;
    },
  };
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout! })) {
    const url = /http:\S+\d/.exec(line)?.[0];
    if (url) return url;
  }
  throw new Error('The sandbox ended before it listened');
}

function peakRssOf(pid: number | undefined): string {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return count(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1000);
  } catch {
    return '';
  }
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { import: { type: 'string' }, stored: { type: 'string' }, pages: { type: 'string' } },
  });
  console.log(
    await sandboxTable({
      imported: Number(values.import ?? usual.imported),
      stored: Number(values.stored ?? usual.stored),
      pages: Number(values.pages ?? usual.pages),
    }),
  );
}
