import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { asObject, asString } from '../kit/narrow.ts';

/** A mail is smaller. */
const bytesMax = 16 * 1024 * 1024;

/** The whole texts of a message. */
export interface Original {
  readonly text: string | undefined;
  readonly richText: string | undefined;
}

/**
 * Original contents of messages, a file each. An answer does not say whose it is: the id of the message is in its path, as a name of a file or
 * folder. About 200 bytes for each file; they are read when their message is.
 */
export class Originals {
  readonly #input: ExportInput;
  /** Undefined for a name that several paths have. */
  readonly #paths = new Map<string, string | undefined>();
  readonly #unused: Set<string>;

  constructor(input: ExportInput, paths: readonly string[]) {
    this.#input = input;
    this.#unused = new Set(paths);
    for (const path of paths)
      for (const name of path.split('/').map((part) => part.replace(/\.[a-z]+$/i, '')))
        this.#paths.set(name, this.#paths.has(name) ? undefined : path);
  }

  has(message: string): boolean {
    return this.#paths.get(message) !== undefined;
  }

  /** @returns undefined if there is none that can be read. */
  async of(message: string): Promise<Original | undefined> {
    const path = this.#paths.get(message);
    if (path === undefined) return undefined;
    this.#unused.delete(path);
    try {
      const bytes = await this.#input.read(path, bytesMax);
      const found = asObject<Original>(
        JSON.parse(
          Buffer.from(bytes)
            .toString('utf8')
            .replace(/^\ufeff/, ''),
        ),
      );
      const [text, richText] = [asString(found?.text), asString(found?.richText)];
      return text === undefined && richText === undefined ? undefined : { text, richText };
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof SourceError) return undefined;
      throw error;
    }
  }

  /** Files whose message was not read. */
  unused(): readonly string[] {
    return [...this.#unused];
  }
}
