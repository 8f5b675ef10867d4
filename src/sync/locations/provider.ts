import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readApiKey } from '../../config/api-key.ts';
import { fetchHistory } from '../../commands/move.ts';
import { loadProvider, loadRecipeFile } from '../../fetch/load-recipe.ts';
import { ChangedFetch, OtherFetch } from '../../fetch/journal.ts';
import { type Manifest, readManifest } from '../../fetch/manifest.ts';
import { DestinationError } from '../../lib/errors.ts';
import { flushFolderSync } from '../../lib/files/flush-folder.ts';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { type Secret, toSecret } from '../../lib/secret.ts';
import type { ProviderExport } from '../config/export-location.ts';
import { locationMemory, type LocationMemory } from '../state/location-memory.ts';
import type { Arrivals, LocationContext } from './location.ts';
import type { ProviderFetchRequest } from '../../commands/requests.ts';
import type { RunControls } from '../../lib/flow/run-controls.ts';

interface ProviderMemory {
  /** When the last fetch that came to its end began, Unix ms: what changed before is known. */
  readonly last?: number;
  /** A fetch that has begun: the next run continues it. */
  readonly begun?: Begun;
  /** Fetches that a plan has read. */
  readonly taken?: readonly string[];
}

interface Begun {
  readonly at: number;
  readonly sinceMs?: number;
}

/** Fetches back, in which lists that were refused are asked for again. One that is refused for good is named in their plans. */
const lookedAtMax = 3;

/**
 * Fetches what changed at a provider since the last run, and a stretch before it, into a folder of its own: an export of what changed.
 * The first run fetches everything. A run that is cut off is continued by the next one, and so are lists that were refused.
 */
export async function fetchFromProvider(
  location: ProviderExport['provider'],
  context: LocationContext,
): Promise<Arrivals> {
  const { job, state, clock, isFresh } = context;
  const key = sha256Hex(JSON.stringify([location.name, location.settings, location.since ?? 0])).slice(0, 8);
  const folder = join(context.folder, `provider-${key}`);
  makeFolder(folder);
  const memory = locationMemory<ProviderMemory>(state.db, job, key);
  const incoming = join(folder, 'incoming');
  const before = memory.read() ?? {};
  const begun = existsSync(incoming) ? before.begun : undefined;
  if (!begun) rmSync(incoming, { recursive: true, force: true });
  // Without the folders of earlier runs, everything is fetched again.
  const known = runsIn(folder).length === 0 ? undefined : before.last;
  const run = begun ?? { at: clock.now(), ...resolveSince(location, known) };
  memory.write({ ...before, begun: run });
  const taken = new Set(isFresh ? [] : before.taken);
  for (const name of runsIn(folder).slice(-lookedAtMax)) {
    const wasTaken = taken.has(name);
    const isAsked = !isWhole(readManifest(join(folder, name)));
    if (!isAsked) continue;
    // Written down before it grows: what a run that is cut off has added is planned by the next one.
    taken.delete(name);
    memory.write({ ...before, begun: run, taken: [...taken] });
    if (!(await hasGivenMore(join(folder, name), location, context)) && wasTaken) taken.add(name);
  }
  const manifest = await fetchInto(buildRequest(location, incoming, run.sinceMs, context), context);
  if (manifest.gaps.length > 0 || countRows(manifest) > 0) keepRun(folder, incoming);
  else rmSync(incoming, { recursive: true });
  memory.write({ last: run.at, taken: [...taken] });
  return listTakes(folder, taken, memory);
}

type Request = Omit<ProviderFetchRequest, keyof RunControls>;

const buildRequest = (
  location: ProviderExport['provider'],
  out: string,
  sinceMs: number | undefined,
  { env }: LocationContext,
): Request => ({
  recipe: location.recipe === undefined ? loadProvider(location.name) : loadRecipeFile(location.recipe),
  settings: location.settings,
  key: providerKey(location, env),
  out,
  sinceMs,
  isIncrement: true,
});

/** A folder that another recipe began, or that was changed, is begun again. */
export async function fetchInto(request: Request, context: LocationContext): Promise<Manifest> {
  try {
    return await fetchOnce(request, context);
  } catch (error) {
    if (!(error instanceof OtherFetch || error instanceof ChangedFetch)) throw error;
    rmSync(request.out, { recursive: true });
    return await fetchOnce(request, context);
  }
}

async function fetchOnce(request: Request, { clock, random, progress, signal }: LocationContext): Promise<Manifest> {
  const { manifest } = await fetchHistory({ ...request, stopping: signal, clock, random, progress, signal });
  signal.throwIfAborted();
  return manifest;
}

/** Asks again for lists that were refused in an earlier run. @returns Whether one came. */
async function hasGivenMore(
  out: string,
  location: ProviderExport['provider'],
  context: LocationContext,
): Promise<boolean> {
  const before = readManifest(out);
  if (before === undefined) return false;
  try {
    const sinceMs = before.since === null ? undefined : Date.parse(before.since);
    return countRows(await fetchOnce(buildRequest(location, out, sinceMs, context), context)) > countRows(before);
  } catch (error) {
    context.signal.throwIfAborted();
    // A provider that does not answer is asked for what is new in any case, and answers there.
    if (error instanceof DestinationError) return true;
    if (error instanceof OtherFetch || error instanceof ChangedFetch) return false;
    throw error;
  }
}

/** Nothing is left to ask for: it came to its end, and nothing was refused. */
const isWhole = (manifest: Manifest | undefined): boolean =>
  manifest !== undefined && manifest.ended !== null && manifest.gaps.length === 0;

const countRows = ({ steps }: Manifest): number => Object.values(steps).reduce((sum, { rows }) => sum + rows, 0);

function resolveSince(
  { since, overlap }: ProviderExport['provider'],
  last: number | undefined,
): { readonly sinceMs?: number } {
  const first = since === undefined ? undefined : since * 1000;
  if (last === undefined) return first === undefined ? {} : { sinceMs: first };
  return { sinceMs: Math.max(first ?? 0, last - overlap) };
}

/** `000000001` and so on, in order. */
const runsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .sort();

function keepRun(folder: string, incoming: string): void {
  const last = Number.parseInt(runsIn(folder).at(-1) ?? '0', 10);
  renameSync(incoming, join(folder, String(last + 1).padStart(9, '0')));
  flushFolderSync(folder);
}

/** Each run is an export of its own: a later one has newer copies of the same rows. */
function listTakes(folder: string, taken: ReadonlySet<string>, memory: LocationMemory<ProviderMemory>): Arrivals {
  const takes = runsIn(folder)
    .filter((name) => !taken.has(name))
    .map((name) => ({
      exports: [join(folder, name)],
      taken() {
        const known = memory.read() ?? {};
        memory.write({ ...known, taken: [...new Set([...(known.taken ?? []), name])] });
      },
    }));
  return { takes, failures: [] };
}

/** Returns the provider's key; undefined if the variable has none. @throws UsageError if the file cannot be used. */
export const providerKey = (
  { apiKeyFile, apiKeyVariable }: ProviderExport['provider'],
  env: LocationContext['env'],
): Secret | undefined => (apiKeyFile === undefined ? toSecret(env[apiKeyVariable!] ?? '') : readApiKey(apiKeyFile, {}));
