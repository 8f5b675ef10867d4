/**
 * Which keys stand where in a text of JSON: for each object, by its path, what its keys held. Paths are as `/messages/*`, with `*` for
 * the elements of a list; an object that is the whole text, or a line, or an element of the list that is the whole text, is at `''`.
 */
export type JsonOutline = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Bounds against texts that are made of nothing but keys: more than any export shows at its beginning. */
const pathsMax = 1000;
const keysMax = 300;
const valuesMax = 5;
const lengthMax = 100;
const depthMax = 40;

/** An object or list that is open. */
interface Frame {
  /** Of the objects in it, where it is a list; of itself, where it is an object. */
  readonly path: string;
  /** Nothing for a list, and for objects beyond the bounds. */
  readonly keys: Map<string, string[]> | undefined;
  readonly isList: boolean;
  key: string;
}

/**
 * The keys in the beginning of a text of JSON, which may end anywhere and need not be valid: exporters forget commas and quotes, and a
 * text is not to be a stranger for that. Plain values of up to 100 letters are kept, the first five of each key.
 *
 * @returns Nothing for a text that begins with neither an object nor a list.
 */
export function outlineOf(text: string): JsonOutline {
  const outline = new Map<string, Map<string, string[]>>();
  if (!/^\s*[[{]/.test(text)) return outline;
  const open: Frame[] = [];
  for (let at = 0; at < text.length; ) {
    const found = text[at]!;
    const end = found === '"' ? stringEnd(text, at) : bareEnd(text, at);
    if (end === undefined || (open.length >= depthMax && isOpening(found))) break;
    const frame = open.at(-1);
    if (isOpening(found)) open.push(frameIn(frame, found === '[', outline));
    else if (found === '}' || found === ']') open.pop();
    else if (found !== '"') addValue(frame, text.slice(at, end));
    else if (frame?.isList === false && isBeforeColon(text, end)) addKey(frame, text.slice(at + 1, end - 1));
    else addValue(frame, text.slice(at + 1, end - 1));
    at = skipped(text, end);
  }
  return outline;
}

const isOpening = (letter: string) => letter === '{' || letter === '[';

/** Behind the closing quote; nothing where the text ends before it. */
function stringEnd(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at += text[at] === '\\' ? 2 : 1) if (text[at] === '"') return at + 1;
  return undefined;
}

/** Behind a bracket, or a word without quotes. */
function bareEnd(text: string, from: number): number {
  let at = from + 1;
  if (/[[\]{}]/.test(text[from]!)) return at;
  while (at < text.length && !/[\s"[\]{},:]/.test(text[at]!)) at += 1;
  return at;
}

function skipped(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\s,:]/.test(text[at]!)) at += 1;
  return at;
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && /\s/.test(text[at]!)) at += 1;
  return text[at] === ':';
}

function frameIn(parent: Frame | undefined, isList: boolean, outline: Map<string, Map<string, string[]>>): Frame {
  const here = parent === undefined ? '' : parent.isList ? parent.path : `${parent.path}/${escaped(parent.key)}`;
  if (isList) return { path: parent === undefined ? '' : `${here}/*`, keys: undefined, isList, key: '' };
  if (!outline.has(here) && outline.size < pathsMax) outline.set(here, new Map());
  return { path: here, keys: outline.get(here), isList, key: '' };
}

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

function addKey(frame: Frame, key: string): void {
  frame.key = key.slice(0, lengthMax);
  if (frame.keys && frame.keys.size < keysMax && !frame.keys.has(frame.key)) frame.keys.set(frame.key, []);
}

function addValue(frame: Frame | undefined, value: string): void {
  const values = frame?.keys?.get(frame.key);
  if (values && values.length < valuesMax && value.length <= lengthMax) values.push(value);
}
