import { isObject } from '../lib/maps/objects.ts';
import { existsSync, readFileSync } from 'node:fs';
import { LineCounter, parseDocument, YAMLParseError } from 'yaml';
import { UsageError } from '../lib/errors.ts';
import { assertOutsideExports } from '../lib/files/outside-exports.ts';
import { yamlFault, yamlPlaces } from '../lib/text/yaml-places.ts';

/** `chatferry.yaml` as it was written: every scalar is text. */
export interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** `chatferry.yaml:12:5` of a key, or of the element of a list. */
  placeOf(at: readonly PropertyKey[]): string;
}

/** Keys of `chatferry.yaml` that are no options: `sync`, `jobs` and `fleet` read them, every other command passes over them. */
export const syncKeys: readonly string[] = ['jobs', 'sync', 'fleet'];

/**
 * @param path `./chatferry.yaml` without it, where that exists.
 * @param exports What is read as exports: no configuration is taken from there.
 * @throws UsageError if it cannot be read, or holds something else than keys and values.
 */
export function readConfigFile(path: string | undefined, exports: readonly string[] = []): ConfigFile | undefined {
  const file = path ?? './chatferry.yaml';
  if (path === undefined && !existsSync(file)) return undefined;
  assertOutsideExports('the configuration', file, exports);
  const { values, placeOf } = parseConfig(readText(file), file);
  if (isObject(values)) return { path: file, values, placeOf };
  throw new UsageError(`Cannot read the configuration "${file}": expected keys and values`);
}

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
    // What everybody writes at first: schedule: */5 * * * *
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
