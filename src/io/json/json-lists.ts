import { scanText } from '../to-utf8.ts';
import { elementFault, type JsonFault, type JsonOptions, withDefaults } from './json-element.ts';
import { isSpace, describeByte } from './json-fault.ts';
import { escapePart, formatPointer, isWildcard, matchPart, parsePointer } from './json-pointer.ts';
import { JsonRunReader } from './json-run.ts';
import { JsonValueReader } from './json-value-reader.ts';
import type { UnreadParts } from './unread-lists.ts';

/**
 * Yields the values of the lists that `pattern` names in a file of any size, in lists, one for a chunk. UTF-8 or
 * UTF-16.
 *
 * Never throws for the content of the file: errors appear in order among the elements. A fault of `chunks` itself is
 * thrown after everything before it has been yielded.
 *
 * @param pattern Parts of a JSON pointer, `*` for any key or index: none for the file's own array or object.
 */
export const readJsonLists = (
  chunks: AsyncIterable<Uint8Array>,
  pattern: readonly string[],
  options: JsonOptions = {},
): AsyncGenerator<readonly JsonListElement[]> =>
  scanText(chunks, (markBytes) => new JsonListScanner(pattern, options, markBytes));

/** An array or object whose values are read. */
export interface JsonList {
  /** `/rooms/42/messages` */
  readonly pointer: string;
  /** The key or index that stood for the pattern's last wildcard: `42`. */
  readonly wildcardKey: string | undefined;
  /** Values that the objects around the list hold before it (texts, numbers, words, objects of 300 bytes at most), the nearest object first. */
  readonly surroundings: readonly ReadonlyMap<string, unknown>[];
}

/** One value of a list, or why it could not be read. */
export type JsonListElement =
  | {
      readonly pointer: string;
      /** Key of the value, if the list is an object. */
      readonly key: string | undefined;
      readonly list: JsonList;
      readonly value: unknown;
      /** It was no JSON until `repair` of the options had mended it. */
      readonly isRepaired: boolean;
      /** No value: the list has none. */
      readonly isEmptyList?: true;
      readonly error?: never;
    }
  /** `pointer`: of the element, or of the place from which on nothing is read. */
  | { readonly pointer: string; readonly error: JsonFault; readonly value?: never };

