import type { Store } from '../store/open.ts';
import { openExport } from '../io/input/open-export.ts';
import { SourceError } from '../lib/errors.ts';
import type { Mapping } from '../mapping/load.ts';
import { parseSourceOptions, sourceNamed } from '../plan/choose-source.ts';
import type { PlanOptions } from '../plan/plan-options.ts';
import { excerptValue } from './excerpt-text.ts';
import { namesInOptions } from './names-in-options.ts';
import { describeParts } from './parts.ts';
import { isTableSource } from '../sources/table-source.ts';
import { RowChoice } from './rows-with-messages.ts';

/** A row as a report shows it: the columns that the mapping names, and the parts of its message. */
interface ReadRow {
  readonly place: string;
  readonly row: { readonly column: string; readonly value: string }[];
  readonly message: { readonly part: string; readonly text: string }[];
}

const namesMax = 10_000;

/** Chooses among the records of a plan the rows that its report shows: six of different kinds. */
export class RowsRead {
  readonly #choice = new RowChoice(6);
  readonly #conversations = new Map<string, string>();

  readonly note: NonNullable<PlanOptions['onRecord']> = (record, location, input) => {
    if (this.#choice.isDone) return;
    if (record.kind === 'message') this.#choice.add(record, location, input);
    else if (record.kind === 'conversation' && record.name && this.#conversations.size < namesMax)
      this.#conversations.set(record.id, record.name);
  };

  /** Returns none if the source has no rows, or they cannot be read again. */
  async rows(store: Store, exports: readonly string[], mapping: Mapping): Promise<readonly ReadRow[]> {
    const source = store.facts.read('source');
    const adapter = source === undefined ? undefined : sourceNamed(source);
    if (adapter === undefined || !isTableSource(adapter)) return [];
    const sourceOptions = parseSourceOptions(adapter, mapping);
    const inputs = await openExport(exports);
    try {
      const nameOf = (kind: 'person' | 'conversation', id: string) =>
        kind === 'person' ? store.people.find(id)?.record.name : this.#conversations.get(id);
      const shown = await this.#choice.show({ adapter, sourceOptions, inputs, nameOf });
      // A column that was not asked for may hold a password.
      const isNamed = namesInOptions(sourceOptions);
      return shown.map((one) => ({
        place: one.place,
        row: one.row
          .filter(([column]) => isNamed.has(column))
          .map(([column, value]) => ({ column, value: excerptValue(column, value) })),
        message: describeParts(one).map(([part, text]) => ({ part, text: excerptValue(part, text) })),
      }));
    } catch (error) {
      // It was read a moment ago: what is wrong now is no fault of the plan.
      if (error instanceof SourceError) return [];
      throw error;
    } finally {
      for (const input of inputs) await input.close();
    }
  }
}
