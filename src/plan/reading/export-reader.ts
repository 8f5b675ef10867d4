import type { ExportInput } from '../../io/input/export-input.ts';
import { openExport } from '../../io/input/open-export.ts';
import { chooseSource } from '../choose-source.ts';
import { ignoring, type IsIgnored, withoutIgnored } from '../ignored-files.ts';
import { type EntryList, readEntries, type ReadRequest } from './read-entries.ts';

/** Facts about the exports that are known without their listings. */
export interface OpenedExports {
  /** Name of the source to which they belong. */
  readonly source: string;
  readonly inputs: readonly InputSummary[];
}

export type InputSummary = Pick<ExportInput, 'key' | 'label' | 'problems'>;

/** The exports of a plan. Opened when they are first needed; closed after each reading, because the listing of a large export takes memory. */
export class ExportReader {
  readonly #exports: readonly string[];
  readonly #isIgnored: IsIgnored;
  #inputs: readonly ExportInput[] | undefined;

  /**
   * @param exports Folders, archives and files, as the user named them.
   * @param ignored Globs of files that are not read, and do not say which source it is.
   */
  constructor(exports: readonly string[], ignored: readonly string[]) {
    this.#exports = exports;
    this.#isIgnored = ignoring(ignored);
  }

  /** @param source Name of a source; detected if absent. @throws SourceError, UsageError */
  async open(source: string | undefined): Promise<OpenedExports> {
    const inputs = await this.inputs();
    const { name } = await chooseSource(
      inputs.map((input) => withoutIgnored(input, this.#isIgnored)),
      source,
    );
    return { source: name, inputs: inputs.map(({ key, label, problems }) => ({ key, label, problems })) };
  }

  /** @throws SourceError, UsageError */
  async inputs(): Promise<readonly ExportInput[]> {
    this.#inputs ??= await openExport(this.#exports);
    return this.#inputs;
  }

  /** Reads what is wanted, and closes. @throws SourceError, UsageError */
  async *read(request: Omit<ReadRequest, 'isIgnored'>, signal: AbortSignal): AsyncGenerator<EntryList> {
    try {
      yield* readEntries(await this.inputs(), { ...request, isIgnored: this.#isIgnored }, signal);
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    const inputs = this.#inputs ?? [];
    this.#inputs = undefined;
    for (const input of inputs) await input.close();
  }
}
