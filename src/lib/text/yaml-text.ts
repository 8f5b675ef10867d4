import type { Document, Pair } from 'yaml';
import { yaml } from '../late.ts';
import { type KeyPath, longForm, valueAt, withValue, yamlEntry, yamlLine } from '../settings.ts';

/** Whether a key is there, with or without a value. */
export const hasKey = (text: string, path: KeyPath): boolean =>
  pairAt(yaml().parseDocument(text, { uniqueKeys: false }), path) !== undefined;

/**
 * Returns the text with comment lines directly below a key, indented like the lines that are there already; at the end
 * if no key is named. Everything else stays as it is, to the byte. A missing key and its section are created.
 *
 * @param kind What the key holds or would hold.
 * @returns Undefined if the layout of the file allows no lines there: `{ a: b }`.
 */
export function insertBelow(
  text: string,
  path: KeyPath,
  lines: readonly string[],
  kind: 'table' | 'list' = 'table',
): string | undefined {
  const counter = new (yaml().LineCounter)();
  const document = yaml().parseDocument(text, { lineCounter: counter, uniqueKeys: false });
  if (!isNothing(document.contents) && !(yaml().isMap(document.contents) && !document.contents.flow)) return undefined;
  if (path.length === 0) return appended(text, lines);
  const pair = pairAt(document, path)?.pair;
  if (!pair) return insertKey(text, path, lines);
  const column = (offset: number) => counter.linePos(offset).col - 1;
  const { value } = pair;
  if (isNothing(value)) return afterLine(text, endOf(pair), lines, column(startOf(pair)) + 2);
  if (!(yaml().isMap(value) || yaml().isSeq(value)) || yaml().isSeq(value) !== (kind === 'list') || !value.range)
    return undefined;
  const [start, end] = value.range;
  // `uids: {}` with something below it would be no YAML any more.
  if (value.items.length === 0) {
    const without = text.slice(0, start).trimEnd();
    return afterLine(without + text.slice(end), without.length, lines, column(startOf(pair)) + 2);
  }
  return value.flow ? undefined : afterLine(text, endOf(pair), lines, column(start));
}

/**
 * Returns the text with the tables on the way to a key, and the one there, on lines of their own instead of one (`{ a: b }`). Keys of such a line
 * whose whole value is `left` are left out.
 */
export const unfold = (text: string, path: KeyPath, left: string): string =>
  path.reduce((unfolded, _, at) => unfoldOne(unfolded, path.slice(0, at + 1), left), text);

function unfoldOne(text: string, path: KeyPath, left: string): string {
  const counter = new (yaml().LineCounter)();
  const pair = pairAt(yaml().parseDocument(text, { lineCounter: counter, uniqueKeys: false }), path)?.pair;
  const value = pair?.value;
  if (!yaml().isMap(value) || value.flow !== true || value.items.length === 0 || !value.range) return text;
  const lines = value.items.flatMap((item) => {
    if (yaml().isScalar(item.value) && item.value.value === left) return [];
    const end = yaml().isNode(item.value) ? item.value.range?.[1] : undefined;
    return end === undefined ? [] : [text.slice(startOf(item), end).replaceAll(/\s*\n\s*/g, ' ')];
  });
  const [start, end] = value.range;
  const without = text.slice(0, start).trimEnd();
  return afterLine(without + text.slice(end), without.length, lines, counter.linePos(startOf(pair!)).col + 1);
}

/** Returns the text below a key, including comments: from the key to the next one at its level or above. */
export function regionBelow(text: string, path: KeyPath): string {
  const found = pairAt(yaml().parseDocument(text, { uniqueKeys: false }), path);
  return found ? text.slice(endOf(found.pair), found.nextStart ?? text.length) : '';
}

/** A key that is not there, at the beginning of its section, or with its section at the end. */
function insertKey(text: string, path: KeyPath, lines: readonly string[]): string | undefined {
  const own = [`${path.at(-1)}:`, ...lines.map((line) => `  ${line}`)];
  return insertBelow(text, path.slice(0, -1), own);
}

const appended = (text: string, lines: readonly string[]): string =>
  `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n${atDepth(lines, 0)}`;

/** Lines after the line that holds an offset. */
function afterLine(text: string, offset: number, lines: readonly string[], depth: number): string {
  const end = text.indexOf('\n', offset);
  const [before, after] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
  return `${before}\n${atDepth(lines, depth)}${after}`;
}

const atDepth = (lines: readonly string[], depth: number): string =>
  lines.map((line) => `${' '.repeat(depth)}${line}\n`).join('');

interface FoundPair {
  readonly pair: Pair;
  /** Offset at which the next key at its level or above begins. */
  readonly nextStart: number | undefined;
}

function pairAt(document: Document, path: KeyPath): FoundPair | undefined {
  let node: unknown = document.contents;
  let found: FoundPair | undefined;
  for (const key of path) {
    if (!yaml().isMap(node)) return undefined;
    const index = node.items.findIndex((item) => yaml().isScalar(item.key) && item.key.value === key);
    const pair = node.items[index];
    if (!pair) return undefined;
    const next = node.items[index + 1];
    found = { pair, nextStart: next ? startOf(next) : found?.nextStart };
    node = pair.value;
  }
  return found;
}

