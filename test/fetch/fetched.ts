import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchHistory } from '../../src/commands/move.ts';
import { loadRecipeFile } from '../../src/fetch/load-recipe.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { packageFile } from '../../src/lib/package-files.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { type Dialect, type MockOptions, startMock } from './mock/mock-provider.ts';
import type { World } from './mock/world.ts';
import type { ProviderFetchRequest } from '../../src/commands/requests.ts';

interface RecipeChanges {
  /** Left out of its address. */
  readonly base?: string | undefined;
  /** Steps that are left out. */
  readonly without?: readonly string[] | undefined;
  /** Other paths for some. */
  readonly instead?: Readonly<Record<string, string>> | undefined;
}

/** The recipe of a provider, as a file that asks `url` instead. @returns Its path. */
export function localRecipe(
  provider: string,
  url: string,
  folder: string,
  { base = '', without = [], instead = {} }: RecipeChanges = {},
): string {
  let text = readFileSync(packageFile(`mappings/fetch/${provider}.yaml`), 'utf8');
  const path = join(folder, `${provider}.yaml`);
  const address = /^address: '?(?:https:\/\/[^/\s']+|\{[a-z]+\})([^\s']*)'?$/m;
  for (const step of without) text = text.replace(stepOf(step), '');
  for (const [from, to] of Object.entries(instead)) text = text.replaceAll(`get: ${from}\n`, `get: ${to}\n`);
  text = text.replace(address, (_, rest: string) => `address: '${url}${rest.replace(base, '')}'`);
  writeFileSync(path, text.replace(/^hosts: .*$/m, 'hosts: []'));
  return path;
}

/** A step as a recipe writes it: up to the next one. */
const stepOf = (name: string) => new RegExp(`^  - name: ${name}\\n(?:    .*\\n)*`, 'm');

/** Starts a provider, and fetches all that it has into `out` of a folder. */
export async function fetchMock(
  folder: string,
  dialect: Dialect,
  world: World,
  { since, only, ...options }: MockOptions & { readonly since?: number; readonly only?: readonly string[] } = {},
) {
  const mock = await startMock(dialect, world, options);
  const out = join(folder, 'out');
  const request = (): ProviderFetchRequest => ({
    recipe: loadRecipeFile(localRecipe(dialect.provider, mock.url, folder)),
    settings: dialect.settings,
    key: 'key-of-the-provider-1234567890',
    out,
    ...{ sinceMs: since, only },
    ...{ clock: fastClock(), random: () => 0.5, progress: silent },
    ...{ stopping: new AbortController().signal, signal: new AbortController().signal },
  });
  return { folder, mock, out, fetched: await fetchHistory(request()), again: () => fetchHistory(request()) };
}

/** Every row in the files of an export folder: of lines, and of the lists of whole answers. */
export function rowsIn(folder: string): readonly unknown[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(?:nd)?json$/.test(file.name) && file.name !== 'chatferry-fetch.json')
    .map((file) => join(file.parentPath, file.name));
  return files.toSorted().flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    if (path.endsWith('.ndjson'))
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown);
    return listsIn(JSON.parse(text));
  });
}

function listsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listsIn);
}
