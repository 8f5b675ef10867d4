import { anyPart, formatPointer, matchPart } from './json-pointer.ts';

type Path = readonly string[];

/** Gets the parts of a file that are in none of the lists that are read. */
export type UnreadParts = Pick<UnreadLists, 'standing' | 'begin' | 'push' | 'end'>;

/** Maximum number of locations counted separately. Further members of an object or array count together, as `*`. */
const placesMax = 100;
/** Maximum number of siblings listed separately in one object or array. More become its `*`. */
const siblingsMax = 3;

/**
 * Counts the objects of a file that are in lists that no reader reads: in arrays, and in objects whose values are rows.
 *
 * Memory: 100 locations at most.
 */
export class UnreadLists {
  readonly #patterns: readonly Path[];
  readonly #isApart: (inRow: Path) => boolean;
  readonly #counts = new Map<string, { readonly path: Path; count: number }>();
  readonly #rows = new RowCounter();
  #path: Path = [];

  /**
   * @param patterns Patterns of all lists of the file that are read, including the one that is scanned.
   * @param isApart Whether a path inside a row leads to what is no part of the row, but a list of its own.
   */
  constructor(patterns: readonly Path[], isApart: (inRow: Path) => boolean = () => false) {
    this.#patterns = patterns;
    this.#isApart = isApart;
  }

  /** Returns how an array or object at a path relates to the lists that are read: it contains one, is one or is inside one, or neither. */
  standing(path: Path): 'around' | 'read' | 'unread' {
    const fitting = this.#patterns.filter(
      (pattern) => isCompatible(pattern, path) && !this.#isApart(path.slice(pattern.length + 1)),
    );
    if (fitting.some(({ length }) => length <= path.length)) return 'read';
    return fitting.length > 0 ? 'around' : 'unread';
  }

  /** An unread array or object begins; `push` gets its bytes. */
  begin(path: Path): void {
    this.#path = this.#asPattern(path);
    this.#rows.begin();
  }

  push(chunk: Uint8Array, from: number, end: number): void {
    this.#rows.push(chunk, from, end);
  }

  end(): void {
    if (this.#rows.count === 0) return;
    const own = formatPointer(this.#path);
    const isNamed = this.#counts.has(own) || this.#counts.size < placesMax;
    const path = isNamed ? this.#path : othersBeside(this.#path);
    const key = formatPointer(path);
    const known = this.#counts.get(key);
    if (known) known.count += this.#rows.count;
    else this.#counts.set(key, { path, count: this.#rows.count });
  }

  /** Returns how many objects are below each location: `/other`, with `*` for keys that change. */
  list(): readonly { readonly place: string; readonly count: number }[] {
    const found = new Map<string, number>();
    const siblings = Map.groupBy(this.#counts.values(), ({ path }) => formatPointer(othersBeside(path)));
    for (const [together, places] of siblings)
      for (const { path, count } of places) {
        const place = places.length > siblingsMax ? together : formatPointer(path);
        found.set(place, (found.get(place) ?? 0) + count);
      }
    return [...found].map(([place, count]) => ({ place, count }));
  }

  /** Puts `*` where a list that is read has it, so that the members of all rooms count at one location. */
  #asPattern(path: Path): Path {
    const above = path.slice(0, -1);
    const around = this.#patterns.find((pattern) => pattern.length >= above.length && isCompatible(pattern, above));
    return path.map((part, index) => asPart(around?.[index], part));
  }
}

const othersBeside = (path: Path): Path => [...path.slice(0, -1), anyPart];

const isCompatible = (pattern: Path, path: Path): boolean =>
  path.every((part, index) => index >= pattern.length || matchPart(pattern[index]!, part) !== undefined);

/** A key as a list next to it is named: `rooms/r1/members` as `rooms/*\/members` next to `rooms/*\/messages`. */
function asPart(wanted: string | undefined, key: string): string {
  if (wanted === anyPart) return anyPart;
  const [steps, wantedSteps] = [key.split('/'), wanted?.split('/') ?? []];
  if (steps.length !== wantedSteps.length) return key;
  return steps.map((step, at) => (wantedSteps[at] === anyPart ? anyPart : step)).join('/');
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Levels in which rows are looked for. */
const depthMax = 64;
/** Minimum number of plain fields of a row. An object with fewer only holds other objects, or is a link. */
const fieldsMin = 2;

/** Counts the outermost objects, below that which begins, that have two fields or more which are no arrays or objects. */
class RowCounter {
  count = 0;
  readonly #fields = new Uint8Array(depthMax);
  #depth = 0;
  /** Depth of the open row; 0 outside of rows. */
  #rowDepth = 0;
  #isInString = false;
  #isEscaped = false;
  #isBehindColon = false;

  begin(): void {
    this.count = 0;
    this.#depth = 0;
    this.#rowDepth = 0;
    this.#isInString = false;
    this.#isBehindColon = false;
  }

  push(chunk: Uint8Array, from: number, end: number): void {
    for (let at = from; at < end; at += 1) {
      const byte = chunk[at]!;
      if (this.#isInString) this.#passText(byte);
      else if (byte > 0x20) this.#pass(byte);
    }
  }

  #passText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInString = false;
  }

  #pass(byte: number): void {
    const isOpening = byte === openBrace || byte === openBracket;
    if (this.#isBehindColon && !isOpening) this.#addField();
    this.#isBehindColon = byte === colon;
    if (byte === quote) this.#isInString = true;
    else if (isOpening) {
      this.#depth += 1;
      if (this.#depth < depthMax) this.#fields[this.#depth] = 0;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (this.#depth === this.#rowDepth) this.#rowDepth = 0;
      this.#depth -= 1;
    }
  }

  #addField(): void {
    if (this.#depth < 2 || this.#depth >= depthMax || this.#rowDepth > 0) return;
    this.#fields[this.#depth]! += 1;
    if (this.#fields[this.#depth]! < fieldsMin) return;
    this.#rowDepth = this.#depth;
    this.count += 1;
  }
}
