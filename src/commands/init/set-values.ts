import { type Document, isMap, isScalar, parseDocument, visit } from 'yaml';
import { insertBelow, pairAt } from './insert.ts';
import { type KeyPath, valueAt, withValue, yamlEntry, yamlLine } from './settings.ts';

/**
 * Values set in the text of a YAML file, one line each. Everything else stays as it is written, comments among it; a table
 * that is written on one line, or is short for its `from`, becomes another line.
 */
export function setValues(text: string, values: readonly (readonly [path: KeyPath, value: unknown])[]): string {
  // What is put below a key stands first there: the last one goes first.
  return values.reduceRight((written, [path, value]) => {
    const amended = setInLine(written, path, value);
    return amended !== undefined && isSet(amended, path, value) ? amended : setInDocument(written, path, value);
  }, text);
}

const isSet = (text: string, path: KeyPath, value: unknown): boolean => {
  const document = parseDocument(text);
  return document.errors.length === 0 && yamlLine(valueAt(document.toJS(), path)) === yamlLine(value);
};

/** @returns Undefined where the file is laid out in a way that this does not know. */
function setInLine(text: string, path: KeyPath, value: unknown): string | undefined {
  const document = parseDocument(text);
  let depth = 1;
  while (depth < path.length && isBlock(pairAt(document, path.slice(0, depth))?.pair.value)) depth++;
  const here = path.slice(0, depth);
  const rest = path.slice(depth);
  const pair = pairAt(document, here)?.pair;
  if (!pair) return insertBelow(text, here.slice(0, -1), linesOf(here.at(-1)!, rest, value));
  const node = pair.value;
  const isEmpty = (isScalar(node) && node.value === null) || (isMap(node) && node.items.length === 0);
  if (isEmpty && rest.length > 0) return insertBelow(text, here, linesOf(rest[0]!, rest.slice(1), value));
  const range = (node as { range?: readonly [number, number, number] } | null)?.range;
  if (!range) return undefined;
  const replaced = text.slice(range[0], range[1]);
  const gap = /\s$/.test(text.slice(0, range[0])) ? '' : ' ';
  const end = replaced.endsWith('\n') ? '\n' : '';
  return text.slice(0, range[0]) + gap + replacement(node, replaced, rest, value) + end + text.slice(range[1]);
}

/** What stands in the place of a value, where the new one belongs at `rest` inside it. */
function replacement(node: unknown, written: string, rest: KeyPath, value: unknown): string {
  if (rest.length === 0) return yamlLine(value);
  if (isScalar(node)) return yamlLine(withValue({ from: node.value }, rest, value));
  // As the flow table that it is: its keys may be numbers that must stay as they are written.
  return setInDocument(written, rest, value).trimEnd();
}

const isBlock = (node: unknown): boolean => isMap(node) && node.flow !== true && node.items.length > 0;

/** A key, and below it the keys that lead to the value. */
function linesOf(key: string, [next, ...rest]: KeyPath, value: unknown): string[] {
  if (next === undefined) return yamlEntry(key, value);
  return [`${yamlLine(key)}:`, ...linesOf(next, rest, value).map((line) => `  ${line}`)];
}

/** The certain way, which writes the whole file anew: comments stay, their places may not. */
function setInDocument(text: string, path: KeyPath, value: unknown): string {
  const document = parseDocument(text, { intAsBigInt: true });
  // `0123` is an id.
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && typeof key.value !== 'string') key.value = key.source;
    },
  });
  makeRoom(document, path.slice(0, -1));
  // A plain value put in the place of another keeps the comments beside it.
  document.setIn(path, typeof value === 'object' ? document.createNode(value) : value);
  return document.toString({ lineWidth: 0 });
}

/** Makes every value on the way a table: nothing becomes an empty one, and a plain value was short for `{ from: value }`. */
function makeRoom(document: Document, path: KeyPath): void {
  for (let depth = 0; depth <= path.length; depth++) {
    const at = path.slice(0, depth);
    const node = depth === 0 ? document.contents : document.getIn(at, true);
    if (isMap(node)) continue;
    const value = isScalar(node) ? node.value : null;
    const table = document.createNode(value === null ? {} : { from: value });
    if (depth === 0) document.contents = table as typeof document.contents;
    else document.setIn(at, table);
  }
}
