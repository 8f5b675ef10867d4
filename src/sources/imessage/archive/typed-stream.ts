/**
 * Reads a typedstream, the archives of NSArchiver. Apple documents it nowhere; what is known of it is in
 * https://github.com/dgelessus/python-typedstream (looked at 2026-11).
 *
 * Groups of values, each behind the types that it has. An integer is one byte, or behind a tag two or four. Strings of types and
 * names, and objects with their classes, are written once; later they are numbers, counted from -110 on.
 *
 *     04 0b "streamtyped" 81 e8 03
 *     84 01 "@"  84 84 84 12 "NSAttributedString" 00 84 84 08 "NSObject" 00 85
 *       92         84 84 84 08 "NSString" 01 94   84 01 "+"  05 "Hello"  86
 *       84 02 "iI" 01 05
 *       92         84 84 84 0c "NSDictionary" 00 94  84 01 "i" 01  … 86
 *     86
 */

/** An archived object: its class, and its values in the order of the stream. */
export interface ArchivedObject {
  readonly className: string;
  readonly values: readonly ArchivedValue[];
}
export type ArchivedValue = ArchivedObject | Uint8Array | number | null;

/** Begins every stream of a little-endian machine. */
const magic = Buffer.from('\x04\x0bstreamtyped', 'latin1');

const isTypedStream = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, magic.length)).equals(magic);

const tags = { int16: -127, int32: -126, float: -125, new: -124, nil: -123, end: -122 } as const;
const firstReference = -110;

/** Objects inside of objects; texts have a handful. */
const depthMax = 32;
/** Values of one stream: types can ask for any number of values that take no bytes. */
const valuesMax = 100_000;

/**
 * The first object of a stream.
 *
 * @throws RangeError if the bytes are no such stream, or end too early.
 */
export function readTypedStream(bytes: Uint8Array): ArchivedObject {
  if (!isTypedStream(bytes)) throw new RangeError('Expected a typedstream');
  const [root] = new TypedStream(bytes).group();
  if (!isArchivedObject(root)) throw new RangeError('Expected an object');
  return root;
}

export const isArchivedObject = (value: ArchivedValue | undefined): value is ArchivedObject =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

/** An object, or the name of a class: both are counted together. */
type Shared = { readonly className: string; readonly values: ArchivedValue[] } | string | Uint8Array;

