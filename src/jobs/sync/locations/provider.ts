import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readApiKey } from '../../../config/api-key.ts';
import { fetchHistory } from '../../../commands/fetch-from-provider.ts';
import { loadProvider, loadRecipeFile } from '../../../fetch/load-recipe.ts';
import type { Manifest } from '../../../fetch/manifest.ts';
import { flushFolderSync } from '../../../lib/files/flush-folder.ts';
import { makeFolder } from '../../../lib/files/make-folder.ts';
import { sha256Hex } from '../../../lib/hash.ts';
import { type Secret, secretOf } from '../../../lib/secret.ts';
import type { ProviderExport } from '../config/export-location.ts';
import { locationMemory, type LocationMemory } from '../state/location-memory.ts';
import type { Arrivals, LocationContext } from './location.ts';

interface ProviderMemory {
  /** When the last fetch that came to its end began, Unix ms: what changed before is known. */
  readonly last?: number;
  /** A fetch that has begun: the next run continues it. */
  readonly begun?: { readonly at: number; readonly sinceMs?: number };
  /** Whether the provider refused something in that fetch: it is asked for once more. */
  readonly hadGaps?: boolean;
  /** Fetches that a plan has read. */
  readonly taken?: readonly string[];
}

/**
 * Fetches what changed at a provider since the last run, and a stretch before it, into a folder of its own: an export of what changed.
 * The first run fetches everything. A run that is cut off is continued by the next one.
 */
export async function fetchFromProvider(
  location: ProviderExport['provider'],
  context: LocationContext,
): Promise<Arrivals> {
  const { job, state, clock, env, isFresh } = context;
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
  const run = begun ?? { at: clock.now(), ...sinceOf(location, known) };
  memory.write({ ...before, begun: run });
  const { manifest } = await fetchHistory({
    recipe: location.recipe === undefined ? loadProvider(location.name) : loadRecipeFile(location.recipe),
    settings: location.settings,
    key: providerKey(location, env),
    out: incoming,
    sinceMs: run.sinceMs,
    isIncrement: true,
    stopping: context.signal,
    ...{ clock, random: context.random, progress: context.progress, signal: context.signal },
  });
  context.signal.throwIfAborted();
  if (hasRows(manifest)) keepRun(folder, incoming);
  else rmSync(incoming, { recursive: true });
  const taken = isFresh ? [] : (before.taken ?? []);
  // A list that was refused once may be given now; one that is refused again is named in each plan, and not waited for.
  const isAskedAgain = manifest.gaps.length > 0 && before.hadGaps !== true;
  const last = isAskedAgain ? before.last : run.at;
  memory.write({ ...(last !== undefined && { last }), hadGaps: manifest.gaps.length > 0, taken });
  return takesOf(folder, taken, memory);
}

function sinceOf(
  { since, overlap }: ProviderExport['provider'],
  last: number | undefined,
): { readonly sinceMs?: number } {
  const first = since === undefined ? undefined : since * 1000;
  if (last === undefined) return first === undefined ? {} : { sinceMs: first };
  return { sinceMs: Math.max(first ?? 0, last - overlap) };
}

const hasRows = ({ steps, gaps }: Manifest): boolean =>
  gaps.length > 0 || Object.values(steps).some(({ rows }) => rows > 0);

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
function takesOf(folder: string, taken: readonly string[], memory: LocationMemory<ProviderMemory>): Arrivals {
  const isTaken = new Set(taken);
  const takes = runsIn(folder)
    .filter((name) => !isTaken.has(name))
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
export function providerKey(
  { apiKeyFile, apiKeyVariable }: ProviderExport['provider'],
  env: LocationContext['env'],
): Secret | undefined {
  return apiKeyFile === undefined ? secretOf(env[apiKeyVariable!] ?? '') : readApiKey(apiKeyFile, {});
}
