import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readApiKey } from '../../config/api-key.ts';
import type { FetchExport } from '../config/export-location.ts';
import { loadProvider } from '../../fetch/load-recipe.ts';
import { DestinationError } from '../../lib/errors.ts';
import { replaceFileSync } from '../../lib/files/atomic-file.ts';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { Secret } from '../../lib/secret.ts';
import { normaliseBaseUrl } from '../../service/profiles.ts';
import { FetchedMessages, locationMemory, type LocationMemory, type FetchedMessage } from '../state/location-memory.ts';
import { KeptFile } from './kept-file.ts';
import { type LocationContext, type Arrivals, plainTake } from './location.ts';
import { fetchInto } from './provider.ts';
import { hash } from 'node:crypto';
import { readChunks } from '../../io/input/regular-file.ts';
import { readMessagePage, parseAnswer } from '../../service/outcome.ts';

interface FetchMemory {
  /** Unix seconds of the newest message that was fetched. */
  readonly newest?: number;
}

/**
 * Fetches the messages of another app incrementally: the first run fetches all of them, every later one those since the
 * newest known message, and a stretch before it. New or changed messages become a further file of one folder, which is
 * the export: files that a plan knows are not read again, and changed rules are applied to all of them without asking
 * the service.
 */
export async function fetchNewMessages({ fetch }: FetchExport, context: LocationContext): Promise<Arrivals> {
  const { job, state } = context;
  const key = sha256Hex(JSON.stringify([fetch.from, fetch.conversation ?? '', fetch.since ?? 0])).slice(0, 8);
  const folder = join(context.folder, `fetched-${key}`);
  const memory = locationMemory<FetchMemory>(state.db, job, key);
  const files = filesIn(folder);
  // If the files were removed, everything is fetched again.
  const newest = files.length === 0 ? undefined : memory.read()?.newest;
  const out = join(context.folder, `incoming-${key}`);
  makeFolder(context.folder);
  const since = resolveSince(fetch, newest);
  const { gaps } = await fetchInto(
    {
      recipe: loadProvider('chat-service'),
      settings: { address: normaliseBaseUrl(fetch.from) },
      key: fetchKey(fetch, context.env),
      out,
      only: fetch.conversation === undefined ? undefined : [fetch.conversation],
      sinceMs: since === undefined ? undefined : since * 1000,
      isIncrement: true,
    },
    context,
  );
  if (gaps.length > 0 && !gaps.every(({ step }) => step === 'only')) {
    rmSync(out, { recursive: true });
    throw new DestinationError(`Cannot fetch from ${fetch.from} to the end: ${gaps[0]!.why}`, {
      code: 'list_incomplete',
    });
  }
  if (existsSync(join(out, messagesName))) await keepNew(out, folder, { fetch, newest, memory }, context);
  rmSync(out, { recursive: true });
  return filesIn(folder).length > 0 ? plainTake([folder]) : { takes: [], failures: [] };
}

const [messagesName, manifestName] = ['messages.ndjson', 'chatferry-fetch.json'];

/** `000000001.ndjson` and so on, in order: also for who looks every second, for thirty years. */
function filesIn(folder: string): string[] {
  makeFolder(folder);
  return readdirSync(folder)
    .filter((name) => /^\d+\.ndjson$/.test(name))
    .sort();
}

const resolveSince = ({ since, overlap }: FetchExport['fetch'], newest: number | undefined): number | undefined =>
  newest === undefined ? since : Math.max(since ?? 0, newest - Math.ceil(overlap / 1000));

/** Returns the API key; undefined if the variable has none. @throws UsageError if the file cannot be used. */
export function fetchKey(
  { apiKeyFile, apiKeyVariable }: FetchExport['fetch'],
  env: LocationContext['env'],
): Secret | undefined {
  if (apiKeyFile !== undefined) return readApiKey(apiKeyFile, {});
  const value = env[apiKeyVariable!]?.trim() ?? '';
  return value === '' ? undefined : new Secret(value);
}

