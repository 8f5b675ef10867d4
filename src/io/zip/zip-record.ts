import { isUtf8 } from 'node:buffer';
import { zlib } from '../../lib/late.ts';

/** Bytes of a record before its name, extra fields and comment, whose lengths it names. */
export const recordHeadBytes = 46;
const recordSignature = 0x02014b50;
/** Marks a value that is in the ZIP64 field. */
const inZip64 = 0xffffffff;
const zip64Id = 0x0001;
/** Offsets of size, packed size and offset in the record. */
const zip64Places = [24, 20, 42];

/** Length of the record at `at`. Nothing if no record begins there, or `bytes` end before its name. */
export function recordBytesAt(bytes: Buffer, at: number): number | undefined {
  if (at + recordHeadBytes > bytes.length || bytes.readUInt32LE(at) !== recordSignature) return undefined;
  return recordHeadBytes + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
}

/**
 * One record of the central directory (APPNOTE.TXT 6.3.10, section 4.3.12), read from the bytes when it is asked:
 * most of a record is never looked at, and a directory may have millions. Valid as long as the bytes are.
 */
export class ZipRecord {
  readonly #bytes: Buffer;
  readonly #at: number;
  readonly #prefixBytes: number;

  /** @param bytes Hold the whole record, which begins at `at`. @param prefixBytes Before the archive in its file, where offsets do not count them. */
  constructor(bytes: Buffer, at: number, prefixBytes = 0) {
    this.#bytes = bytes;
    this.#at = at;
    this.#prefixBytes = prefixBytes;
  }

  /** 3 Unix, 19 macOS, 0 MS-DOS, 10 and 14 Windows: says what `attributes` mean. */
  get host(): number {
    return this.#bytes[this.#at + 5]!;
  }

  get flags(): number {
    return this.#bytes.readUInt16LE(this.#at + 8);
  }

  get method(): number {
    return this.#bytes.readUInt16LE(this.#at + 10);
  }

  get crc(): number {
    return this.#bytes.readUInt32LE(this.#at + 16);
  }

  /** NaN, like the next two, if it should be in a ZIP64 field and is not. */
  get packedBytes(): number {
    return this.#long(20);
  }

  get sizeBytes(): number {
    return this.#long(24);
  }

  get offset(): number {
    return this.#long(42) + this.#prefixBytes;
  }

  /** Upper 16 bits: the Unix file mode, if the host has one. */
  get attributes(): number {
    return this.#bytes.readUInt32LE(this.#at + 38);
  }

  get nameLength(): number {
    return this.#bytes.readUInt16LE(this.#at + 28);
  }

  get name(): Buffer {
    return this.#bytes.subarray(this.#nameStart, this.#nameStart + this.nameLength);
  }

  /** The name with a character for each byte: the name itself, if it is ASCII. */
  get nameAsLatin1(): string {
    return this.#bytes.toString('latin1', this.#nameStart, this.#nameStart + this.nameLength);
  }

  /** Returns the data of one extra field. Anything that does not look like a field ends the search: some writers pad with zeros. */
  extraField(id: number): Buffer | undefined {
    const bytes = this.#bytes;
    let at = this.#nameStart + this.nameLength;
    const end = at + bytes.readUInt16LE(this.#at + 30);
    while (at + 4 <= end) {
      const next = at + 4 + bytes.readUInt16LE(at + 2);
      if (next > end) return undefined;
      if (bytes.readUInt16LE(at) === id) return bytes.subarray(at + 4, next);
      at = next;
    }
    return undefined;
  }

  get #nameStart(): number {
    return this.#at + recordHeadBytes;
  }

  /** Returns a number of 32 bits, or of 64 if it did not fit: then it is in the ZIP64 field. */
  #long(place: number): number {
    const value = this.#bytes.readUInt32LE(this.#at + place);
    return value === inZip64 ? this.#zip64Value(place) : value;
  }

  /** The field holds only the numbers that did not fit, in the order of `zip64Places`. */
  #zip64Value(place: number): number {
    const before = zip64Places.slice(0, zip64Places.indexOf(place));
    const at = 8 * before.filter((other) => this.#bytes.readUInt32LE(this.#at + other) === inZip64).length;
    const field = this.extraField(zip64Id);
    return field !== undefined && at + 8 <= field.length ? readUInt64(field, at) : Number.NaN;
  }
}

/** Exact up to 2^53; a larger value is beyond the end of any file anyway. */
export const readUInt64 = (bytes: Buffer, at: number): number =>
  bytes.readUInt32LE(at + 4) * 2 ** 32 + bytes.readUInt32LE(at);

const utf8Flag = 0x800;
const unicodePathId = 0x7075;

/** Code page 437 from 0x80: the encoding of a ZIP name if nothing says otherwise. */
const upperCp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/**
 * The name of an entry with forward slashes. Its bytes are UTF-8 if a flag says so or an Info-ZIP field brings a UTF-8 name,
 * but also if they happen to be valid UTF-8 (macOS writes UTF-8 and does not say so); otherwise code page 437.
 * Backslashes become slashes, whatever system the writer names: PowerShell 5 writes them, and libraries that say Unix. Segments that say nothing
 * (`./a`, `a//b`) are taken out.
 */
export function decodeName(record: ZipRecord): string {
  const name = decodeText(record);
  const path = name.includes('\\') ? name.replaceAll('\\', '/') : name;
  if (!emptySegment.test(path)) return path;
  return path.replace(/(?<=.)\/(?:\.?\/)+/g, '/').replace(/^(?:\.\/+)+/, '');
}

const emptySegment = /^\.\/|\/\.?\//;

function decodeText(record: ZipRecord): string {
  const isMarkedUtf8 = (record.flags & utf8Flag) !== 0;
  const unicode = isMarkedUtf8 ? undefined : unicodePath(record);
  if (unicode !== undefined) return unicode;
  const latin1 = record.nameAsLatin1;
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  if (isMarkedUtf8 || isUtf8(record.name)) return record.name.toString('utf8');
  return latin1.replace(/[\x80-\xff]/g, (character) => upperCp437[character.charCodeAt(0) - 0x80]!);
}

/** Info-ZIP's Unicode path, if it belongs to the name in the record: version 1, CRC-32 of that name, then UTF-8. */
function unicodePath(record: ZipRecord): string | undefined {
  const field = record.extraField(unicodePathId);
  const isValid = field && field.length > 5 && field[0] === 1 && field.readUInt32LE(1) === zlib().crc32(record.name);
  return isValid ? field.toString('utf8', 5) : undefined;
}

/** Returns why a name must not be used, or undefined. Names are never made into paths here, but a person who unpacks by hand would do so. */
export function unsafeName(name: string): string | undefined {
  if (name === '') return 'its name is empty';
  if (name.includes('\0')) return 'its name contains a NUL character';
  if (name.startsWith('/') || (name[1] === ':' && /^[a-z]:/i.test(name))) return 'its name is an absolute path';
  if (name.includes('..') && /(?:^|\/)\.\.(?:\/|$)/.test(name)) return 'its name leads out of the archive';
  return undefined;
}
