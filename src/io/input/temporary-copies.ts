import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Unpacked copies of single files in a private folder, for formats that need a local file. Named by number, never by content. */
export class TemporaryCopies {
  readonly #copies = new Map<string, string>();
  #folder: Promise<string> | undefined;
  #made = 0;

  /** Path of the copy, made once for each `path`. A copy that fails half-way is removed. */
  async ensureCopy(path: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
    const known = this.#copies.get(path);
    if (known !== undefined) return known;
    this.#folder ??= mkdtemp(join(tmpdir(), 'chatferry-'));
    const copy = join(await this.#folder, String(this.#made++));
    try {
      await pipeline(Readable.from(chunks), createWriteStream(copy, { mode: 0o600 }));
    } catch (error) {
      await rm(copy, { force: true });
      throw error;
    }
    this.#copies.set(path, copy);
    return copy;
  }

  async remove(): Promise<void> {
    const folder = await this.#folder;
    this.#folder = undefined;
    this.#copies.clear();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
