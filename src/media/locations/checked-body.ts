import { createHash } from 'node:crypto';
import { type MediaContent, MediaFault } from './media-location.ts';

/**
 * The bytes of a file on their way to where they stay. The last of them is only handed out once all of them are known to be what was
 * announced: a file that changed since it was hashed never arrives whole.
 */
export class CheckedBody {
  /** What the content threw, which is nobody's fault here. */
  fault: { readonly error: unknown } | undefined;
  readonly #content: MediaContent;

  constructor(content: MediaContent) {
    this.#content = content;
  }

  async *bytes(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* this.#checked();
    } catch (error) {
      this.fault = { error };
      throw error;
    }
  }

  async *#checked(): AsyncGenerator<Uint8Array, void> {
    const hash = createHash('sha256');
    let [held, sizeBytes]: [Uint8Array | undefined, number] = [undefined, 0];
    for await (const chunk of this.#content.open()) {
      if (chunk.length === 0) continue;
      sizeBytes += chunk.length;
      // Whoever waits for so many bytes must not get all of them.
      if (sizeBytes > this.#content.sizeBytes) break;
      hash.update(chunk);
      if (held) yield held;
      held = chunk;
    }
    const isSame = sizeBytes === this.#content.sizeBytes && hash.digest('hex') === this.#content.sha256;
    if (!isSame) throw new MediaFault('The file changed while it was being copied', { kind: 'again' });
    if (held) yield held;
  }
}

/** The error of the source where there is one: it is thrown as it is, whatever a connection or a disk made of it. */
export const sourceFirst = (body: CheckedBody, error: unknown): unknown => (body.fault ? body.fault.error : error);
