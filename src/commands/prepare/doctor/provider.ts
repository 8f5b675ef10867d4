import { formatDuration } from '../../../lib/text/quantity.ts';
import { countOf, formatCount } from '../../../lib/text/count.ts';
import { serverNow } from '../../../lib/flow/retry-after.ts';
import { type Secret, toSecret } from '../../../lib/secret.ts';
import { exitCodes } from '../../../model/exit-codes.ts';
import { examineProvider, type ProviderSample } from '../../../fetch/examine-provider.ts';
import { type LoadedRecipe, resolveSettings } from '../../../fetch/load-recipe.ts';
import { isAboutKey, openProvider } from '../../../fetch/provider.ts';
import { RefusedAddress } from '../../../fetch/requests.ts';
import type { Values } from '../../../fetch/template.ts';
import { error, ok, warning } from '../finding.ts';
import { errorFinding } from './connection.ts';
import type { ProviderExamination } from '../../requests.ts';
import type { DoctorFinding } from '../../results.ts';

/** A clock that is further off finds other rows when it asks for what changed since. */
const offMaxMs = 120_000;

export async function* examineProviderAccess(request: ProviderExamination): AsyncGenerator<DoctorFinding> {
  const { recipe: loaded, readKey, perMinute, clock, random, onWait, signal } = request;
  const { recipe } = loaded;
  if (recipe.unverified !== undefined)
    yield warning(
      'recipe',
      `${recipe.title}, unverified: ${recipe.unverified}`,
      'Compare what comes with what the provider shows',
    );
  else yield ok('recipe', `${recipe.title}, version ${recipe.version}`);
  let key: Secret | undefined;
  let settings: Values;
  try {
    settings = resolveSettings(loaded, request.settings);
    key = toSecret(readKey());
  } catch (fault) {
    yield errorFinding('key', fault);
    return;
  }
  if (!key) {
    yield error(
      'key',
      `there is none: ${recipe.key.what}`,
      'Pass --api-key-file, or set CHATFERRY_FROM_KEY',
      exitCodes.usage,
    );
    return;
  }
  const provider = openProvider({ recipe, key, settings, perMinute, clock, random, onWait });
  const startedMs = clock.monotonic();
  try {
    const sample = await examineProvider(recipe, settings, provider, signal);
    const perRequestMs = (clock.monotonic() - startedMs) / Math.max(provider.counts.list, 1);
    yield* findingsOf(sample, loaded, { perMinute, perRequestMs, nowMs: clock.now() });
  } catch (fault) {
    if (fault instanceof RefusedAddress)
      yield error('address', fault.message, 'Look at `hosts` of the recipe', exitCodes.stopped);
    else yield errorFinding('provider', fault);
  } finally {
    await provider.close();
  }
}

function* findingsOf(
  { first, steps, refused }: ProviderSample,
  { recipe }: LoadedRecipe,
  pace: { readonly perMinute: number | undefined; readonly perRequestMs: number; readonly nowMs: number },
): Generator<DoctorFinding> {
  if (first.kind === 'failed') {
    const [todo, exit] = isAboutKey(first)
      ? [`Look at the key: ${recipe.key.what}`, exitCodes.needsPerson]
      : ['Look at the settings and the network', exitCodes.stopped];
    yield error('key', `${recipe.title} answers ${first.code}: ${first.detail}`, todo, exit);
    return;
  }
  const { headers } = first.value;
  yield ok('key', `${recipe.title} answers it`);
  if (recipe.scopes !== undefined) {
    const scopes = headers[recipe.scopes.toLowerCase()];
    yield ok('scopes', scopes ?? 'the provider does not list them');
  }
  for (const [step, why] of refused)
    yield error('access', `${step}: ${why}`, 'Give the key the right to read it', exitCodes.needsPerson);
  const offMs = pace.nowMs - serverNow(headers.date, pace.nowMs);
  const off = `${formatDuration(Math.abs(offMs))} ${offMs < 0 ? 'behind' : 'ahead of'} the provider's`;
  if (Math.abs(offMs) > offMaxMs)
    yield warning('clock', `this machine's clock is ${off}`, 'Set the clock: --since compares times');
  else yield ok('clock', headers.date === undefined ? 'the provider does not say its time' : `${off}`);
  const limit = pace.perMinute ?? recipe.rate.perMinute;
  yield ok(
    'rate',
    `${limit === undefined ? 'as the provider allows' : `${formatCount(limit)} requests a minute`}, ${recipe.rate.atOnce} at once`,
  );
  const requests = steps.reduce((sum, step) => sum + step.requests, 0);
  const minutes = Math.max(
    limit === undefined ? 0 : requests / limit,
    (requests * pace.perRequestMs) / recipe.rate.atOnce / 60_000,
  );
  const counts = steps.map(({ step, rows }) => `${formatCount(rows)} ${step}`).join(', ');
  const least = steps.some(({ isLeast }) => isLeast) ? 'at least ' : 'about ';
  yield ok(
    'estimate',
    `${least}${counts}: ${countOf(requests, 'request')}, ${least}${formatDuration(minutes * 60_000)}`,
  );
}
