import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { SourceError, UsageError } from '../../lib/errors.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { formatLocation } from '../../lib/text/location.ts';
import { withoutMark } from '../../lib/text/spreadsheet-text.ts';
import { idPattern } from '../../service/limits.ts';
import { readTable, type TableRow, type TableStep } from '../../sources/read-table.ts';
import { docsLink } from '../../lib/docs-link.ts';

/** Uids that people have already, by what `people.lookup.by` names; e-mail addresses and handles in lower case. */
export interface Lookup {
  readonly uids: ReadonlyMap<string, string>;
  /** Changes when the table does. */
  readonly hash: string;
}

/** Faults that one error names. */
const namedMax = 5;

/**
 * Reads the whole table: about 100 bytes for each person.
 *
 * @param mappingPath The table's path counts from its folder.
 * @throws UsageError that names the file, and line or pointer of what is wrong in it.
 */
export async function loadLookup(rule: LookupRule, mappingPath: string): Promise<Lookup> {
  const table = new LookupTable(rule);
  const path = resolve(dirname(mappingPath), rule.file);
  try {
    for await (const steps of readTable(path)) for (const step of steps) table.add(step);
  } catch (cause) {
    if (!(cause instanceof SourceError)) throw cause;
    throw unusable(rule, cause.message, cause);
  }
  return table.finish();
}

const unusable = ({ file }: LookupRule, what: string, cause?: unknown) =>
  new UsageError(`Cannot use people.lookup "${file}": ${what}`, {
    hint: `${docsLink('reference/mapping')} shows a table of uids; its path counts from the folder of the mapping file`,
    cause,
  });

class LookupTable {
  readonly #rule: LookupRule;
  readonly #uids = new Map<string, string>();
  readonly #faults: string[] = [];
  #faultCount = 0;

  constructor(rule: LookupRule) {
    this.#rule = rule;
  }

  add(step: TableStep): void {
    if (step.type === 'row') this.#addRow(step);
    else if (step.type === 'invalid') this.#fault(`${formatLocation(step.location)}: ${step.reason}`);
  }

  finish(): Lookup {
    if (this.#faultCount > 0) {
      const more = this.#faultCount - this.#faults.length;
      throw unusable(this.#rule, [...this.#faults, ...(more > 0 ? [`${more} more`] : [])].join('; '));
    }
    if (this.#uids.size === 0) throw unusable(this.#rule, 'it names nobody');
    return { uids: this.#uids, hash: sha256Hex(JSON.stringify([...this.#uids])) };
  }

  #addRow(row: TableRow): void {
    const place = formatLocation(row.location);
    const [key, uid] = [this.#cell(row, this.#rule.id), this.#cell(row, this.#rule.uid)];
    // A row without a key or a uid is treated as missing from the table.
    if (!key || !uid) return;
    const folded = lookupKey(key, this.#rule.by);
    const known = this.#uids.get(folded);
    if (!idPattern.test(uid)) {
      this.#fault(`${place}: ${this.#rule.uid}: expected 1 to 100 characters of a-z, 0-9, - and _, found "${uid}"`);
    } else if (known !== undefined && known !== uid) {
      this.#fault(`${place}: "${key}" is "${uid}" here and "${known}" above`);
    } else this.#uids.set(folded, uid);
  }

  #cell(row: TableRow, column: string): string | undefined {
    const value = row.get(column);
    if (typeof value === 'string' || typeof value === 'number') return withoutMark(String(value).trim());
    if (value === undefined && !row.names().includes(column)) {
      this.#fault(`${formatLocation(row.location)}: expected a column "${column}", found ${row.names().join(', ')}`);
    }
    return undefined;
  }

  #fault(words: string): void {
    this.#faultCount++;
    if (this.#faults.length < namedMax) this.#faults.push(words);
  }
}

/** How a person is found in the table. */
export const lookupKey = (text: string, by: LookupRule['by']): string =>
  by === 'id' ? text : text.trim().toLowerCase();

/** Table in which uids that people already have are looked up. `none` if they are not looked up. */
export const lookupSchema = z.union([
  z.literal('none'),
  z
    .strictObject({
      file: z
        .string()
        .min(1)
        .describe('CSV with a header, or JSON with a list of objects; from the folder of the mapping.'),
      id: z.string().min(1).describe('Column that says who: what "by" names.'),
      uid: z.string().min(1).describe('Column of the uid.'),
      by: z
        .enum(['id', 'email', 'handle'])
        .default('id')
        .describe("Content of the id column: the export's id, the e-mail address, or the handle."),
      missing: z
        .enum(['template', 'reject'])
        .default('template')
        .describe('People who are not in the table: use the template, or reject their messages.'),
    })
    .describe('A table of uids.'),
]);

export type LookupRule = Exclude<z.output<typeof lookupSchema>, 'none'>;
