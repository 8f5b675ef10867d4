/**
 * The keys in a JSON text: for each object, by its path, the values of its keys. Paths look like `/messages/*`, with
 * `*` for the elements of a list. The path `''` means an object that is the whole text, or a line, or an element of the
 * list that is the whole text.
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
  /** For a list, the path of the objects in it; for an object, its own path. */
  readonly path: string;
  /** Nothing for a list, and for objects beyond the bounds. */
  readonly keys: Map<string, string[]> | undefined;
  readonly isList: boolean;
  key: string;
}

/** Kept of a string that goes on: what it begins with, which is more than is kept of a value. */
const heldMax = 1000;

/**
 * The keys in the beginning of a text of JSON, which may end anywhere and need not be valid: exporters forget commas and quotes, and a
 * text is not to be a stranger for that. Plain values of up to 100 letters are kept, the first five of each key.
 *
 * @returns Nothing for a text that begins with neither an object nor a list.
 */
export function readOutline(text: string): JsonOutline {
  const reader = new OutlineReader();
  reader.push(text);
  reader.end();
  return reader.outline;
}

/**
 * The same for a text that comes piece by piece, of any length.
 *
 * Memory: the outline, which has bounds, and a piece.
 */
export class OutlineReader {
  readonly outline = new Map<string, Map<string, string[]>>();
  /** Keys that hold a list, anywhere: one that is empty is in no outline. */
  readonly lists = new Set<string>();
  readonly #open: Frame[] = [];
  /** From the last piece: a string or word that goes on. */
  #held = '';
  #isOver = false;
  #isList = false;
  /** Brackets that are open beyond the depth: what is in them is passed over. */
  #beyond = 0;

  /** Whether the text is a list. */
  get isList(): boolean {
    return this.#isList;
  }

  push(piece: string): void {
    const text = this.#held + piece;
    this.#held = '';
    if (this.outline.size === 0 && this.#open.length === 0 && /\S/.test(text)) this.#isOver ||= !/^\s*[[{]/.test(text);
    if (this.#isOver) return;
    let at = skipped(text, 0);
    while (at < text.length) {
      const end = text.charCodeAt(at) === quote ? stringEnd(text, at) : bareEnd(text, at);
      // Whether a string is a key is seen behind it.
      if (end === undefined || isAtEnd(text, at, end)) {
        this.#held = holdBack(text.slice(at, end), end !== undefined);
        return;
      }
      this.#take(text, at, end);
      at = skipped(text, end);
    }
  }

  /** Nothing more will come: a string or word that is whole is one. */
  end(): void {
    this.push(',');
  }

  #take(text: string, at: number, end: number): void {
    const open = this.#open;
    const found = text[at]!;
    const frame = open.at(-1);
    if (this.#beyond > 0) {
      if (isOpening(found)) this.#beyond += 1;
      else if (found === '}' || found === ']') this.#beyond -= 1;
    } else if (isOpening(found)) {
      if (frame === undefined && this.outline.size === 0) this.#isList = found === '[';
      if (found === '[' && frame?.isList === false && this.lists.size < pathsMax) this.lists.add(frame.key);
      if (open.length >= depthMax) this.#beyond = 1;
      else open.push(frameIn(frame, found === '[', this.outline));
    } else if (found === '}' || found === ']') open.pop();
    else if (found !== '"') addValue(frame, text, at, end);
    else if (frame?.isList === false && isBeforeColon(text, end)) addKey(frame, text.slice(at + 1, end - 1));
    else addValue(frame, text, at + 1, end - 1);
  }
}

/** Whether what follows a string or word may decide what it is. */
function isAtEnd(text: string, at: number, end: number): boolean {
  if (text.charCodeAt(at) !== quote) return end === text.length && !isBracket(text.charCodeAt(at));
  let next = end;
  while (next < text.length && isSpace(text, next)) next += 1;
  return next === text.length;
}

/** A text in a message may have megabytes: its middle is nothing to keep, but how it ends, or whether its last letter is escaped. */
function holdBack(rest: string, isEnded: boolean): string {
  if (rest.length <= heldMax || rest[0] !== '"') return rest.slice(0, heldMax);
  const begin = rest.slice(0, heldMax).replace(/\\+$/, '');
  if (isEnded) return `${begin}"`;
  const [escapes] = /\\*$/.exec(rest)!;
  return begin + (escapes.length % 2 === 1 ? '\\' : '');
}

const isOpening = (letter: string) => letter === '{' || letter === '[';

/** Returns the index after the closing quote; undefined if the text ends before it. */
function stringEnd(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return undefined;
}

/** Behind a bracket, or a word without quotes. */
function bareEnd(text: string, from: number): number {
  let at = from + 1;
  if (isBracket(text.charCodeAt(from))) return at;
  while (at < text.length && !isBracket(text.charCodeAt(at)) && text.charCodeAt(at) !== quote && !isBetween(text, at))
    at += 1;
  return at;
}

function skipped(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBetween(text, at)) at += 1;
  return at;
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && isSpace(text, at)) at += 1;
  return text.charCodeAt(at) === colon;
}

// By their codes: a file may be looked at to its end, and to test each character by a pattern takes five times as long.
const [quote, comma, colon] = [0x22, 0x2c, 0x3a];

/** Whether a character is one of `[]{}`. */
const isBracket = (code: number): boolean => code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;

function isBetween(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === comma || code === colon || isSpace(text, at);
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return /\s/.test(text[at]!);
}

function frameIn(parent: Frame | undefined, isList: boolean, outline: Map<string, Map<string, string[]>>): Frame {
  const here = parent === undefined ? '' : parent.isList ? parent.path : `${parent.path}/${escaped(parent.key)}`;
  if (isList) return { path: parent === undefined ? '' : `${here}/*`, keys: undefined, isList, key: '' };
  if (!outline.has(here) && (outline.size < pathsMax || isTelling(here, outline))) outline.set(here, new Map());
  return { path: here, keys: outline.get(here), isList, key: '' };
}

/** Whether the path identifies a format: the top level, and lists in it. Objects with ids as keys must not displace these. */
const isTelling = (path: string, outline: JsonOutline): boolean =>
  outline.size < 2 * pathsMax && /^(?:\/[^/]+\/\*)?$/.test(path);

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

function addKey(frame: Frame, key: string): void {
  frame.key = key.slice(0, lengthMax);
  if (frame.keys && frame.keys.size < keysMax && !frame.keys.has(frame.key)) frame.keys.set(frame.key, []);
}

function addValue(frame: Frame | undefined, text: string, from: number, to: number): void {
  const values = frame?.keys?.get(frame.key);
  if (values && values.length < valuesMax && to - from <= lengthMax) values.push(text.slice(from, to));
}
