import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One file in a private folder (mode 0700, the file 0600), to which the contents of an archive are appended. Holds it open until `remove`. */
export class TarSpool {
  readonly fd: number;
  readonly #folder: string;
  #sizeBytes = 0;
  #isOpen = true;

  private constructor(folder: string) {
    this.#folder = folder;
    this.fd = openSync(join(folder, 'contents'), 'wx+', 0o600);
  }

  static async make(): Promise<TarSpool> {
    return new TarSpool(await mkdtemp(join(tmpdir(), 'chatferry-')));
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  append(chunk: Uint8Array): void {
    for (let written = 0; written < chunk.length; )
      written += writeSync(this.fd, chunk, written, chunk.length - written, this.#sizeBytes + written);
    this.#sizeBytes += chunk.length;
  }

  async remove(): Promise<void> {
    if (this.#isOpen) closeSync(this.fd);
    this.#isOpen = false;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
