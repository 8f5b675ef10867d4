import { UsageError } from '../../lib/errors.ts';
import { systemClock } from '../../lib/flow/clock.ts';
import { silent } from '../../lib/flow/progress.ts';
import { toSecret } from '../../lib/secret.ts';
import { fetchFromProvider } from '../../fetch/fetch-provider.ts';
import { openFiles } from '../../fetch/files.ts';
import { Journal } from '../../fetch/journal.ts';
import { type LoadedRecipe, resolveSettings } from '../../fetch/load-recipe.ts';
import { writeManifest } from '../../fetch/manifest.ts';
import { openProvider } from '../../fetch/provider.ts';
import type { ProviderFetchRequest } from '../requests.ts';
import type { ProviderFetched } from '../results.ts';

export async function fetchHistory(request: ProviderFetchRequest): Promise<ProviderFetched> {
  const { recipe: loaded, out, sinceMs, untilMs, isIncrement = false, perMinute } = request;
  const never: AbortSignal = new AbortController().signal;
  const { clock = systemClock, random = Math.random, progress = silent, stopping = never, signal = never } = request;
  const { recipe, name, hash } = loaded;
  const key = toSecret(request.key);
  if (!key) {
    throw new UsageError(`Cannot fetch from ${name}: there is no key`, {
      hint: `Put it into a file with mode 0600 and pass --api-key-file, or set CHATFERRY_FROM_KEY: ${recipe.key.what}`,
    });
  }
  const settings = resolveSettings(loaded, request.settings);
  assertCanAsk(loaded, request);
  const only = request.only && new Set(request.only);
  const wanted = { sinceMs, untilMs, only };
  const began = clock.now();
  const about = {
    provider: name,
    recipe: hash,
    settings: JSON.stringify(settings),
    since: String(sinceMs ?? 'the beginning'),
    until: String(untilMs ?? 'the end'),
    only: [...(only ?? ['all'])].join(' '),
    files: request.withFiles ? 'with files' : 'without files',
  };
  const journal = new Journal(out, about, began);
  if (journal.about('began') === undefined) journal.note('began', new Date(began).toISOString());
  const stage = progress.stage(`asking ${recipe.title}`);
  const onWait = (waitMs: number, why: string) => stage.update({ done: 0, waiting: why, waitMs });
  const { transport } = request;
  const provider = openProvider({ recipe, key, settings, perMinute, clock, random, onWait, transport });
  const files = request.withFiles
    ? openFiles({ recipe, settings, key, provider, journal, out, clock, random, stopping, signal })
    : undefined;
  const keepManifest = () =>
    writeManifest(out, journal, { provider: name, recipe, settings, ...wanted, isIncrement, nowMs: clock.now() });
  // There from the first request on: a plan of a folder that was left half sees that it is half.
  keepManifest();
  try {
    const controls = { progress, stopping, signal, pageSize: request.pageSize };
    await fetchFromProvider({ recipe, settings, provider, journal, files, ...wanted, ...controls });
    return { manifest: keepManifest(), requests: provider.counts };
  } catch (error) {
    keepManifest();
    throw error;
  } finally {
    stage.finish();
    journal.close();
    await provider.close();
    await files?.close();
  }
}

/** @throws UsageError if the recipe cannot ask the provider up to a time, or for so many rows of a page. */
function assertCanAsk({ recipe, name }: LoadedRecipe, { untilMs, pageSize }: ProviderFetchRequest): void {
  const hasEnd = recipe.steps.some(({ since }) => since && 'as' in since && since.until !== undefined);
  if (untilMs !== undefined && !hasEnd) {
    throw new UsageError(`Cannot fetch from ${name} up to a time: its recipe cannot ask for that`);
  }
  if (pageSize !== undefined && !recipe.steps.some(({ limit }) => limit)) {
    throw new UsageError(`Cannot fetch pages of ${pageSize} rows from ${name}: its recipe cannot ask for that`);
  }
}
