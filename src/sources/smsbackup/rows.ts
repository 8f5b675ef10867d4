import { XmlElements, type XmlHandler } from '../../io/xml-elements.ts';

/** Place of a value in the file, in bytes. */
interface ValueRange {
  readonly start: number;
  readonly length: number;
}

/** A part of an MMS: a text, or a file. */
export interface Part {
  readonly attributes: ReadonlyMap<string, string>;
  /** Its base64 in the file. */
  readonly data: ValueRange | undefined;
}

/** A message of a backup. */
export interface BackupRow {
  readonly kind: 'sms' | 'mms';
  readonly attributes: ReadonlyMap<string, string>;
  readonly line: number;
  readonly isCut: boolean;
  readonly parts: readonly Part[];
  readonly addresses: readonly ReadonlyMap<string, string>[];
}

/** Parts and addresses of one message: no phone sends more. */
const membersMax = 1000;

type Open = { -readonly [Key in keyof BackupRow]: BackupRow[Key] } & {
  parts: Part[];
  addresses: ReadonlyMap<string, string>[];
};

/** Collects the rows of a backup from its elements. Holds nothing of files. */
export class BackupRows implements XmlHandler {
  readonly unheld = 'data';
  readonly #xml = new XmlElements(this, true);
  /** Whole rows that were not taken yet. */
  rows: BackupRow[] = [];
  /** Of the first element. */
  head: ReadonlyMap<string, string> | undefined;
  /** The first element was closed. */
  isWhole = false;
  #open: Open | undefined;
  /** Of the element that is read. */
  #data: ValueRange | undefined;
  #isCut = false;

  push(chunk: Uint8Array): void {
    this.#xml.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1'));
  }

  place(start: number, end: number): void {
    const first = this.#data?.start ?? start;
    if (end > first) this.#data = { start: first, length: end - first };
  }

  damage(part: 'tag' | 'attributes' | 'content'): void {
    this.#isCut ||= part !== 'content';
  }

  text(): void {}

  /** Whether a row began that has not ended. */
  get isInRow(): boolean {
    return this.#open !== undefined;
  }

  open(name: string, attributes: ReadonlyMap<string, string>, line: number): void {
    const [data, isCut] = [this.#data, this.#isCut];
    [this.#data, this.#isCut] = [undefined, false];
    if (name === 'smses') this.head ??= attributes;
    else if (name === 'sms' || name === 'mms') {
      // A row inside of a row: the end of the first is lost.
      if (this.#open) this.rows.push({ ...this.#open, isCut: true });
      this.#open = { kind: name, attributes, line, isCut, parts: [], addresses: [] };
    } else if (this.#open) {
      this.#open.isCut ||= isCut;
      const { parts, addresses } = this.#open;
      if (parts.length + addresses.length >= membersMax) this.#open.isCut = true;
      else if (name === 'part') parts.push({ attributes, data });
      else if (name === 'addr') addresses.push(attributes);
    }
  }

  close(name: string): void {
    if (name === 'smses') this.isWhole = true;
    if (!this.#open || name !== this.#open.kind) return;
    this.rows.push(this.#open);
    this.#open = undefined;
  }

  take(): readonly BackupRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }
}
