/** Letters of base32 (RFC 4648), in lower case. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Value of a letter, by its code. */
const bitsOf = new Uint8Array(128);
for (let bits = 0; bits < alphabet.length; bits += 1) bitsOf[alphabet.charCodeAt(bits)] = bits;

/** A key has twenty letters, 100 bits: four words of five letters each. */
const wordsPerKey = 4;
const lettersPerWord = 5;

const firstCapacity = 1024;

/**
 * How often each of the latest keys came. Keys are beginnings of hashes in base32; those that came longest ago are forgotten.
 *
 * Held as numbers, 24 bytes a key and room for as many again: as strings in a `Map` they cost five times the time, half of it for
 * collecting garbage.
 */
export class RecentKeys {
  readonly #rememberedMax: number;
  /** Keys in the order in which they came last, and how often that was: 0 where one was forgotten, or came again behind. */
  #words = new Uint32Array(firstCapacity * wordsPerKey);
  #counts = new Uint32Array(firstCapacity);
  /** Places of keys, from 1, each at its hash or behind. At least half of them are free. */
  #slots = new Uint32Array(2 * firstCapacity);
  #oldest = 0;
  #end = 0;
  #size = 0;
  /** The key at hand. */
  readonly #key = new Uint32Array(wordsPerKey);

  constructor(rememberedMax: number) {
    this.#rememberedMax = rememberedMax;
  }

  /** @param text Begins with the key. @returns how often the key has come, this time included. */
  add(text: string): number {
    this.#take(text);
    const before = this.#find();
    const count = before === undefined ? 1 : this.#counts[before]! + 1;
    if (before !== undefined) this.#forget(before);
    this.#append(count);
    if (this.#size > this.#rememberedMax) this.#forget(this.#oldest);
    return count;
  }

  clear(): void {
    this.#slots.fill(0);
    this.#oldest = 0;
    this.#end = 0;
    this.#size = 0;
  }

  #take(text: string): void {
    for (let word = 0, at = 0; word < wordsPerKey; word++) {
      let bits = 0;
      for (const end = at + lettersPerWord; at < end; at++) bits = (bits << 5) | bitsOf[text.charCodeAt(at)]!;
      this.#key[word] = bits;
    }
  }

  #find(): number | undefined {
    for (let slot = this.#slotOf(this.#key[0]!); this.#slots[slot] !== 0; slot = this.#next(slot)) {
      const place = this.#slots[slot]! - 1;
      if (this.#counts[place]! > 0 && this.#isAt(place)) return place;
    }
    return undefined;
  }

  #isAt(place: number): boolean {
    const from = place * wordsPerKey;
    for (let word = 0; word < wordsPerKey; word++) if (this.#words[from + word] !== this.#key[word]) return false;
    return true;
  }

  #append(count: number): void {
    if (this.#end === this.#counts.length) this.#makeRoom();
    this.#words.set(this.#key, this.#end * wordsPerKey);
    this.#counts[this.#end] = count;
    this.#size += 1;
    this.#enter(this.#end++);
  }

  #enter(place: number): void {
    let slot = this.#slotOf(this.#words[place * wordsPerKey]!);
    while (this.#slots[slot] !== 0) slot = this.#next(slot);
    this.#slots[slot] = place + 1;
  }

  #forget(place: number): void {
    this.#counts[place] = 0;
    this.#size -= 1;
    while (this.#oldest < this.#end && this.#counts[this.#oldest] === 0) this.#oldest += 1;
  }

  /** Moves the remembered keys to the front, and doubles the capacity if they fill more than half of it. */
  #makeRoom(): void {
    const capacity = this.#counts.length * (2 * this.#size > this.#counts.length ? 2 : 1);
    const [words, counts, end] = [this.#words, this.#counts, this.#end];
    this.#words = new Uint32Array(capacity * wordsPerKey);
    this.#counts = new Uint32Array(capacity);
    this.#slots = new Uint32Array(2 * capacity);
    this.#end = 0;
    for (let place = this.#oldest; place < end; place++) {
      if (counts[place] === 0) continue;
      this.#words.set(words.subarray(place * wordsPerKey, (place + 1) * wordsPerKey), this.#end * wordsPerKey);
      this.#counts[this.#end] = counts[place]!;
      this.#enter(this.#end++);
    }
    this.#oldest = 0;
  }

  /** The lower bits of a hash are as good as any. */
  #slotOf(word: number): number {
    return word & (this.#slots.length - 1);
  }

  #next(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }
}
