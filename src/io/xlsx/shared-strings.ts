import { unescaped } from './cell-values.ts';
import { StoredTexts } from './stored-texts.ts';
import { WorkbookFault, type PartHandler } from './xml-reader.ts';

/** Characters that are held in memory: 64 MiB. */
const heldMax = 32 * 2 ** 20;
/** What an entry takes besides its text, in characters. */
const entryLength = 32;
const textLengthMax = 2 ** 20;

/**
 * The texts of a workbook, by their numbers: cells refer to them. Filled from the part `sharedStrings.xml`.
 *
 * The first 64 MiB are held in memory; the others are in a temporary database until `release`.
 */
export class SharedStrings implements PartHandler {
  readonly #heldMax: number;
  readonly #texts: string[] = [];
  #held = 0;
  #count = 0;
  #stored: StoredTexts | undefined;
  #text = '';
  #isText = false;
  #isPhonetic = false;

  /** @param lengthMax Characters in memory. */
  constructor(lengthMax = heldMax) {
    this.#heldMax = lengthMax;
  }

  get(index: number): string | undefined {
    return this.#texts[index] ?? (index < this.#count ? this.#stored?.get(index) : undefined);
  }

  /** Removes what is stored. */
  release(): void {
    this.#stored?.close();
  }

  close(name: string): void {
    if (name === 't') this.#isText = false;
    else if (name === 'rPh') this.#isPhonetic = false;
    else if (name === 'si') this.#add(unescaped(this.#text));
  }

  open(name: string): void {
    if (name === 'si') this.#text = '';
    else if (name === 't') this.#isText = !this.#isPhonetic;
    else if (name === 'rPh') this.#isPhonetic = true;
  }

  text(text: string): void {
    if (this.#isText) this.#text += text;
    if (this.#text.length > textLengthMax) throw new WorkbookFault('one of its texts is too long');
  }

  #add(text: string): void {
    const index = this.#count++;
    this.#held += text.length + entryLength;
    if (this.#held <= this.#heldMax) this.#texts.push(text);
    else {
      this.#stored ??= new StoredTexts();
      this.#stored.add(index, text);
    }
  }
}
