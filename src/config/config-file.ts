import { isObject } from '../lib/maps/objects.ts';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LineCounter, parseDocument, YAMLParseError } from 'yaml';
import { UsageError } from '../lib/errors.ts';
import { assertOutsideExports } from '../lib/files/outside-exports.ts';
import { yamlFault, yamlPlaces } from '../lib/text/yaml-places.ts';
import { type RiskyKey, riskyKeys } from './trust/risky-keys.ts';
import { type Trust, trustOf } from './trusted-files.ts';
import { docsLink } from '../lib/docs-link.ts';

/** `chatferry.yaml` as it was written: every scalar is text. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  /** `named`: the user named it. The others were found in the current folder. */
  readonly trust: Trust | 'named';
  /** Values that count. In a file that was neither named nor trusted: the harmless keys at the top, with everything below them. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Keys that count only in a file that was named or trusted. */
  readonly risky: readonly RiskyKey[];
  /** Keys at the top that do not count, with their values. */
  readonly withheld: Readonly<Record<string, unknown>>;
  /** `chatferry.yaml:12:5` of a key, or of the element of a list. */
  placeOf(at: readonly PropertyKey[]): string;
}

/** Keys of `chatferry.yaml` that are no options. `sync`, `jobs` and `fleet` read the first three, `plan` and `import` the last. */
export const fileKeys: readonly string[] = ['jobs', 'sync', 'fleet', 'export'];

/**
 * @param path Default: `./chatferry.yaml`, if that exists.
 * @param exports Paths read as exports: no configuration is taken from there, except one that this user trusts.
 * @throws UsageError if it cannot be read, or holds anything else than keys and values.
 */
export function readConfigFile(path: string | undefined, exports: readonly string[] = []): ConfigFile | undefined {
  const file = path ?? './chatferry.yaml';
  if (path === undefined && !existsSync(file)) return undefined;
  const text = readText(file);
  assertOutsideExports('the configuration', file, exports, { trust: () => trustOf(file, text) });
  const { values, placeOf } = parseConfig(text, file);
  if (!isObject(values)) throw new UsageError(`Cannot read the configuration "${file}": expected keys and values`);
  const risky = riskyKeys(values, dirname(resolve(file)));
  const trust = path === undefined ? trustOf(file, text) : 'named';
  return { path: file, text, trust, risky, placeOf, ...split(values, isTrusted({ trust }) ? [] : risky) };
}

/** Whether everything in the file counts. */
export const isTrusted = ({ trust }: Pick<ConfigFile, 'trust'>): boolean => trust === 'named' || trust === 'trusted';

function split(all: Readonly<Record<string, unknown>>, risky: readonly RiskyKey[]) {
  const isRisky = ([name]: readonly [string, unknown]) => risky.some(({ at }) => at[0] === name);
  const entries = Object.entries(all);
  const values = Object.fromEntries(entries.filter((entry) => !isRisky(entry)));
  return { values, withheld: Object.fromEntries(entries.filter(isRisky)) };
}

/** Advice for a file that was only found. */
export const trustHint = `If you trust the file, name it (--config ./chatferry.yaml), or trust it as it is now: chatferry trust; ${docsLink('understand/security')}`;

/** Keys that a message names at most. */
const namedMax = 8;

/**
 * Stops a command that would use keys which do not count.
 *
 * @param names Keys that the command uses, with all that is below them: `jobs`, `sync.state`.
 * @throws UsageError
 */
export function assertCounts(file: ConfigFile | undefined, names: readonly string[]): void {
  if (file === undefined || isTrusted(file)) return;
  const used = file.risky.filter(({ at }) => names.some((name) => `${at.join('.')}.`.startsWith(`${name}.`)));
  if (used.length === 0) return;
  const named = used.slice(0, namedMax).map(({ at }) => `${at.join('.')} (line ${lineOf(file, at)})`);
  const more = used.length > namedMax ? ` and ${used.length - namedMax} more` : '';
  const why = file.trust === 'changed' ? 'has changed since you trusted it' : 'was found in this folder, not named';
  throw new UsageError(`Cannot use "${file.path}": the file ${why}, and sets ${named.join(', ')}${more}`, {
    hint: trustHint,
  });
}

/** 1-based. */
export const lineOf = ({ placeOf }: Pick<ConfigFile, 'placeOf'>, at: readonly string[]): number =>
  Number(placeOf(at).split(':').at(-2));

/** Values stay as they are written: `0123` is an id, and an id may be longer than numbers are exact. */
function parseConfig(text: string, file: string): Pick<ConfigFile, 'placeOf'> & { readonly values: unknown } {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', lineCounter, uniqueKeys: false });
  const places = yamlPlaces(document, lineCounter, file);
  const unmeant = document.errors.length === 0 ? yamlFault(document) : undefined;
  if (unmeant) throw new UsageError(`Cannot read the configuration ${places.at(unmeant.offset)}: ${unmeant.what}`);

  try {
    const fault = document.errors[0];
    if (fault) throw fault;
    return { values: document.toJS() || {}, placeOf: places.of };
  } catch (error) {
    throw faultOfYaml(error as Error, file);
  }
}

/** With the place as everything else names it, instead of at the end of the words. */
function faultOfYaml(error: Error, file: string): UsageError {
  const [start] = error instanceof YAMLParseError ? (error.linePos ?? []) : [];
  const place = start ? `${file}:${start.line}:${start.col}` : `"${file}"`;
  const what = error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');
  return new UsageError(`Cannot read the configuration ${place}: ${what}`, {
    // A common first attempt: an unquoted schedule that begins with `*`.
    ...(/alias/i.test(what) && { hint: 'Quote a value that begins with *, such as schedule: "*/5 * * * *"' }),
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`Cannot read the configuration "${path}": ${(cause as NodeJS.ErrnoException).code}`, {
      cause,
    });
  }
}
