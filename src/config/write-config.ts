import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, parseDocument } from 'yaml';
import { UsageError } from '../lib/errors.ts';
import { assertText, replaceFileSync } from '../lib/files/atomic-file.ts';
import { renderConfig } from './written-file.ts';
import { setValues } from '../lib/text/yaml-text.ts';
import { countsHere } from './config-file.ts';
import { trustIfPossible } from './trusted-files.ts';

/** Values of `chatferry.yaml` by key; null removes a key. */
export type ConfigChanges = Readonly<Record<string, string | readonly string[] | null>>;

/**
 * Sets and removes keys at the top of a configuration; everything else stays as it is written, comments among it. A file that is not there
 * is made. What counted before is trusted as it is now; another person's words are not trusted along with it.
 *
 * @param path The file that the user named; undefined for `chatferry.yaml` of this folder.
 * @throws UsageError if it cannot be read or written.
 */
export function writeConfig(path: string | undefined, changes: ConfigChanges): void {
  const file = path ?? './chatferry.yaml';
  const counted = path !== undefined || countsHere();
  const before = readIfPresent(file);
  const text = before === undefined ? newText(changes) : changed(before, changes);
  if (text === before) return;
  if (path === undefined && counted) trustIfPossible(file, text);
  try {
    replaceFileSync(file, text, () => assertText(file, before));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`Cannot write "${file}": ${(cause as NodeJS.ErrnoException).code}`, { cause });
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new UsageError(`Cannot read the configuration "${path}": ${code}`, { cause: error });
  }
}

const newText = (changes: ConfigChanges): string =>
  renderConfig(Object.fromEntries(Object.entries(changes).filter((entry) => isSet(entry))));

function changed(text: string, changes: ConfigChanges): string {
  const entries = Object.entries(changes);
  const without = entries.reduce((left, [key, value]) => (value === null ? withoutKey(left, key) : left), text);
  const set = entries.filter((entry) => isSet(entry)).map(([key, value]) => [[key], value] as const);
  // Each new key is added at the end, and the last value is set first.
  return setValues(without, set.toReversed());
}

const isSet = (entry: [string, ConfigChanges[string]]): entry is [string, string | readonly string[]] =>
  entry[1] !== null;

/** The text without a key at its top: without its lines, if that changes nothing else. */
function withoutKey(text: string, key: string): string {
  const document = parseDocument(text, { schema: 'failsafe' });
  const pair = isMap(document.contents)
    ? document.contents.items.find(({ key: name }) => isScalar(name) && name.value === key)
    : undefined;
  if (pair === undefined) return text;
  const start = text.lastIndexOf('\n', nodeOffset(pair.key, 0)) + 1;
  // A list ends at the beginning of the next line.
  const last = Math.max(start, (nodeOffset(pair.value, 1) || nodeOffset(pair.key, 1)) - 1);
  const end = text.indexOf('\n', last);
  const cut = text.slice(0, start) + (end === -1 ? '' : text.slice(end + 1));
  document.delete(key);
  const wanted: unknown = document.toJS() ?? {};
  return isDeepStrictEqual(parseValues(cut), wanted) ? cut : document.toString({ lineWidth: 0 });
}

/** Offset of the beginning (0) or the end (1) of a key or value; 0 if there is none. */
const nodeOffset = (node: unknown, of: 0 | 1): number => (isNode(node) ? (node.range?.[of] ?? 0) : 0);

function parseValues(text: string): unknown {
  const document = parseDocument(text, { schema: 'failsafe' });
  return document.errors.length > 0 ? undefined : (document.toJS() ?? {});
}
