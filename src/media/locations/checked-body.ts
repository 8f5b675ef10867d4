import { createHash } from 'node:crypto';
import { type MediaContent, MediaFault } from '../media-location.ts';

/**
 * The bytes of a file on their way to a location. The last of them are only handed out once the size and digest of all of them are known to be
 * right: a file that changed since it was hashed never arrives whole.
 */
export class CheckedBody {
  /** Error of the content, or of a change to it: not the fault of the receiver of the bytes. */
  fault: { readonly error: unknown } | undefined;
  readonly #content: MediaContent;

  constructor(content: MediaContent) {
    this.#content = content;
  }

  async *bytes(): AsyncGenerator<Uint8Array, void> {
    const source = this.#content.open()[Symbol.asyncIterator]();
    const hash = createHash('sha256');
    let sizeBytes = 0;
    let held: Uint8Array | undefined;
    try {
      for (;;) {
        const { done, value } = await this.#next(source);
        if (done) break;
        if (value.length === 0) continue;
        sizeBytes += value.length;
        if (sizeBytes > this.#content.sizeBytes) this.#changed();
        hash.update(value);
        if (held) yield held;
        held = value;
      }
      if (sizeBytes !== this.#content.sizeBytes || hash.digest('hex') !== this.#content.sha256) this.#changed();
      if (held) yield held;
    } finally {
      await source.return?.();
    }
  }

  /** Notes errors of the content only: a connection that breaks throws its error into `bytes` at a `yield`. */
  async #next(source: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array, void>> {
    try {
      return await source.next();
    } catch (error) {
      this.fault = { error };
      throw error;
    }
  }

  #changed(): never {
    const error = new MediaFault('The file changed while it was being copied', { kind: 'again' });
    this.fault = { error };
    throw error;
  }
}

/** The error of the content if there is one, whatever a connection or a disk made of it. */
export const sourceFirst = (body: CheckedBody, error: unknown): unknown => (body.fault ? body.fault.error : error);