const startOf = ({ key }: Pair): number => (yaml().isNode(key) ? (key.range?.[0] ?? 0) : 0);
const endOf = ({ key }: Pair): number => (yaml().isNode(key) ? (key.range?.[1] ?? 0) : 0);

const isNothing = (value: unknown): boolean => value === null || (yaml().isScalar(value) && value.value === null);

/**
 * Values set in the text of a YAML file, one line each. Everything else stays as it is written, comments among it; a table
 * that is written on one line, or is short for its `from`, becomes another line.
 */
export function setValues(text: string, values: readonly (readonly [path: KeyPath, value: unknown])[]): string {
  // A line inserted below a key becomes the first one there, so the last value is set first.
  return values.reduceRight((written, [path, value]) => {
    const amended = setInLine(written, path, value);
    return amended !== undefined && isSet(amended, path, value) ? amended : setInDocument(written, path, value);
  }, text);
}

const isSet = (text: string, path: KeyPath, value: unknown): boolean => {
  const document = yaml().parseDocument(text, { uniqueKeys: false });
  return document.errors.length === 0 && yamlLine(valueAt(document.toJS(), path)) === yamlLine(value);
};

/** @returns Undefined if the file has a layout that this function does not know. */
function setInLine(text: string, path: KeyPath, value: unknown): string | undefined {
  const document = yaml().parseDocument(text, { uniqueKeys: false });
  let depth = 1;
  while (depth < path.length && isBlock(pairAt(document, path.slice(0, depth))?.pair.value)) depth++;
  const here = path.slice(0, depth);
  const rest = path.slice(depth);
  const pair = pairAt(document, here)?.pair;
  if (!pair) return insertBelow(text, here.slice(0, -1), nestedYamlLines(here.at(-1)!, rest, value));
  const node = pair.value;
  const isEmpty = (yaml().isScalar(node) && node.value === null) || (yaml().isMap(node) && node.items.length === 0);
  if (isEmpty && rest.length > 0) return insertBelow(text, here, nestedYamlLines(rest[0]!, rest.slice(1), value));
  const range = (node as { range?: readonly [number, number, number] } | null)?.range;
  if (!range) return undefined;
  const replaced = text.slice(range[0], range[1]);
  const gap = /\s$/.test(text.slice(0, range[0])) ? '' : ' ';
  const end = replaced.endsWith('\n') ? '\n' : '';
  return text.slice(0, range[0]) + gap + replacement(node, replaced, rest, value) + end + text.slice(range[1]);
}

/** Returns the text that replaces a value, when the new value belongs at `rest` inside it. */
function replacement(node: unknown, written: string, rest: KeyPath, value: unknown): string {
  if (rest.length === 0) return yamlLine(value);
  if (yaml().isScalar(node)) return yamlLine(withValue(longForm(node.value, rest[0]!), rest, value));
  // As the flow table that it is: its keys may be numbers that must stay as they are written.
  return setInDocument(written, rest, value).trimEnd();
}

const isBlock = (node: unknown): boolean => yaml().isMap(node) && node.flow !== true && node.items.length > 0;

/** A key, and below it the keys that lead to the value. */
function nestedYamlLines(key: string, [next, ...rest]: KeyPath, value: unknown): string[] {
  if (next === undefined) return yamlEntry(key, value);
  return [`${yamlLine(key)}:`, ...nestedYamlLines(next, rest, value).map((line) => `  ${line}`)];
}

/** Sets the value in the reliable way, which rewrites the whole file: comments are kept, but may move. */
function setInDocument(text: string, path: KeyPath, value: unknown): string {
  const document = parseWithIds(text);
  makeRoom(document, path.slice(0, -1));
  // A plain value that replaces another keeps the comments next to it.
  document.setIn(path, typeof value === 'object' ? document.createNode(value) : value);
  return document.toString({ lineWidth: 0 });
}

/** Returns the text without a value, and without tables that hold nothing then. Rewrites the whole file, as `setInDocument` does. */
export function removeValue(text: string, path: KeyPath): string {
  const document = parseWithIds(text);
  if (!document.hasIn(path)) return text;
  document.deleteIn(path);
  for (let depth = path.length - 1; depth > 1; depth--) {
    const around = document.getIn(path.slice(0, depth), true);
    if (!yaml().isMap(around) || around.items.length > 0) break;
    document.deleteIn(path.slice(0, depth));
  }
  return document.toString({ lineWidth: 0 });
}

function parseWithIds(text: string): Document {
  const document = yaml().parseDocument(text, { intAsBigInt: true, uniqueKeys: false });
  // `0123` is an id.
  yaml().visit(document, {
    Pair(_, { key }) {
      if (yaml().isScalar(key) && typeof key.value !== 'string') key.value = key.source;
    },
  });
  return document;
}

/** Makes every value on the way a table: nothing becomes an empty one, and a plain value was short for `{ from: value }`. */
function makeRoom(document: Document, path: KeyPath): void {
  for (let depth = 0; depth <= path.length; depth++) {
    const at = path.slice(0, depth);
    const node = depth === 0 ? document.contents : document.getIn(at, true);
    if (yaml().isMap(node)) continue;
    const value = yaml().isScalar(node) ? node.value : null;
    const table = document.createNode(value === null ? {} : { from: value });
    if (depth === 0) document.contents = table as typeof document.contents;
    else document.setIn(at, table);
  }
}
