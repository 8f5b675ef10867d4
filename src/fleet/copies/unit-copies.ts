import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { StoreError } from '../../lib/errors.ts';
import { replaceFile } from '../../lib/files/atomic-file.ts';
import type { Clock } from '../../lib/flow/clock.ts';
import { toStoreError } from '../../lib/sqlite.ts';
import { MediaFault, type MediaContent, type MediaLocation } from '../../media/media-location.ts';
import { tryAgain } from '../../media/try-again.ts';
import { ofFleet } from './fleet-files.ts';
import type { PackedFile } from './packed-file.ts';
import { sha256Hex } from '../../lib/hash.ts';

export interface UnitCopy {
  readonly key: string;
  /** Greater ones are newer. */
  readonly number: number;
}

/** Copies of a unit that are kept at least, with those that are pointed at. */
const keptMin = 3;
/** A copy that nothing points at may be about to be pointed at for as long. */
const strayMs = 24 * 3_600_000;

/**
 * Copies of units at the fleet's location. A name is never used twice, so no worker can replace what another wrote.
 * Transient faults are retried five times.
 *
 * Everything here @throws MediaFault if the location does not do what it should.
 */
export class UnitCopies {
  readonly #location: MediaLocation;
  readonly #options: { readonly clock: Clock; readonly random: () => number };

  /** The location stays the caller's, who closes it. @param options.random For names as well as waits: from no seed. */
  constructor(location: MediaLocation, options: { readonly clock: Clock; readonly random: () => number }) {
    this.#location = location;
    this.#options = options;
  }

  /**
   * @param number Greater than that of every copy before it.
   * @param announce Called with the key before the copy is written; if it throws, nothing is written.
   * @returns Its key.
   */
  async put(
    unit: string,
    number: number,
    packed: PackedFile & { readonly path: string },
    signal: AbortSignal,
    announce: (key: string) => Promise<void> = async () => {},
  ): Promise<string> {
    const key = copyKey(unit, number, this.#options.random);
    await announce(key);
    await this.#try(signal, (signal) => this.#location.put(key, toContent(packed), signal));
    return key;
  }

  /**
   * @param sha256 Undefined if it is no longer known. @param into Replaced once its sum is as expected. @throws
   *   StoreError if the copy is missing or differs, or the disk is full.
   */
  async fetch(key: string, sha256: string | undefined, into: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#try(signal, async (signal) => {
        await replaceFile(into, withSum(this.#location.read(key, signal), { key, sha256 }));
      });
    } catch (error) {
      if (error instanceof MediaFault && error.kind === 'never')
        throw new StoreError(`Cannot fetch the copy "${key}": ${error.message}`, {
          path: key,
          hint: before,
          cause: error,
        });
      throw toStoreError(error, into) ?? error;
    }
  }

  /** Newest first. */
  async list(unit: string, signal: AbortSignal): Promise<readonly UnitCopy[]> {
    const found = await this.#try(signal, async (signal) => {
      const copies: UnitCopy[] = [];
      for await (const key of this.#location.keys(signal, unitFolder(unit))) {
        const number = parseCopyNumber(unit, key);
        if (number !== undefined) copies.push({ key, number });
      }
      return copies;
    });
    return found.sort((a, b) => b.number - a.number || (a.key < b.key ? 1 : -1));
  }

  remove(key: string, signal: AbortSignal): Promise<void> {
    return this.#try(signal, (signal) => this.#location.remove(key, signal));
  }

  /**
   * Removes old copies. Keeps the referenced ones, and enough older ones to make three. A newer copy without a
   * reference may be about to get one, or is a stray: it is removed after a day, by the location's own clock. If no
   * referenced copy exists, nothing is removed: the references may be lost.
   */
  async sweep(unit: string, pointed: readonly string[], signal: AbortSignal): Promise<void> {
    const copies = await this.list(unit, signal);
    const newest = copies.find(({ key }) => pointed.includes(key));
    if (!newest) return;
    let keptCount = copies.filter(({ key }) => pointed.includes(key)).length;
    for (const { key, number } of copies) {
      if (pointed.includes(key)) continue;
      if (number >= newest.number ? await this.#isStray(key, signal) : ++keptCount > keptMin)
        await this.remove(key, signal);
    }
  }

  async #isStray(key: string, signal: AbortSignal): Promise<boolean> {
    const found = await this.#try(signal, (signal) => this.#location.head(key, signal));
    return (found?.ageMs ?? 0) > strayMs;
  }

  async #try<T>(signal: AbortSignal, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await tryAgain(request, { ...this.#options, signal });
    } catch (error) {
      throw ofFleet(error);
    }
  }
}

const before = 'Take the copy before it';

const toContent = ({ path, sizeBytes, sha256 }: PackedFile & { readonly path: string }): MediaContent => ({
  sizeBytes,
  sha256,
  contentType: 'application/zstd',
  disposition: '',
  open: () => createReadStream(path),
});

async function* withSum(
  bytes: AsyncIterable<Uint8Array>,
  wanted: { readonly key: string; readonly sha256: string | undefined },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  if (wanted.sha256 === undefined || hash.digest('hex') === wanted.sha256) return;
  throw new StoreError(`Cannot use the copy "${wanted.key}": its bytes are not those that were put there`, {
    path: wanted.key,
    hint: before,
  });
}

/** Format of copy names: `copies/<unit>/0000000012-9f3c0a6b52d1e847.zst`. A name contains nothing of the copy's content. */

/** Maximum length of a unit name that is written out; file systems take 255 bytes. */
const unitLengthMax = 160;

/**
 * Returns the folder for the copies of a unit. Small letters, digits and - are kept, each other byte becomes _ and two
 * hex digits, so that two units never share a folder, even if a file system ignores case. For a long name, uses its
 * beginning and its digest.
 */
export function unitFolder(unit: string): string {
  const encoded = [...Buffer.from(unit)].map(encodedByte).join('');
  // No byte is written with an h.
  const name =
    encoded.length <= unitLengthMax ? encoded : `${encoded.slice(0, unitLengthMax - 66)}_h${sha256Hex(unit)}`;
  return `copies/${name}/`;
}

const encodedByte = (byte: number): string => {
  const character = String.fromCharCode(byte);
  return /[a-z0-9-]/.test(character) ? character : `_${byte.toString(16).padStart(2, '0')}`;
};

/** A key that there is not yet. */
function copyKey(unit: string, number: number, random: () => number): string {
  const half = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `${unitFolder(unit)}${String(number).padStart(10, '0')}-${half()}${half()}.zst`;
}

/** Returns the number of a copy of the unit; undefined if the key is not a copy. */
export function parseCopyNumber(unit: string, key: string): number | undefined {
  const folder = unitFolder(unit);
  const digits = key.startsWith(folder)
    ? /^(\d{10,15})-[0-9a-f]{16}\.zst$/.exec(key.slice(folder.length))?.[1]
    : undefined;
  return digits === undefined ? undefined : Number(digits);
}
