import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Pair, parseDocument } from 'yaml';
import type { KeyPath } from './settings.ts';

/** Whether a key is there, with or without a value. */
export const hasKey = (text: string, path: KeyPath): boolean => pairAt(parseDocument(text), path) !== undefined;

/**
 * The text with comment lines directly below a key, as deep as what stands there already; at the end where no key is
 * named. Everything else stays as it is, to the byte. The key and its section are made where they are not there.
 *
 * @param kind What the key holds or would hold.
 * @returns Undefined where the file is laid out in a way that takes no lines there: `{ a: b }`.
 */
export function insertBelow(
  text: string,
  path: KeyPath,
  lines: readonly string[],
  kind: 'table' | 'list' = 'table',
): string | undefined {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  if (!isNothing(document.contents) && !(isMap(document.contents) && !document.contents.flow)) return undefined;
  if (path.length === 0) return appended(text, lines);
  const pair = pairAt(document, path)?.pair;
  if (!pair) return insertKey(text, path, lines);
  const column = (offset: number) => counter.linePos(offset).col - 1;
  const { value } = pair;
  if (isNothing(value)) return afterLine(text, endOf(pair), lines, column(startOf(pair)) + 2);
  if (!(isMap(value) || isSeq(value)) || isSeq(value) !== (kind === 'list') || !value.range) return undefined;
  const [start, end] = value.range;
  // `uids: {}` with something below it would be no YAML any more.
  if (value.items.length === 0) {
    const without = text.slice(0, start).trimEnd();
    return afterLine(without + text.slice(end), without.length, lines, column(startOf(pair)) + 2);
  }
  return value.flow ? undefined : afterLine(text, endOf(pair), lines, column(start));
}

/** What stands below a key, comments among it: from the key to the next one beside it or above it. */
export function regionBelow(text: string, path: KeyPath): string {
  const found = pairAt(parseDocument(text), path);
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
  /** Where the next key beside it or above it begins. */
  readonly nextStart: number | undefined;
}

/** Where a key stands. */
export function pairAt(document: Document, path: KeyPath): FoundPair | undefined {
  let node: unknown = document.contents;
  let found: FoundPair | undefined;
  for (const key of path) {
    if (!isMap(node)) return undefined;
    const index = node.items.findIndex((item) => isScalar(item.key) && item.key.value === key);
    const pair = node.items[index];
    if (!pair) return undefined;
    const next = node.items[index + 1];
    found = { pair, nextStart: next ? startOf(next) : found?.nextStart };
    node = pair.value;
  }
  return found;
}

const startOf = ({ key }: Pair): number => (isNode(key) ? (key.range?.[0] ?? 0) : 0);
const endOf = ({ key }: Pair): number => (isNode(key) ? (key.range?.[1] ?? 0) : 0);

const isNothing = (value: unknown): boolean => value === null || (isScalar(value) && value.value === null);
