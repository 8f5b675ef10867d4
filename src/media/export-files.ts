import type { Database } from 'better-sqlite3';
import { pathOfInput } from '../checkpoint/media/media-inputs.ts';
import type { ExportInput } from '../io/input/export-input.ts';
import { openExport } from '../io/input/open-export.ts';
import { standardInputKey } from '../io/input/standard-input.ts';
import { SourceError } from '../lib/errors.ts';
import type { MediaRules } from '../mapping/rules/media.ts';
import type { Fetched, MediaOrigin } from './fetch/fetched.ts';
import { fetchFromExport } from './fetch/fetch-from-export.ts';

/** The exports of a store, opened when the first file of one is wanted. */
export class ExportFiles {
  readonly #pathOf: (input: number) => string | undefined;
  readonly #options: { readonly rules: Pick<MediaRules, 'maxBytes'>; readonly signal: AbortSignal };
  readonly #opened = new Map<number, Promise<ExportInput | SourceError>>();

  constructor(db: Database, options: { readonly rules: Pick<MediaRules, 'maxBytes'>; readonly signal: AbortSignal }) {
    this.#pathOf = pathOfInput(db);
    this.#options = options;
  }

  async fetch(
    { input, path }: { readonly input: number; readonly path: string },
    origin: MediaOrigin,
  ): Promise<Fetched> {
    const opened = await this.#open(input);
    if (opened instanceof SourceError) return { kind: 'again', why: opened.message };
    const { rules, signal } = this.#options;
    return await fetchFromExport(opened, path, origin, { maxBytes: rules.maxBytes, signal });
  }

  #open(input: number): Promise<ExportInput | SourceError> {
    let opening = this.#opened.get(input);
    if (!opening) {
      opening = open(this.#pathOf(input));
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
    const [input] = await openExport([path]);
    return input!;
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}
