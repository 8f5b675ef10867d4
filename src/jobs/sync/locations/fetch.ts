import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readApiKey } from '../../../config/api-key.ts';
import type { FetchExport } from '../config/export-location.ts';
import { makeFolder } from '../../../lib/files/make-folder.ts';
import { sha256Hex } from '../../../lib/hash.ts';
import { Secret } from '../../../lib/secret.ts';
import { type Fetched, fetchMessages } from '../../../commands/fetch.ts';
import { FetchedMessages, locationMemory, type LocationMemory } from '../state/location-memory.ts';
import { KeptFile } from './kept-file.ts';
import { type LocationContext, type Arrivals, plainTake } from './location.ts';
import { newLines } from './new-lines.ts';

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
  const { job, state, clock, random, progress, signal } = context;
  const key = sha256Hex(JSON.stringify([fetch.from, fetch.conversation ?? '', fetch.since ?? 0])).slice(0, 8);
  const folder = join(context.folder, `fetched-${key}`);
  const memory = locationMemory<FetchMemory>(state.db, job, key);
  const files = filesIn(folder);
  // If the files were removed, everything is fetched again.
  const newest = files.length === 0 ? undefined : memory.read()?.newest;
  const out = join(context.folder, `incoming-${key}.ndjson`);
  makeFolder(context.folder);
  const fetched = await fetchMessages({
    from: fetch.from,
    apiKey: fetchKey(fetch, context.env),
    conversation: fetch.conversation,
    since: sinceOf(fetch, newest),
    pageSize: 1000,
    // An interrupted fetch is continued; the remains of another one do not matter.
    out,
    mayReplace: true,
    clock,
    random,
    progress,
    signal,
  });
  const last = files.at(-1) ?? '0';
  const target = new KeptFile(
    join(folder, `${String(Number.parseInt(last, 10) + 1).padStart(9, '0')}.ndjson`),
    context.folder,
  );
  await keepNew(out, target, { fetch, fetched, newest, memory }, context);
  rmSync(out);
  return filesIn(folder).length > 0 ? plainTake([folder]) : { takes: [], failures: [] };
}

/** `000000001.ndjson` and so on, in order: also for who looks every second, for thirty years. */
function filesIn(folder: string): string[] {
  makeFolder(folder);
  return readdirSync(folder)
    .filter((name) => /^\d+\.ndjson$/.test(name))
    .sort();
}

function sinceOf({ since, overlap }: FetchExport['fetch'], newest: number | undefined): number | undefined {
  return newest === undefined ? since : Math.max(since ?? 0, newest - Math.ceil(overlap / 1000));
}

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
  readonly fetched: Fetched;
  readonly newest: number | undefined;
  readonly memory: LocationMemory<FetchMemory>;
}

/**
 * Lines that were not fetched before become the next file. Killed between the file and the note of it, the next run fetches them
 * once more: the plan then meets them twice, which it knows how to count.
 */
async function keepNew(out: string, target: KeptFile, run: Run, { state, job, clock }: LocationContext): Promise<void> {
  const known = new FetchedMessages(state.db, job);
  // A message that claims to be of the future must not hide those that are sent until then.
  const found = Math.floor(Math.min(Math.max((run.newest ?? 0) * 1000, run.fetched.lastAtMs ?? 0), clock.now()) / 1000);
  const from = sinceOf(run.fetch, found) ?? 0;
  const lines = newLines(out, { known, isFirst: run.newest === undefined, from });
  await target.receive(lines.bytes, Number.POSITIVE_INFINITY);
  if (lines.count > 0) await target.replace();
  else await target.discard();
  state.db.transaction(() => {
    if (run.newest === undefined) known.forgetBefore(Number.MAX_SAFE_INTEGER);
    known.add(lines.mayComeAgain);
    known.forgetBefore(from);
    run.memory.write(found > 0 ? { newest: found } : {});
  })();
}
