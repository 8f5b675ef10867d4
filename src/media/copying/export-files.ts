import type { Store } from '../../store/open.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { openStored } from '../../io/input/open-export.ts';
import { standardInputKey } from '../../io/input/standard-input.ts';
import { SourceError } from '../../lib/errors.ts';
import type { MediaRules } from '../../mapping/rules.ts';
import type { Fetched, MediaOrigin } from '../fetch/fetched.ts';
import { fetchFromExport } from '../fetch/fetch-from-export.ts';
import { SmallBuffers } from '../fetch/small-buffers.ts';

interface Place {
  readonly input: number;
  readonly path: string;
}

/** The exports of a store, opened when the first file of one is wanted. */
export class ExportFiles {
  readonly #store: Store;
  readonly #filesByInput = new Map<number, number>();
  readonly #options: { readonly rules: Pick<MediaRules, 'maxBytes'>; readonly signal: AbortSignal };
  readonly #buffers = new SmallBuffers();
  readonly #opened = new Map<number, Promise<ExportInput | SourceError>>();

  constructor(store: Store, options: { readonly rules: Pick<MediaRules, 'maxBytes'>; readonly signal: AbortSignal }) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * Fetches a file of an export. A file of corrections has no files next to it, so they are looked up in the export
   * that it corrects, if only one export qualifies.
   */
  async fetch({ input, path }: Place, origin: MediaOrigin): Promise<Fetched> {
    return await this.#fetchFrom({ input: this.#findFilesInput(input), path }, origin);
  }

  #findFilesInput(input: number): number {
    const known = this.#filesByInput.get(input);
    if (known !== undefined) return known;
    const [corrected, another] = this.#store.files.correctedBy(input);
    const found = corrected !== undefined && another === undefined ? corrected : input;
    this.#filesByInput.set(input, found);
    return found;
  }

  async #fetchFrom({ input, path }: Place, origin: MediaOrigin): Promise<Fetched> {
    const opened = await this.#open(input);
    if (opened instanceof SourceError) return { kind: 'again', why: opened.message };
    const { rules, signal } = this.#options;
    return await fetchFromExport(opened, path, origin, { maxBytes: rules.maxBytes, buffers: this.#buffers, signal });
  }

  #open(input: number): Promise<ExportInput | SourceError> {
    let opening = this.#opened.get(input);
    if (!opening) {
      opening = open(this.#store.files.inputPath(input));
      this.#opened.set(input, opening);
    }
    return opening;
  }

  async close(): Promise<void> {
    for (const opening of this.#opened.values()) {
      const opened = await opening;
      if (!(opened instanceof SourceError)) await opened.close();
    }
  }
}

async function open(path: string | undefined): Promise<ExportInput | SourceError> {
  if (path === undefined || path === standardInputKey)
    return new SourceError('the export was read from standard input');
  try {
    const [input] = await openStored([path]);
    return input!;
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}
