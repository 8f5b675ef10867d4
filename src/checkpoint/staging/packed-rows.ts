import { idOfStored, storedId } from '../../lib/text/stored-id.ts';
import { muidLength, type StagedRow } from './staged-item.ts';

/**
 * Rows whose texts stand one behind the other in one run of bytes, UTF-8: they cross from one thread to another as they are, and
 * SQLite takes them apart. To bind a number takes a third of the time of binding a short text, and a fifteenth of binding a long one
 * (measured).
 */
export interface PackedRows {
  readonly text: Uint8Array<ArrayBuffer>;
  /** Of each row `numbersPerRow`: where its texts start, counted from 1; times in ms (no number: none); lengths of its texts in bytes. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Ids of senders at the source, and the different texts of facts: of each row the number of its own, facts -1 where there are none. */
  readonly senders: readonly string[];
  readonly facts: readonly string[];
  readonly senderOf: Int32Array;
  readonly factsOf: Int32Array;
}

/** The texts of a row stand in this order, behind its muid and digest; those that may be absent have no length then. */
export const packedTexts = ['id', 'key', 'place', 'root', 'facts', 'reason', 'payload'] as const;
/** Its numbers stand in this order. */
export const packedNumbers = ['start', 'sent_at', 'edited_at', ...packedTexts.map((name) => `${name}_bytes`)];
export const numbersPerRow = packedNumbers.length;
/** Characters of what `recordDigest` makes. */
export const digestLength = 22;
const headLength = muidLength + digestLength;

/** Bytes at first: of some dozen rows. */
const roomAtFirst = 64 * 1024;
/** What a list took beyond this is given back. */
const roomKept = 1024 * 1024;
/** In UTF-8, of a unit of UTF-16. */
const bytesPerCharMax = 3;

/** Characters. A longer payload crosses as it is: the room that is made for it here would be three times as long. */
const payloadMax = 64 * 1024;

/** Whether a row can be packed, as nearly all can: not a reject, nor very long, nor a part of a text, nor one with reactions to be replayed or files of the export. */
export function isPackable(row: StagedRow): boolean {
  const { verdict, reason, detail, muid, originId, sortKey, recordDigest, part, reactions, files } = row;
  const hasItsReason = verdict === 'planned' ? reason === null : verdict === 'skipped' && Boolean(reason);
  const isIdentified = muid?.length === muidLength && recordDigest?.length === digestLength;
  const isWhole =
    detail === null && part === undefined && !reactions && !files && (row.payload?.length ?? 0) <= payloadMax;
  return isIdentified && hasItsReason && isWhole && Boolean(originId && sortKey);
}

/** Writes rows one behind the other. */
export class RowPacker {
  #text = Buffer.allocUnsafeSlow(roomAtFirst);
  #at = 0;
  #numbers: number[] = [];

  /** The bytes so far; overwritten once they were taken. */
  get text(): Uint8Array {
    return this.#text.subarray(0, this.#at);
  }

  /** Of all rows so far, one behind the other. */
  get numbers(): readonly number[] {
    return this.#numbers;
  }

  get rowCount(): number {
    return this.#numbers.length / numbersPerRow;
  }

