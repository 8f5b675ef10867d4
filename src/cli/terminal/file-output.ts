import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/**
 * Standard output of this process. If it is a file, every byte is written or an error is raised: Node's own stream (26.10) writes
 * once and takes a part for the whole, which cuts the output short without a word when the disk is nearly full.
 */
export function standardOutput(stdout: typeof process.stdout): typeof process.stdout | FileOutput {
  return stdout.isTTY !== true && isFile(stdout.fd) ? new FileOutput(stdout.fd) : stdout;
}

/** Also a device like `/dev/full`, but neither a pipe nor a socket. */
function isFile(fd: number): boolean {
  const stats = fstatSync(fd, { throwIfNoEntry: false });
  return stats !== undefined && (stats.isFile() || stats.isCharacterDevice());
}

class FileOutput extends Writable {
  readonly #fd: number;

  constructor(fd: number) {
    super({ decodeStrings: true });
    this.#fd = fd;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(this.#fd, chunk, at);
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}