const [quote, comma, colon] = [0x22, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Kept of one object around lists: far more than a room or a page of results says of itself. */
const surroundingValuesMax = 100;
const surroundingTextMax = 10_000;

/** An array or object that was entered, and what may come next in it. */
interface Frame {
  readonly isObject: boolean;
  readonly pointer: string;
  readonly wildcardKey: string | undefined;
  readonly values: Map<string, unknown>;
  /** Where its values are what is read. */
  readonly list: JsonList | undefined;
  /** Whether it was entered for a list of another reader: the pattern names nothing in it. */
  readonly isAside: boolean;
  expects: 'first' | 'key' | 'colon' | 'value' | 'next';
  /** Values before the one at hand. */
  index: number;
  /** Key of the current value, in an object; undefined if the key is broken. */
  key: string | undefined;
}

/** Kind of the value that is being read. */
type Reading = 'element' | 'key' | 'surrounding' | 'small-object' | 'misplaced' | 'skipped' | 'unread';

/**
 * Reads the values of the lists that a pattern names, anywhere in one JSON text that arrives in chunks of UTF-8. Enters
 * the arrays and objects on the way to the lists, reads the values in them one by one, and skips everything else by its
 * brackets and quotes, unchecked.
 *
 * A broken element affects only itself, as does a missing value between commas. If brackets, keys and colons do not
 * fit, or the bytes end early, one error stands for the rest.
 *
 * Memory: the element that is being read, and some kilobytes for each level above it.
 */
export class JsonListScanner {
  isDone = false;
  readonly #pattern: readonly string[];
  readonly #tellsEmptyLists: boolean;
  readonly #takesArraysBehind: boolean;
  readonly #unread: UnreadParts | undefined;
  readonly #reader: JsonValueReader;
  readonly #runs: JsonRunReader;
  readonly #stack: Frame[] = [];
  #elements: JsonListElement[] = [];
  #reading: Reading | undefined;
  #chunkOffset: number;
  #hasBegun = false;
  /** Elements of the file's own array, once it is closed. */
  #elementCount: number | undefined;
  /** Levels behind which the pattern has only what the data happens to have: the list is there although it may be empty. */
  readonly #foundDepth: number;
  #isFound = false;

  /** @param pattern Parts of a pointer, wildcards among them. @param byteOffset Of the first byte in its file. */
  constructor(pattern: readonly string[], options: JsonOptions, byteOffset: number) {
    const checked = withDefaults(options);
    this.#pattern = pattern;
    this.#tellsEmptyLists = options.tellsEmptyLists === true;
    this.#takesArraysBehind = options.takesArraysBehind === true && pattern.length === 0;
    this.#unread = options.unread;
    this.#reader = new JsonValueReader(checked);
    this.#runs = new JsonRunReader(checked);
    this.#chunkOffset = byteOffset;
    const firstWildcard = pattern.findIndex(isWildcard);
    this.#foundDepth = firstWildcard === -1 ? pattern.length : firstWildcard;
  }

  /** The elements that end in this chunk. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): readonly JsonListElement[] {
    for (let at = 0; at < chunk.length && !this.isDone; ) {
      if (this.#reading !== undefined) at = this.#readOn(chunk, at);
      else if (isSpace(chunk[at])) at += 1;
      else at = this.#step(chunk[at]!, this.#chunkOffset + at) ? at + 1 : this.#readRun(chunk, at);
    }
    this.#chunkOffset += chunk.length;
    return this.#taken();
  }

  /** Nothing more will come: the error that stands for what is missing, if something is. */
  end(): readonly JsonListElement[] {
    if (this.isDone) return [];
    if (this.#reading === 'unread') this.#unread!.end();
    if (!this.#hasBegun) this.#giveUp('no-list', 'expected an array or an object, found nothing');
    else if (this.#reading !== undefined) this.#giveUp('cut-off', 'the file ends inside this value');
    else if (this.#stack.length > 0) this.#giveUp('cut-off', 'the file ends before its brackets are closed');
    else if (!this.#isFound) {
      const pointer = formatPointer(this.#pattern);
      this.#giveUp('no-list', `there is no array and no object at "${pointer}"`);
    }
    return this.#taken();
  }

  #taken(): readonly JsonListElement[] {
    const elements = this.#elements;
    this.#elements = [];
    return elements;
  }

  /** Reads many elements at once. @returns where they end, or where they begin if they have to be read one by one. */
  #readRun(chunk: Uint8Array, from: number): number {
    const frame = this.#stack.at(-1);
    // Behind a value that no comma ended, the next one is a fault.
    const isInArray = this.#reading === 'element' && frame?.isObject === false && frame.expects === 'value';
    const run = isInArray ? this.#runs.read(chunk, from) : undefined;
    if (frame === undefined || run === undefined) return from;
    for (const value of run.values) {
      this.#elements.push({ pointer: this.#here(), key: undefined, list: frame.list!, value, isRepaired: false });
      this.#behindValue();
    }
    this.#reading = undefined;
    return run.end;
  }

  #readOn(chunk: Uint8Array, from: number): number {
    const end = this.#reader.read(chunk, from);
    if (this.#reading === 'unread') this.#unread!.push(chunk, from, end);
    if (this.#reader.state === 'ended') this.#finishValue();
    else if (this.#reader.state === 'mismatched') {
      this.#giveUp('syntax', `expected another bracket, ${found(chunk[end]!, this.#chunkOffset + end)}`);
    }
    return end;
  }

  /** Takes one byte outside of values; false where it begins a value, which takes it again. */
  #step(byte: number, offset: number): boolean {
    const frame = this.#stack.at(-1);
    if (frame === undefined) return this.#stepOutside(byte, offset);
    const closer = frame.isObject ? closeBrace : closeBracket;
    if (frame.expects === 'first') {
      if (byte === closer) return this.#leaveEmpty(frame);
      frame.expects = frame.isObject ? 'key' : 'value';
    }
    if ((byte === closeBrace || byte === closeBracket) && byte !== closer) {
      return this.#giveUp('syntax', `expected another bracket, ${found(byte, offset)}`);
    }
    if (frame.expects === 'value') return this.#stepToValue(frame, byte, offset);
    if (frame.expects === 'key') return this.#stepToKey(byte, offset);
    if (frame.expects === 'colon') {
      frame.expects = 'value';
      return byte === colon || this.#giveUp('syntax', `expected ":", ${found(byte, offset)}`);
    }
    return this.#stepOn(frame, byte, offset);
  }

  #stepOutside(byte: number, offset: number): true {
    const isBehind = byte === openBracket && this.#elementCount !== undefined && this.#takesArraysBehind;
    if (this.#hasBegun && !isBehind)
      return this.#giveUp('trailing', `expected the end of the file, ${found(byte, offset)}`);
    this.#hasBegun = true;
    if (byte !== openBrace && byte !== openBracket) {
      return this.#giveUp('no-list', `expected an array or an object, ${found(byte, offset)}`);
    }
    this.#enter(byte, '', undefined);
    this.#stack[0]!.index = this.#elementCount ?? 0;
    return true;
  }

  #stepToKey(byte: number, offset: number): boolean {
    if (byte === quote) return this.#begin('key', byte, offset);
    const reason = `expected a key, ${found(byte, offset)}`;
    if (byte !== closeBrace) return this.#giveUp('syntax', reason);
    this.#addError(elementFault('syntax', reason).fault);
    return this.#leave();
  }

  #stepToValue(frame: Frame, byte: number, offset: number): boolean {
    if (byte !== comma && byte !== closeBracket && byte !== closeBrace) return this.#beginValue(frame, byte, offset);
    this.#addError(elementFault('syntax', `expected a value, ${found(byte, offset)}`).fault);
    if (byte !== comma) return this.#leave();
    frame.index += 1;
    frame.expects = frame.isObject ? 'key' : 'value';
    return true;
  }

  /** Behind a value. */
  #stepOn(frame: Frame, byte: number, offset: number): boolean {
    if (byte === closeBrace || byte === closeBracket) return this.#leave();
    if (byte === comma) {
      frame.expects = frame.isObject ? 'key' : 'value';
      return true;
    }
    const reason = `expected "," before it, ${found(byte, offset)}`;
    if (frame.isObject || frame.list === undefined) return this.#giveUp('syntax', reason);
    return this.#begin('element', byte, offset, elementFault('syntax', reason).fault);
  }

  #beginValue(frame: Frame, byte: number, offset: number): boolean {
    const isBracket = byte === openBrace || byte === openBracket;
    if (frame.isObject && frame.key === undefined) return this.#begin('skipped', byte, offset);
    if (frame.list !== undefined) return this.#begin('element', byte, offset);
    const part = frame.isObject ? frame.key! : String(frame.index);
    const wanted = this.#pattern[this.#stack.length - 1]!;
    const match = frame.isAside ? undefined : matchPart(wanted, part);
    if (match !== undefined) {
      if (!isBracket) return this.#begin('misplaced', byte, offset);
      return this.#enter(byte, `${frame.pointer}/${escapePart(part)}`, match.wildcardKey ?? frame.wildcardKey);
    }
    if (isBracket) return this.#beginOther(frame, part, byte, offset);
    return this.#begin(frame.isObject && !frame.isAside ? 'surrounding' : 'skipped', byte, offset);
  }

  /** An array or object that the pattern does not name. */
  #beginOther(frame: Frame, part: string, byte: number, offset: number): boolean {
    const path = this.#unread && [...parsePointer(frame.pointer)!, part];
    const standing = path && this.#unread!.standing(path);
    if (standing === 'around') return this.#enter(byte, `${frame.pointer}/${escapePart(part)}`, undefined, true);
    if (standing === 'unread') {
      this.#unread!.begin(path!);
      return this.#begin('unread', byte, offset);
    }
    return this.#begin(frame.isObject && byte === openBrace ? 'small-object' : 'skipped', byte, offset);
  }

  #begin(reading: Reading, byte: number, offset: number, fault?: JsonFault): false {
    this.#reading = reading;
    // A value that is not read may still describe its neighbours: `"_id": {"$oid": …}`.
    const isSmall = reading === 'small-object' || (reading === 'unread' && byte === openBrace);
    const interest = isSmall ? 'read-small' : reading === 'skipped' || reading === 'unread' ? 'skip' : 'read';
    this.#reader.begin(byte, offset, interest, fault);
    return false;
  }

  #enter(byte: number, pointer: string, wildcardKey: string | undefined, isAside = false): true {
    const isInAside = isAside || this.#stack.at(-1)?.isAside === true;
    const isList = !isInAside && this.#stack.length === this.#pattern.length;
    if (!isInAside && this.#stack.length >= this.#foundDepth) this.#isFound = true;
    this.#stack.push({
      isObject: byte === openBrace,
      pointer,
      wildcardKey,
      values: new Map(),
      isAside: isInAside,
      list: isList ? { pointer, wildcardKey, surroundings: this.#surroundings() } : undefined,
      expects: 'first',
      index: 0,
      key: undefined,
    });
    return true;
  }

  /** Copies: what comes behind the list must not show, wherever chunks happen to end. */
  #surroundings(): JsonList['surroundings'] {
    const objects = this.#stack.filter(({ isObject }) => isObject);
    return objects.map(({ values }) => new Map(values)).reverse();
  }

  #leaveEmpty({ list, pointer }: Frame): true {
    if (list !== undefined && this.#tellsEmptyLists)
      this.#elements.push({ pointer, key: undefined, list, value: undefined, isRepaired: false, isEmptyList: true });
    return this.#leave();
  }

  #leave(): true {
    const { isObject, index } = this.#stack.pop()!;
    if (this.#stack.length === 0 && !isObject) this.#elementCount = index;
    this.#behindValue();
    return true;
  }

  #behindValue(): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) return;
    frame.expects = 'next';
    frame.index += 1;
  }

  #finishValue(): void {
    const reading = this.#reading;
    this.#reading = undefined;
    if (reading === 'key') {
      this.#finishKey();
    } else {
      if (reading === 'small-object' || reading === 'unread') this.#finishObject(this.#stack.at(-1)!, reading);
      else if (reading !== 'skipped') this.#finishRead(this.#stack.at(-1)!, reading);
      this.#behindValue();
    }
  }

  #finishKey(): void {
    const frame = this.#stack.at(-1)!;
    const result = this.#reader.take();
    frame.expects = 'colon';
    frame.key = 'fault' in result ? undefined : String(result.value);
    if ('fault' in result) this.#addError(result.fault);
  }

  #finishObject({ key, values }: Frame, reading: 'small-object' | 'unread'): void {
    if (reading === 'unread') this.#unread!.end();
    const value = this.#reader.takeSmall();
    if (key !== undefined && value !== undefined && values.size < surroundingValuesMax) values.set(key, value);
  }

  #finishRead(frame: Frame, reading: Reading | undefined): void {
    const result = this.#reader.take();
    const { list, key } = frame;
    if ('fault' in result) {
      this.#addError(result.fault);
    } else if (reading === 'element') {
      const isRepaired = result.isRepaired === true;
      this.#elements.push({ pointer: this.#here(), key, list: list!, value: result.value, isRepaired });
    } else if (reading === 'surrounding') {
      if (frame.values.size < surroundingValuesMax && isShort(result.value)) frame.values.set(key!, result.value);
    } else if (result.value !== null) {
      // A list that is null was never filled.
      this.#addError(elementFault('no-list', `expected an array or an object, found a ${typeof result.value}`).fault);
    }
  }

  /** The value at hand; of an object with a broken key, the object. */
  #here(): string {
    const frame = this.#stack.at(-1);
    if (frame === undefined) return '';
    if (!frame.isObject) return `${frame.pointer}/${frame.index}`;
    return frame.key === undefined ? frame.pointer : `${frame.pointer}/${escapePart(frame.key)}`;
  }

  #addError(error: JsonFault): void {
    this.#elements.push({ pointer: this.#here(), error });
  }

  #giveUp(code: JsonFault['code'], reason: string): true {
    this.#addError({ code, scope: 'rest', reason });
    this.isDone = true;
    return true;
  }
}

const isShort = (value: unknown): boolean => typeof value !== 'string' || value.length <= surroundingTextMax;

const found = (byte: number, offset: number): string => `found ${describeByte(byte)} (byte ${offset})`;