interface Run {
  readonly fetch: FetchExport['fetch'];
  readonly newest: number | undefined;
  readonly memory: LocationMemory<FetchMemory>;
}

/**
 * Lines that were not fetched before become the next file. Killed between the file and the note of it, the next run fetches them
 * once more: the plan then meets them twice, which it knows how to count.
 */
async function keepNew(
  incoming: string,
  folder: string,
  run: Run,
  { state, job, clock, folder: above }: LocationContext,
): Promise<void> {
  const last = Number.parseInt(filesIn(folder).at(-1) ?? '0', 10);
  const target = new KeptFile(join(folder, `${String(last + 1).padStart(9, '0')}.ndjson`), above);
  const known = new FetchedMessages(state.db, job);
  const path = join(incoming, messagesName);
  // A message that claims to be of the future must not hide those that are sent until then.
  const found = Math.min(Math.max(run.newest ?? 0, await newestIn(path)), Math.floor(clock.now() / 1000));
  const from = resolveSince(run.fetch, found) ?? 0;
  const lines = newLines(path, { known, isFirst: run.newest === undefined, from });
  await target.receive(lines.bytes, Number.POSITIVE_INFINITY);
  // Says which app they are of. One is enough: all runs ask for the same.
  const manifest = join(folder, manifestName);
  if (!existsSync(manifest)) replaceFileSync(manifest, readFileSync(join(incoming, manifestName), 'utf8'));
  if (lines.count > 0) await target.replace();
  else await target.discard();
  state.db.transaction(() => {
    if (run.newest === undefined) known.forgetBefore(Number.MAX_SAFE_INTEGER);
    known.add(lines.mayComeAgain);
    known.forgetBefore(from);
    run.memory.write(found > 0 ? { newest: found } : {});
  })();
}

export interface NewLinesOptions {
  readonly known: FetchedMessages;
  /** Nothing was fetched before: all of them are new. */
  readonly isFirst: boolean;
  /** Unix seconds: what was sent from here on may be listed once more. */
  readonly from: number;
}

/** New content of a fetched file. Counts and messages are complete once `bytes` has been read. */
export interface NewLines {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly count: number;
  /** Some 150 bytes for each message of the overlap. */
  readonly mayComeAgain: readonly FetchedMessage[];
}

const lineFeed = 0x0a;

/** @param path A file as `fetch` writes it. Memory: a chunk, and one line. */
function newLines(path: string, { known, isFirst, from }: NewLinesOptions): NewLines {
  const mayComeAgain: FetchedMessage[] = [];
  const state = { count: 0 };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const line of readLines(path)) {
      const message = parseLine(line);
      if (message && message.sentAt >= from) mayComeAgain.push(message);
      if (message && !isFirst && known.has(message)) continue;
      state.count += 1;
      yield line;
    }
  }
  return {
    bytes: bytes(),
    get count() {
      return state.count;
    },
    mayComeAgain,
  };
}

/** Unix seconds of the newest message of a fetched file; 0 without one. */
async function newestIn(path: string): Promise<number> {
  let newest = 0;
  for await (const line of readLines(path)) newest = Math.max(newest, parseLine(line)?.sentAt ?? 0);
  return newest;
}

/** Each with its line feed. */
async function* readLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readChunks(path)) {
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      yield bytes.subarray(start, end + 1);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}

/** Nothing where it has no id: then it is always new. */
function parseLine(line: Buffer): FetchedMessage | undefined {
  const message = readMessagePage(parseAnswer(`{"data":[${line.toString('utf8')}]}`))?.messages[0];
  return message && { id: message.id, sentAt: wholeSeconds(message.sentAt), digest: digestOf(line) };
}

const digestOf = (line: Buffer): Buffer => hash('sha256', line, 'buffer').subarray(0, 16);

/** A service may name fractions of a second, and times that no calendar has. */
const wholeSeconds = (seconds: number): number =>
  Math.trunc(Math.min(Math.max(seconds, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER));