  /** @param row One that `isPackable`. @returns Bytes of its payload. */
  add(row: StagedRow): number {
    const { payload, place } = row;
    const id = storedId(row.originId!);
    const key = row.sortKey === id ? '' : row.sortKey!;
    const [root, facts, reason] = [row.rootMuid ?? '', row.facts ?? '', row.reason ?? ''];
    const short = row.muid! + row.recordDigest! + id + key + place + root + facts + reason;
    this.#makeRoom((short.length + (payload?.length ?? 0)) * bytesPerCharMax);
    const start = this.#at;
    this.#at += this.#text.write(short, start);
    const bytesOf = this.#at - start === short.length ? lengthOfAscii : this.#writeOneByOne(start + headLength);
    this.#numbers.push(
      // SQLite counts from 1, and takes what is no number for NULL.
      start + 1,
      row.sentAtMs ?? Number.NaN,
      row.editedAtMs ?? Number.NaN,
      bytesOf(id),
      bytesOf(key),
      bytesOf(place),
      bytesOf(root),
      bytesOf(facts),
      bytesOf(reason),
    );
    const payloadBytes = payload === null ? 0 : this.#text.write(payload, this.#at);
    this.#at += payloadBytes;
    this.#numbers.push(payloadBytes);
    return payloadBytes;
  }

  /** Begins anew. */
  clear(): void {
    if (this.#text.length > roomKept) this.#text = Buffer.allocUnsafeSlow(roomAtFirst);
    this.#at = 0;
    this.#numbers = [];
  }

  /** Texts that are not all ASCII: from here on, each is written by itself. @returns Writes one, and gives its length in bytes. */
  #writeOneByOne(start: number): (text: string) => number {
    this.#at = start;
    return (text) => {
      const byteCount = this.#text.write(text, this.#at);
      this.#at += byteCount;
      return byteCount;
    };
  }

  #makeRoom(byteCount: number): void {
    const needed = this.#at + byteCount;
    if (needed <= this.#text.length) return;
    const text = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#text.length));
    this.#text.copy(text, 0, 0, this.#at);
    this.#text = text;
  }
}

const lengthOfAscii = (text: string): number => text.length;

/** Bytes of a packed row, from where its texts start. */
export function byteLengthOf(numbers: ArrayLike<number>, at: number): number {
  let sum = headLength;
  for (let index = 3; index < numbersPerRow; index++) sum += numbers[at + index]!;
  return sum;
}

/** What is counted of a packed row; the rest stays packed. */
export type RowOutline = Pick<StagedRow, 'verdict' | 'reason' | 'facts' | 'sentAtMs' | 'rootMuid' | 'part'> & {
  /** Of the payload, where there is one. */
  readonly bytes: number | null;
};

const orNull = (number: number): number | null => (Number.isNaN(number) ? null : number);

export function outlineOf({ text, numbers, facts, factsOf }: PackedRows, index: number): RowOutline {
  const at = index * numbersPerRow;
  const [reasonBytes, payloadBytes] = [numbers[at + 8]!, numbers[at + 9]!];
  return {
    verdict: reasonBytes === 0 ? 'planned' : 'skipped',
    reason: reasonBytes === 0 ? null : textAt(text, endOf(numbers, at) - payloadBytes - reasonBytes, reasonBytes),
    facts: facts[factsOf[index]!] ?? null,
    sentAtMs: orNull(numbers[at + 1]!),
    rootMuid: numbers[at + 6] === 0 ? null : '',
    part: undefined,
    bytes: payloadBytes === 0 ? null : payloadBytes,
  };
}

const endOf = (numbers: ArrayLike<number>, at: number) => numbers[at]! - 1 + byteLengthOf(numbers, at);

const textAt = ({ buffer, byteOffset }: Uint8Array, at: number, byteCount: number): string =>
  Buffer.from(buffer, byteOffset + at, byteCount).toString();

/** What a row said that was packed: its source, workspace and conversation stand with the rows around it. */
export function unpackRow(
  rows: PackedRows,
  index: number,
  of: Pick<StagedRow, 'source' | 'workspace' | 'conversation'>,
): StagedRow {
  const { text, numbers, senders, senderOf } = rows;
  const { verdict, reason, facts, sentAtMs } = outlineOf(rows, index);
  const at = index * numbersPerRow;
  let next = numbers[at]! - 1;
  const take = (byteCount: number) => {
    next += byteCount;
    return textAt(text, next - byteCount, byteCount);
  };
  const [muid, recordDigest] = [take(muidLength), take(digestLength)];
  const [id, key, place, root] = [3, 4, 5, 6].map((number) => take(numbers[at + number]!));
  next += numbers[at + 7]! + numbers[at + 8]!;
  const payload = take(numbers[at + 9]!);
  return {
    ...of,
    muid,
    sender: senders[senderOf[index]!]!,
    originId: idOfStored(id!),
    sentAtMs,
    sortKey: key || id!,
    editedAtMs: orNull(numbers[at + 2]!),
    recordDigest,
    verdict,
    reason,
    detail: null,
    payload: payload || null,
    rootMuid: root || null,
    facts,
    place: place!,
    part: undefined,
    reactions: undefined,
    files: undefined,
  };
}
