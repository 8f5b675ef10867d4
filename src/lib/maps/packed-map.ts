/** Entries that are held as they are, for ordinary sizes: faster to find. */
const plainMax = 20_000;
const chunkBytes = 1 << 20;
/** In UTF-16 units. Longer values are held unpacked. */
const packedLengthMax = 2_000;
/** In front of key and value: how many bytes each has. */
const headBytes = 4;
/** Entries begin at multiples of it, and their places are counted in it: up to 16 GB. */
const alignment = 4;

/**
 * Names by ids, for a million of them: after the first 20,000, each takes its bytes in UTF-8 and some 20 more, while a
 * `Map` takes a hundred and more. Entries cannot be removed, and setting one again takes its space again.
 */
export class PackedMap {
  /** The first ones, and what cannot be packed: long texts, halves of characters, and keys that are not ASCII. */
  readonly #plain = new Map<string, string>();
  readonly #plainMax: number;
  readonly #chunks: Buffer[] = [];
  /** In bytes: position at which the next entry may begin. Not 0, which marks a free slot. */
  #end = alignment;
  /** Places of entries, each by the hash of its key or behind. At least half of them are free. */
  #slots = new Uint32Array(1 << 16);
  #packedCount = 0;
  #size = 0;

  constructor(plain = plainMax) {
    this.#plainMax = plain;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): string | undefined {
    const plain = this.#plain.get(key);
    if (plain !== undefined || this.#packedCount === 0) return plain;
    const place = this.#slots[this.#slotOf(key)]!;
    if (place === 0) return undefined;
    const { chunk, valueAt, endAt } = this.#entryAt(place);
    return chunk.toString('utf8', valueAt, endAt);
  }

  set(key: string, value: string): void {
    const before = this.get(key);
    if (before === undefined) this.#size++;
    else if (before === value) return;
    const isPlain = this.#plain.has(key) || (before === undefined && this.#plain.size < this.#plainMax);
    if (isPlain || !isPackable(key, value)) this.#plain.set(key, value);
    else this.#pack(key, value);
  }

  #pack(key: string, value: string): void {
    if (this.#packedCount * 2 >= this.#slots.length) this.#grow();
    const slot = this.#slotOf(key);
    if (this.#slots[slot] === 0) this.#packedCount++;
    this.#slots[slot] = this.#append(key, value);
  }

  #append(key: string, value: string): number {
    const length = headBytes + key.length + Buffer.byteLength(value);
    if ((this.#end % chunkBytes) + length > chunkBytes) this.#end = this.#chunks.length * chunkBytes;
    const at = this.#end % chunkBytes;
    if (at === 0 || this.#chunks.length === 0) this.#chunks.push(Buffer.allocUnsafeSlow(chunkBytes));
    const chunk = this.#chunks.at(-1)!;
    chunk.writeUInt16LE(key.length, at);
    chunk.writeUInt16LE(length - headBytes - key.length, at + 2);
    chunk.write(key, at + headBytes, 'latin1');
    chunk.write(value, at + headBytes + key.length);
    const place = this.#end / alignment;
    this.#end += Math.ceil(length / alignment) * alignment;
    return place;
  }

  #entryAt(place: number) {
    const at = (place * alignment) % chunkBytes;
    const chunk = this.#chunks[(place * alignment - at) / chunkBytes]!;
    const keyAt = at + headBytes;
    const valueAt = keyAt + chunk[at]! + 256 * chunk[at + 1]!;
    return { chunk, keyAt, valueAt, endAt: valueAt + chunk[at + 2]! + 256 * chunk[at + 3]! };
  }

  /** The slot of a key, or the free one where it belongs. */
  #slotOf(key: string): number {
    let sum = hashStart;
    for (let at = 0; at < key.length; at++) sum = hashed(sum, key.charCodeAt(at));
    let slot = this.#firstSlot(sum);
    for (let place = this.#slots[slot]!; place !== 0 && !this.#isKeyAt(place, key); place = this.#slots[slot]!)
      slot = this.#next(slot);
    return slot;
  }

  #isKeyAt(place: number, key: string): boolean {
    const { chunk, keyAt, valueAt } = this.#entryAt(place);
    if (valueAt - keyAt !== key.length) return false;
    for (let at = 0; at < key.length; at++) if (chunk[keyAt + at] !== key.charCodeAt(at)) return false;
    return true;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (const place of before) {
      if (place === 0) continue;
      const { chunk, keyAt, valueAt } = this.#entryAt(place);
      let sum = hashStart;
      for (let at = keyAt; at < valueAt; at++) sum = hashed(sum, chunk[at]!);
      let slot = this.#firstSlot(sum);
      while (this.#slots[slot] !== 0) slot = this.#next(slot);
      this.#slots[slot] = place;
    }
  }

  #firstSlot(sum: number): number {
    return (sum ^ (sum >>> 15)) & (this.#slots.length - 1);
  }

  #next(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }
}

/** FNV-1a. */
const hashStart = 0x811c9dc5;
const hashed = (sum: number, unit: number): number => Math.imul(sum ^ unit, 0x01000193);

const isAscii = /^[\0-\x7f]*$/;

const isPackable = (key: string, value: string): boolean =>
  key.length <= packedLengthMax && value.length <= packedLengthMax && isAscii.test(key) && value.isWellFormed();
