import { isObject } from '../lib/maps/objects.ts';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { yaml } from '../lib/late.ts';
import { UsageError } from '../lib/errors.ts';
import { isServerAddress, plainAddress } from '../io/input/server-input.ts';
import { standardInputName } from '../io/input/standard-input.ts';
import { readNamedFile } from '../lib/files/named-file.ts';
import { assertOutsideExports, exportAround } from '../lib/files/outside-exports.ts';
import { yamlFault, yamlPlaces, yamlWords } from '../lib/text/yaml-places.ts';
import { type Trust, readTrust } from './trusted-files.ts';
import { docsLink } from '../lib/docs-link.ts';

/** `chatferry.yaml` as it was written: every scalar is text. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  /** `named`: the user named it. The others were found in the current folder. */
  readonly trust: Trust | 'named';
  /** None of a file that was neither named nor trusted: its author may be a stranger. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether it was found, and names another export than those that are read. */
  readonly isOfOthers: boolean;
  /** Keys that are not among the values, because they describe that export. */
  readonly unused: readonly string[];
  /** `chatferry.yaml:12:5` of a key, or of the element of a list. */
  locate(at: readonly PropertyKey[]): string;
}

/** Keys of `chatferry.yaml` that are no options. `sync`, `jobs` and `fleet` read the first three, `plan` and `import` the last. */
export const fileKeys: readonly string[] = ['jobs', 'sync', 'fleet', 'export'];

/** Keys that describe an export. If the file was found, they hold for the exports that it names alone. */
const describing: readonly string[] = ['source', 'workspace', 'mapping', 'allowMappingChange', 'exportScope'];

/**
 * @param path Default: `./chatferry.yaml`, if that exists.
 * @param exports Paths read as exports: no configuration is taken from there, except one that this user trusts.
 * @throws UsageError if it cannot be read, or holds anything else than keys and values.
 */
export function readConfigFile(path: string | undefined, exports: readonly string[] = []): ConfigFile | undefined {
  const file = path ?? './chatferry.yaml';
  if (path === undefined && !existsSync(file)) return undefined;
  const text = readNamedFile(file, 'the configuration');
  assertOutsideExports('the configuration', file, exports, { trust: () => readTrust(file, text) });
  const trust = path === undefined ? readTrust(file, text) : 'named';
  if (!isTrusted({ trust }))
    return { path: file, text, trust, values: {}, isOfOthers: false, unused: [], locate: () => file };
  const { values: all, locate } = parseConfig(text, file);
  if (!isObject(all)) throw new UsageError(`Cannot read the configuration "${file}": expected keys and values`);
  const named = exportsIn(file, all.export);
  const isOfOthers = trust !== 'named' && named.length > 0 && !exports.every((path) => isNamed(path, named));
  const unused = Object.keys(all).filter((key) => isOfOthers && describing.includes(key));
  const values = Object.fromEntries(Object.entries(all).filter(([key]) => !unused.includes(key)));
  return { path: file, text, trust, values, isOfOthers, unused, locate };
}

/** Paths and addresses under `export`, from the folder of the file; other values are not among them. */
export const exportsIn = (file: string, value: unknown): string[] =>
  [value]
    .flat()
    .filter((path): path is string => typeof path === 'string' && path !== '')
    .map((path) => (isServerAddress(path) ? path : resolve(dirname(file), path)));

/** Whether an export is one of those that a file names, or a part of one. */
function isNamed(path: string, named: readonly string[]): boolean {
  if (isServerAddress(path)) return named.some((one) => plainAddress(one) === plainAddress(path));
  return path !== standardInputName && exportAround(path, named) !== undefined;
}

const isTrusted = ({ trust }: Pick<ConfigFile, 'trust'>): boolean => trust === 'named' || trust === 'trusted';

/** Whether the configuration of this folder counts, or there is none. Asked before `init` writes. */
export function countsHere(): boolean {
  const file = readConfigFile(undefined);
  return file === undefined || isTrusted(file);
}

/** The one line that every command says of a file that does not count, or of which a part does not; undefined if all does. */
export function ignoredWords(file: ConfigFile | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (file.unused.length > 0)
    return `"${file.path}" is for another export: its ${file.unused.join(', ')} ${file.unused.length === 1 ? 'is' : 'are'} not used; to use all of it: --config ${file.path}`;
  if (isTrusted(file)) return undefined;
  const why = file.trust === 'changed' ? 'it has changed since you trusted it' : 'you have not trusted it';
  return `"${file.path}" does not count, because ${why}; to look at it and trust it: chatferry trust`;
}

/** Stops a command that needs the file, if that does not count. @throws UsageError */
export function assertCounts(file: ConfigFile | undefined): void {
  const words = file === undefined || isTrusted(file) ? undefined : ignoredWords(file);
  if (words !== undefined)
    throw new UsageError(words, { hint: `--config names another file; ${docsLink('understand/security')}` });
}

/** Values stay as they are written: `0123` is an id, and an id may be longer than numbers are exact. */
function parseConfig(text: string, file: string): Pick<ConfigFile, 'locate'> & { readonly values: unknown } {
  const lineCounter = new (yaml().LineCounter)();
  const document = yaml().parseDocument(text, { schema: 'failsafe', lineCounter, uniqueKeys: false });
  const places = yamlPlaces(document, lineCounter, file);
  const fault = yamlFault(document);
  if (fault) throw new UsageError(`Cannot read the configuration ${places.at(fault.offset)}: ${fault.what}`);
  try {
    return { values: document.toJS() || {}, locate: places.of };
  } catch (error) {
    throw new UsageError(`Cannot read the configuration "${file}": ${yamlWords(error as Error)}`);
  }
}
