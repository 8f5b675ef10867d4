import { copyFile, constants, readFile } from 'node:fs/promises';
import { replaceFile } from '../../lib/atomic-file.ts';
import { UsageError } from '../../lib/errors.ts';

/** What became of a file. `rest`: what has no place in the mapping, for reading only. */
export interface FileChange {
  readonly path: string;
  readonly how: 'new' | 'changed' | 'same' | 'replaced' | 'rest';
  /** Copy of what stood there, where it was replaced. */
  readonly backup?: string;
}

/** A file that may be there already: what it says, until something is written. */
export class InitFile {
  readonly path: string;
  /** What is to be kept; undefined for a file that begins anew. */
  readonly text: string | undefined;
  readonly #isThere: boolean;

  private constructor(path: string, text: string | undefined, isThere: boolean) {
    this.path = path;
    this.text = text;
    this.#isThere = isThere;
  }

  /** @param force Begin anew although the file is there. @throws UsageError if it cannot be read. */
  static async open(path: string, { force }: { readonly force: boolean }): Promise<InitFile> {
    const text = await readIfThere(path);
    return new InitFile(path, force ? undefined : text, text !== undefined);
  }

  /** Replaces the file whole or not at all; where it begins anew, what stood there is copied first. @throws UsageError */
  async write(text: string): Promise<FileChange> {
    const { path } = this;
    if (text === this.text) return { path, how: 'same' };
    const backup = this.#isThere && this.text === undefined ? await backUp(path) : undefined;
    await writePieces(path, [text]);
    if (backup !== undefined) return { path, how: 'replaced', backup };
    return { path, how: this.#isThere ? 'changed' : 'new' };
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cannot('read', path, error);
  }
}

/** For one that is too large to be held. It names people, so a new one is for its owner only. @throws UsageError */
export async function writePieces(path: string, text: Iterable<string>): Promise<void> {
  try {
    await replaceFile(path, text);
  } catch (error) {
    throw cannot('write', path, error);
  }
}

/** Copies a file to the first free name of `name.bak`, `name.2.bak`, … @returns The copy's path. @throws UsageError */
async function backUp(path: string): Promise<string> {
  for (let number = 1; ; number++) {
    const copy = `${path}${number === 1 ? '' : `.${number}`}.bak`;
    try {
      await copyFile(path, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannot('copy', path, error);
    }
  }
}

function cannot(what: string, path: string, cause: unknown): UsageError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new UsageError(`Cannot ${what} "${path}": ${code ?? message}`, {
    hint: 'Run it in a folder that can be written, or pass --mapping with another path',
    cause,
  });
}
