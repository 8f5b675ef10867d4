import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { partialEntry } from '../kit/entries.ts';
import type { FieldsBehind } from '../kit/rows/fields-behind.ts';
import { SavedPages } from '../kit/rows/saved-pages.ts';

const wordsIf = (key: string, value: boolean) => (field: (key: string) => unknown) =>
  field(key) === value ? `"${key}" is ${value}` : undefined;

/**
 * Whole answers with messages say if they lack some: `found_oldest` and `found_newest` of some page of a list must be true, and
 * `history_limited` of none: then the plan of the organisation hides older messages.
 */
export class AnswerPages {
  readonly #input: ExportInput;
  readonly #ends: readonly SavedPages[];

  constructor(input: ExportInput) {
    this.#input = input;
    this.#ends = ['found_oldest', 'found_newest'].map((key) => new SavedPages(input, wordsIf(key, false)));
  }

  async missingAfter(path: string, behind: FieldsBehind): Promise<readonly Entry[]> {
    const found = await Promise.all(this.#ends.map((pages) => pages.missingAfter(path, behind)));
    const alone = { ...this.#input, paths: async () => [path] };
    const hidden = await new SavedPages(alone, wordsIf('history_limited', true)).missingAfter(path, behind);
    const reason = '"history_limited" is true: the plan of the organisation hides older messages';
    return [...found.flat(), ...(hidden.length > 0 ? [partialEntry(reason, { path })] : [])];
  }
}
