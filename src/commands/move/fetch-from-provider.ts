import { UsageError } from '../../lib/errors.ts';
import { systemClock } from '../../lib/flow/clock.ts';
import { silent } from '../../lib/flow/progress.ts';
import { type Secret, secretOf } from '../../lib/secret.ts';
import type { RequestCounts } from '../../delivery/destination.ts';
import { fetchFromProvider } from '../../fetch/fetch-provider.ts';
import { openFiles } from '../../fetch/files.ts';
import { Journal } from '../../fetch/journal.ts';
import { type LoadedRecipe, settingsOf } from '../../fetch/load-recipe.ts';
import { type Manifest, writeManifest } from '../../fetch/manifest.ts';
import { openProvider } from '../../fetch/provider.ts';
import type { Values } from '../../fetch/template.ts';
import type { Transport } from '../../service/transport.ts';
import type { RunControls } from '../session.ts';

export interface ProviderFetchRequest extends Partial<RunControls> {
  /** `loadProvider('twilio')`, or `loadRecipeFile('mine.yaml')`. */
  readonly recipe: LoadedRecipe;
  readonly settings: Values;
  /** A key of the provider. A text is wrapped at once and shown in no log, error or file. */
  readonly key: string | Secret | undefined;
  /** Folder of the export. */
  readonly out: string;
  /** Only what changed since, Unix ms, as far as the provider says. */
  readonly sinceMs?: number | undefined;
  /** Only what was sent up to then, Unix ms, with recipes that can ask for it. */
  readonly untilMs?: number | undefined;
  /** Only these conversations, by the ids that the provider gives them. */
  readonly only?: readonly string[] | undefined;
  /** Whether files of messages are fetched too, each as soon as its page is kept: their addresses may expire. Default: no. */
  readonly withFiles?: boolean;
  /** It is one of a series that together are everything: that only a part was asked for is no gap. */
  readonly isIncrement?: boolean;
  /** Instead of the network: answers that were written down. */
  readonly transport?: Transport | undefined;
  /** Rows of a page at most, with recipes that can ask for so many. It may change when a fetch continues. */
  readonly pageSize?: number | undefined;
  /** Requests per minute instead of what the recipe says. */
  readonly perMinute?: number | undefined;
}

export interface ProviderFetched {
  readonly manifest: Manifest;
  /** Requests of this run alone. */
  readonly requests: RequestCounts;
}

/**
 * Writes the history that a provider gives over its API into a folder, which is an export. Killed at any moment, the same call continues.
 *
 * @throws UsageError, DestinationError if the provider stops us: the same call continues.
 */
export async function fetchHistory(request: ProviderFetchRequest): Promise<ProviderFetched> {
  const { recipe: loaded, out, sinceMs, untilMs, isIncrement = false, perMinute } = request;
  const never: AbortSignal = new AbortController().signal;
  const { clock = systemClock, random = Math.random, progress = silent, stopping = never, signal = never } = request;
  const { recipe, name, hash } = loaded;
  const key = secretOf(request.key);
  if (!key) {
    throw new UsageError(`Cannot fetch from ${name}: there is no key`, {
      hint: `Put it into a file with mode 0600 and pass --api-key-file, or set CHATFERRY_FROM_KEY: ${recipe.key.what}`,
    });
  }
  const settings = settingsOf(loaded, request.settings);
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
