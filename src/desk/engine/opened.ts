import { closeOpened, type OpenedExport, openToAsk } from '../../decisions/questions.ts';
import { silent } from '../../lib/flow/progress.ts';

/** Options of `init` without questions and counts. */
export const unattended = {
  force: false,
  count: false,
  progress: silent,
};

export interface ToOpen {
  readonly exports: readonly string[];
  /** The source that the user named. */
  readonly source?: string | undefined;
}

/** The export that is looked at. It stays open between calls, so that samples of its tables are read once. */
export class OpenedExports {
  #key = '';
  #source: string | undefined;
  #opened: OpenedExport | undefined;

  /**
   * Opens an export; another one is closed before.
   *
   * @param again Whether to open it anew although it is open: its files have changed.
   * @throws SourceError, UsageError
   */
  async get({ exports, source }: ToOpen, again = false): Promise<OpenedExport> {
    const key = JSON.stringify(exports);
    // A source that is named only now is the one that was recognised.
    const isSame = key === this.#key && (source === this.#source || source === this.#opened?.adapter.name);
    if (this.#opened !== undefined && isSame && !again) return this.#opened;
    await this.close();
    const opened = await openToAsk(exports, source);
    [this.#key, this.#source, this.#opened] = [key, source, opened];
    return opened;
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened !== undefined) await closeOpened(opened);
  }
}