class TypedStream {
  readonly #bytes: Buffer;
  readonly #strings: string[] = [];
  readonly #shared: Shared[] = [];
  #at = magic.length;
  #depth = 0;
  #valueCount = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    // The version of the system that wrote it.
    this.#integer(this.#head());
  }

  group(head = this.#head()): ArchivedValue[] {
    const types = this.#string(head);
    if (types === null) throw new RangeError('Expected types');
    const values: ArchivedValue[] = [];
    for (let at = 0; at < types.length; ) {
      const length = typeLength(types, at);
      const value = this.#value(types.slice(at, at + length));
      if (Array.isArray(value)) values.push(...value);
      else values.push(value);
      at += length;
    }
    return values;
  }

  #value(type: string): ArchivedValue | ArchivedValue[] {
    if (++this.#valueCount > valuesMax) throw new RangeError('Too many values');
    switch (type[0]) {
      case '@':
        return this.#object(this.#head());
      case '+':
        return this.#unshared(this.#head());
      case '*':
        return this.#cString(this.#head());
      case '#':
        this.#class(this.#head());
        return null;
      case ':':
      case '%': {
        const word = this.#string(this.#head());
        return word === null ? null : Buffer.from(word, 'latin1');
      }
      case 'c':
      case 'C':
      case 'B':
        return this.#take(1)[0]!;
      case 'f':
      case 'd':
        return this.#float(type[0], this.#head());
      case '[':
        return this.#array(type);
      case '{':
        return this.#struct(type);
      default:
        if (!/^[silqSILQ]$/.test(type)) throw new RangeError('Unknown type');
        return this.#integer(this.#head());
    }
  }

  #object(head: number): ArchivedObject | null {
    if (head === tags.nil) return null;
    if (head !== tags.new) {
      const known = this.#reference(head);
      if (typeof known === 'string' || known instanceof Uint8Array) throw new RangeError('Expected an object');
      return known;
    }
    if (++this.#depth > depthMax) throw new RangeError('Too deep');
    const place = this.#shared.push('') - 1;
    const object = { className: this.#class(this.#head()), values: [] as ArchivedValue[] };
    this.#shared[place] = object;
    for (let next = this.#head(); next !== tags.end; next = this.#head()) {
      for (const value of this.group(next)) object.values.push(value);
    }
    this.#depth -= 1;
    return object;
  }

  /** @returns the name of the class itself; those above it are passed over. */
  #class(first: number): string {
    let name: string | undefined;
    let head = first;
    while (head === tags.new) {
      const own = this.#string(this.#head()) ?? '';
      this.#integer(this.#head());
      this.#shared.push(own);
      name ??= own;
      head = this.#head();
    }
    if (head === tags.nil) return name ?? '';
    const known = this.#reference(head);
    if (typeof known !== 'string') throw new RangeError('Expected a class');
    return name ?? known;
  }

  #cString(head: number): Uint8Array | null {
    if (head === tags.nil) return null;
    if (head !== tags.new) {
      const known = this.#reference(head);
      if (!(known instanceof Uint8Array)) throw new RangeError('Expected a string');
      return known;
    }
    const string = Buffer.from(this.#string(this.#head()) ?? '', 'latin1');
    this.#shared.push(string);
    return string;
  }

  #reference(head: number): Shared {
    const known = this.#shared[this.#integer(head) - firstReference];
    if (known === undefined) throw new RangeError('Unknown reference');
    return known;
  }

  /** A string that later ones name by its number. */
  #string(head: number): string | null {
    if (head === tags.nil) return null;
    if (head !== tags.new) {
      const known = this.#strings[this.#integer(head) - firstReference];
      if (known === undefined) throw new RangeError('Unknown reference');
      return known;
    }
    const string = Buffer.from(this.#unshared(this.#head()) ?? []).toString('latin1');
    this.#strings.push(string);
    return string;
  }

  #unshared(head: number): Uint8Array | null {
    return head === tags.nil ? null : this.#take(this.#length(head));
  }

  /** `[12c]`: twelve values of a type. */
  #array(type: string): ArchivedValue[] | Uint8Array {
    const [, digits, inner] = /^\[(\d{1,9})(.*)\]$/s.exec(type) ?? [];
    if (inner === undefined) throw new RangeError('Unknown type');
    const count = Number(digits);
    if (inner === 'c' || inner === 'C') return this.#take(count);
    if (count > this.#bytes.length - this.#at) throw new RangeError('Too short');
    return Array.from({ length: count }, () => this.#value(inner)).flat();
  }

  #struct(type: string): ArchivedValue[] {
    const fields = type.slice(type.indexOf('=') + 1, -1);
    const values: ArchivedValue[] = [];
    for (let at = 0; at < fields.length; ) {
      const length = typeLength(fields, at);
      values.push(...[this.#value(fields.slice(at, at + length))].flat());
      at += length;
    }
    return values;
  }

  #float(type: 'f' | 'd', head: number): number {
    if (head !== tags.float) return this.#integer(head);
    return type === 'f' ? this.#take(4).readFloatLE() : this.#take(8).readDoubleLE();
  }

  #head(): number {
    return this.#take(1).readInt8();
  }

  #integer(head: number): number {
    if (head === tags.int16) return this.#take(2).readInt16LE();
    if (head === tags.int32) return this.#take(4).readInt32LE();
    if (head < firstReference) throw new RangeError('Expected an integer');
    return head;
  }

  #length(head: number): number {
    if (head === tags.int16) return this.#take(2).readUInt16LE();
    if (head === tags.int32) return this.#take(4).readUInt32LE();
    if (head < firstReference) throw new RangeError('Expected a length');
    return head & 0xff;
  }

  #take(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new RangeError('Too short');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

/** Characters of the type that begins there: brackets hold others. */
function typeLength(types: string, start: number): number {
  let depth = 0;
  for (let at = start; at < types.length; at++) {
    if ('[{('.includes(types[at]!)) depth += 1;
    else if (']})'.includes(types[at]!)) depth -= 1;
    if (depth === 0) return at - start + 1;
  }
  throw new RangeError('Unknown type');
}
