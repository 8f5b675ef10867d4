import { readFile } from 'node:fs/promises';
import { UsageError } from '../../lib/errors.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { loadLookup, type Lookup } from './load-lookup.ts';
import { loadModule } from '../module/load-module.ts';
import { type Example, type MappingFile, mappingFileSchema } from './mapping-file.ts';
import { readMappingYaml } from './mapping-yaml.ts';
import type { MappingModule } from '../module/module.ts';
import { type Fault, ruleFaults } from './rule-faults.ts';
import { defaultRules, type Rules } from './rules.ts';

/** A mapping as it is used, and a hash that changes exactly when what it does may change. */
export interface Mapping {
  readonly rules: Rules;
  readonly lookup?: Lookup | undefined;
  readonly module?: MappingModule | undefined;
  readonly hash: string;
}

/** @throws UsageError naming file, line and column. Without a path: the defaults. */
export async function loadMapping(path: string | undefined): Promise<Mapping> {
  return path === undefined ? defaultMapping : (await loadMappingFile(path)).mapping;
}

/** A mapping with the examples of its file. @throws UsageError */
export async function loadMappingFile(
  path: string,
): Promise<{ readonly mapping: Mapping; readonly examples: readonly PlacedExample[] }> {
  const { rules, examples } = parseMapping(await readText(path), path);
  const lookup = rules.people.lookup === 'none' ? undefined : await loadLookup(rules.people.lookup, path);
  const module = rules.module === undefined ? undefined : await loadModule(rules.module, path);
  const hashes = [lookup?.hash, module?.hash].filter((hash) => hash !== undefined);
  return { mapping: { rules, lookup, module: module?.steps, hash: hashOf(rules, hashes) }, examples };
}

/** Of the rules and what stands in files beside them. */
const hashOf = (rules: Rules, others: readonly string[]) =>
  sha256Hex([JSON.stringify(rules, sorted), ...others].join('\n')).slice(0, 16);

/** For JSON.stringify: keys in one order, whatever their order in the file. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const defaultMapping: Mapping = { rules: defaultRules, hash: hashOf(defaultRules, []) };

async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read the mapping "${path}": ${cause.code ?? cause.message}`, {
      hint: 'Pass --mapping with the path of a mapping file, or leave it out for the defaults',
      cause,
    });
  });
}

/** An example of a mapping file, and where it stands: `my.yaml:12:5`. */
export interface PlacedExample extends Example {
  readonly place: string;
}

/** What a mapping file says. */
export interface ParsedMapping {
  readonly rules: Rules;
  readonly examples: readonly PlacedExample[];
}

/** The rules alone. @throws UsageError */
export const parseRules = (text: string, path: string): Rules => parseMapping(text, path).rules;

/**
 * A section with nothing in it has its defaults.
 *
 * @param path For messages.
 * @throws UsageError naming file, line and column.
 */
function parseMapping(text: string, path: string): ParsedMapping {
  const { value, placeOf } = readMappingYaml(text, path);
  const parsed = mappingFileSchema.safeParse(withoutEmptySections(value));
  const faults = parsed.success ? ruleFaults(parsed.data) : parsed.error.issues.flatMap(faultsOf);
  if (parsed.success && faults.length === 0) return placed(parsed.data, placeOf);
  const words = faults.map(({ at, what }) => `${placeOf(at)}: ${at.join('.') || 'the mapping'}: ${what}`);
  throw new UsageError(`Cannot use the mapping: ${words.join('; ')}`, { hint: 'docs/mapping.md explains every key' });
}

const placed = ({ examples, ...rules }: MappingFile, placeOf: (at: readonly string[]) => string): ParsedMapping => ({
  rules,
  examples: examples.map((example, index) => ({ ...example, place: placeOf(['examples', String(index)]) })),
});

/** `people:` with every key below it commented out is null, and so is `uids:` inside it. `source` is the adapter's business. */
function withoutEmptySections(value: unknown): unknown {
  if (!isTable(value)) return value;
  const sections = Object.entries(value).filter(
    ([key, section]) => !(section === null && Object.hasOwn(mappingFileSchema.shape, key)),
  );
  return Object.fromEntries(
    sections.map(([key, section]) => [key, key === 'source' || !isTable(section) ? section : withoutNulls(section)]),
  );
}

const isTable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withoutNulls = (section: object): object =>
  Object.fromEntries(Object.entries(section).filter(([, value]) => value !== null));

type Issue = NonNullable<ReturnType<typeof mappingFileSchema.safeParse>['error']>['issues'][number];

function faultsOf(issue: Issue): Fault[] {
  if (issue.code !== 'unrecognized_keys') return [{ at: issue.path, what: issue.message }];
  return issue.keys.map((key) => ({ at: [...issue.path, key], what: 'there is no such key' }));
}
