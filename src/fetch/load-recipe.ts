import { readdirSync, readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { docsLink } from '../lib/docs-link.ts';
import { UsageError } from '../lib/errors.ts';
import { readNamedFile } from '../lib/files/named-file.ts';
import { isLoopback } from '../lib/loopback.ts';
import { sha256Hex } from '../lib/hash.ts';
import { packageFile } from '../lib/package-files.ts';
import { nearestName } from '../lib/text/nearest-name.ts';
import { schemaWords } from '../lib/text/schema-words.ts';
import { yamlFault, yamlPlaces } from '../lib/text/yaml-places.ts';
import { type Recipe, recipeSchema } from './recipe/recipe.ts';
import { fill, type Values } from './template.ts';

const folder = 'mappings/fetch';

/** How the history of a provider is asked for. `loadProvider` and `loadRecipeFile` make one. */
export interface LoadedRecipe {
  /** @internal */
  readonly recipe: Recipe;
  /** Its name, or its path. */
  readonly name: string;
  /** Hash of its text: another recipe cannot continue what this one began. */
  readonly hash: string;
}

export const providerNames = (): readonly string[] =>
  readdirSync(packageFile(folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -5))
    .sort();

/** @throws UsageError if there is no such provider. */
export function loadProvider(name: string): LoadedRecipe {
  const names = providerNames();
  if (!names.includes(name)) {
    const near = nearestName(name, names);
    throw new UsageError(`Cannot fetch: no provider is called "${name}"`, {
      hint:
        near === undefined
          ? `Providers: ${names.join(', ')}; or pass an address: https://chat.example.com`
          : `Did you mean "${near}"?`,
    });
  }
  return parseRecipe(readFileSync(packageFile(`${folder}/${name}.yaml`), 'utf8'), name);
}

/** @throws UsageError naming file, line and column of everything that is wrong. */
export function loadRecipeFile(path: string): LoadedRecipe {
  return parseRecipe(readNamedFile(path, 'the recipe'), path);
}

/** @param name For messages. */
export function parseRecipe(text: string, name: string): LoadedRecipe {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  const places = yamlPlaces(document, lines, name);
  const fault = yamlFault(document);
  if (fault) throw new UsageError(`${places.at(fault.offset)}: ${fault.what}`);
  const parsed = recipeSchema.safeParse(document.toJS(), schemaWords);
  if (parsed.success) return { recipe: parsed.data, name, hash: sha256Hex(text).slice(0, 16) };
  const words = parsed.error.issues.map(({ path, message }) => `${places.of(path)}: ${path.join('.')}: ${message}`);
  throw new UsageError(words.join('\n'), { hint: `${docsLink('guides/recipes')} describes every key` });
}

/** The settings of a recipe, checked; its defaults where nothing was said. @throws UsageError that names each one that is missing. */
export function resolveSettings({ recipe, name }: LoadedRecipe, given: Values): Values {
  const unknown = Object.keys(given).find((key) => recipe.settings[key] === undefined);
  if (unknown !== undefined) {
    throw new UsageError(`Cannot fetch from ${name}: it has no setting "${unknown}"`, {
      hint: `Settings: ${Object.keys(recipe.settings).join(', ') || 'none'}`,
    });
  }
  const settings: Record<string, string> = {};
  for (const [key, { what, pattern, default: usual }] of Object.entries(recipe.settings)) {
    const value = given[key] ?? usual;
    if (value === undefined)
      throw new UsageError(`Cannot fetch from ${name}: ${key} is missing`, { hint: `Pass --set ${key}=…: ${what}` });
    if (!new RegExp(pattern).test(value))
      throw new UsageError(`Cannot fetch from ${name}: ${key} is "${value}", expected ${pattern}`, { hint: what });
    settings[key] = value;
  }
  const { protocol, hostname } = new URL(fill(recipe.address, settings));
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new UsageError(`Cannot fetch from ${name}: ${protocol}// would send the key unprotected to "${hostname}"`, {
      hint: 'Pass an https address; http is for this machine only',
    });
  return settings;
}
