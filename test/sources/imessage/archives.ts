/** Writes the archives that Messages keeps in its database: typedstreams and binary property lists. */

/** What is set for a piece of text, by the names of Apple: `true` is a number. */
export type Attributes = Readonly<Record<string, string | URL | true>>;

const magic = Buffer.from('\x04\x0bstreamtyped\x81\xe8\x03', 'latin1');
const firstReference = 0x92;

class Writer {
  #out: Buffer[] = [magic];
  readonly #strings: string[] = [];
  readonly #shared: (string | undefined)[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.#out);
  }

  byte(...bytes: number[]): void {
    this.#out.push(Buffer.from(bytes));
  }

  integer(value: number): void {
    if (value < 0x80) {
      this.byte(value);
      return;
    }
    const bytes = Buffer.alloc(value < 0x8000 ? 3 : 5);
    bytes[0] = value < 0x8000 ? 0x81 : 0x82;
    if (value < 0x8000) bytes.writeInt16LE(value, 1);
    else bytes.writeInt32LE(value, 1);
    this.#out.push(bytes);
  }

  raw(text: string): void {
    const bytes = Buffer.from(text);
    this.integer(bytes.length);
    this.#out.push(bytes);
  }

  types(types: string): void {
    const known = this.#strings.indexOf(types);
    if (known >= 0) {
      this.byte(firstReference + known);
      return;
    }
    this.#strings.push(types);
    this.byte(0x84);
    this.raw(types);
  }

  object(classes: readonly (readonly [name: string, version: number])[], content: () => void): void {
    this.byte(0x84);
    this.#shared.push(undefined);
    this.#class(classes);
    content();
    this.byte(0x86);
  }

  #class(classes: readonly (readonly [name: string, version: number])[]): void {
    for (const [name, version] of classes) {
      const known = this.#shared.indexOf(name);
      if (known >= 0) {
        this.byte(firstReference + known);
        return;
      }
      this.byte(0x84);
      this.types(name);
      this.byte(version);
      this.#shared.push(name);
    }
    this.byte(0x85);
  }

  string(text: string): void {
    this.types('@');
    this.object([['NSString', 1], object], () => {
      this.types('+');
      this.raw(text);
    });
  }

  value(value: string | URL | true): void {
    if (typeof value === 'string') {
      this.string(value);
      return;
    }
    this.types('@');
    if (value === true) {
      this.object([['NSNumber', 0], ['NSValue', 0], object], () => {
        this.types('*');
        this.byte(0x84);
        this.types('i');
        this.#shared.push(undefined);
        this.types('i');
        this.integer(1);
      });
    } else {
      this.object([['NSURL', 0], object], () => {
        this.types('c');
        this.byte(0);
        this.string(value.href);
      });
    }
  }
}

const object = ['NSObject', 0] as const;

/** An `attributedBody`: pieces of text, each with what is set for it. */
export function typedStream(...pieces: readonly (string | readonly [text: string, attributes: Attributes])[]): Buffer {
  const writer = new Writer();
  const runs = pieces.map((piece) => (typeof piece === 'string' ? ([piece, {}] as const) : piece));
  writer.types('@');
  writer.object([['NSAttributedString', 0], object], () => {
    writer.string(runs.map(([text]) => text).join(''));
    for (const [index, [text, attributes]] of runs.entries()) {
      writer.types('iI');
      writer.integer(index + 1);
      writer.integer(text.length);
      writer.types('@');
      writer.object([['NSDictionary', 0], object], () => {
        const all = Object.entries({ __kIMMessagePartAttributeName: true as const, ...attributes });
        writer.types('i');
        writer.integer(all.length);
        for (const [name, value] of all) {
          writer.string(name);
          writer.value(value);
        }
      });
    }
  });
  return writer.bytes;
}

type Plist = number | string | Buffer | Uid | readonly Plist[] | { readonly [key: string]: Plist };

class Uid {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** A binary property list, with numbers of two bytes for its objects. */
export function binaryPlist(root: Plist): Buffer {
  const objects: Buffer[] = [];
  addObject(root, objects);
  const offsets: number[] = [];
  let at = 8;
  for (const bytes of objects) {
    offsets.push(at);
    at += bytes.length;
  }
  const table = Buffer.concat(offsets.map((offset) => numberBytes(offset, 4)));
  const trailer = Buffer.concat([
    Buffer.from([0, 0, 0, 0, 0, 0, 4, 2]),
    numberBytes(objects.length, 8),
    numberBytes(0, 8),
    numberBytes(at, 8),
  ]);
  return Buffer.concat([Buffer.from('bplist00'), ...objects, table, trailer]);
}

function numberBytes(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, size - Math.min(size, 6), Math.min(size, 6));
  return bytes;
}

const sized = (kind: number, length: number): Buffer =>
  length < 15 ? Buffer.from([(kind << 4) | length]) : Buffer.from([(kind << 4) | 15, 0x11, length >> 8, length & 0xff]);

function addObject(value: Plist, objects: Buffer[]): number {
  const index = objects.push(Buffer.alloc(0)) - 1;
  const add = (members: readonly Plist[]) =>
    Buffer.concat(members.map((member) => numberBytes(addObject(member, objects), 2)));
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9);
    bytes[0] = Number.isInteger(value) ? 0x13 : 0x23;
    if (Number.isInteger(value)) bytes.writeBigInt64BE(BigInt(value), 1);
    else bytes.writeDoubleBE(value, 1);
    objects[index] = bytes;
  } else if (typeof value === 'string') {
    const wide = Buffer.from(value, 'utf16le').swap16();
    objects[index] = Buffer.concat([sized(6, value.length), wide]);
  } else if (Buffer.isBuffer(value)) objects[index] = Buffer.concat([sized(4, value.length), value]);
  else if (value instanceof Uid) objects[index] = Buffer.from([0x80, value.index]);
  else if (Array.isArray(value)) objects[index] = Buffer.concat([sized(0xa, value.length), add(value as Plist[])]);
  else {
    const entries = Object.entries(value as { readonly [key: string]: Plist });
    const keys = add(entries.map(([key]) => key));
    objects[index] = Buffer.concat([sized(0xd, entries.length), keys, add(entries.map(([, member]) => member))]);
  }
  return index;
}

/** A text in an archive of NSKeyedArchiver. */
export const keyedArchive = (text: string): Buffer =>
  binaryPlist({
    $version: 100_000,
    $archiver: 'NSKeyedArchiver',
    $top: { root: new Uid(1) },
    $objects: ['$null', { NSString: new Uid(2) }, { 'NS.string': new Uid(3) }, text],
  });
