import { readFlag } from '../../../model/visibility-words.ts';
import type { Row } from '../row.ts';
import type { ValueExpression } from '../schema/expressions.ts';

/** Returns a value of a row, or undefined if there is none: no cell, an empty one, one that stands for null. */
export type ReadValue = (row: Row) => unknown;

/** State for compiling the bindings of one table; records the names that they use. */
export class BindingScope {
  readonly #nulls: ReadonlySet<unknown>;
  /** Without these columns no row can be read. */
  readonly required = new Set<string>();
  readonly optional = new Set<string>();

  readonly onWord: ((column: string, word: string) => void) | undefined;
  readonly #whole = new Set<string>();
  readonly #lists = new Map<string, readonly string[]>();

  /**
   * @param nulls Texts that stand for no value, in addition to the empty text.
   * @param onWord Told of each value by which rows are sorted.
   */
  constructor(nulls: Iterable<unknown>, onWord?: BindingScope['onWord']) {
    this.onWord = onWord;
    this.#nulls = new Set<unknown>([...nulls, '', null]);
  }

  /** For the elements of a list in a cell: the same nulls, and names that are no columns of the table. */
  inside(): BindingScope {
    return new BindingScope(this.#nulls);
  }

  /** Lists of which nothing reads all: the paths inside an element that are read. */
  get lists(): ReadonlyMap<string, readonly string[]> {
    return new Map([...this.#lists].filter(([name]) => !this.#whole.has(name)));
  }

  /** A column that holds a list: of an object in it, nothing but these paths are read. */
  list(name: string, inside: readonly string[]): ReadValue {
    this.#lists.set(name, [...(this.#lists.get(name) ?? []), ...inside]);
    return this.#read(name, 'optional');
  }

  column(name: string, need: Need = 'optional'): ReadValue {
    this.#whole.add(name);
    return this.#read(name, need);
  }

  #read(name: string, need: Need): ReadValue {
    this[need].add(name);
    const nulls = this.#nulls;
    // Looking up a long text would read all of it: a sixth of the time that reading NDJSON takes.
    const longest = Math.max(...[...nulls].map((text) => (typeof text === 'string' ? text.length : 0)));
    return (row) => {
      const value = row.get(name);
      if (typeof value === 'string' && value.length > longest) return value;
      return nulls.has(value) ? undefined : value;
    };
  }

  value(expression: ValueExpression, need: Need = 'optional'): ReadValue {
    if (typeof expression === 'string') return this.column(expression, need);
    if ('constant' in expression) return () => expression.constant;
    if ('template' in expression) return this.#template(expression.template, need);
    if ('first' in expression) return readFirst(expression.first.map((one) => this.value(one, need)));
    return this.#translation(expression, need);
  }

  /** Like `value`, as text. */
  text(expression: ValueExpression | undefined, need: Need = 'optional'): (row: Row) => string | undefined {
    if (expression === undefined) return () => undefined;
    const read = this.value(expression, need);
    return (row) => valueText(read(row));
  }

  /** Like `value`, as yes or no; a time means yes. */
  flag(expression: ValueExpression | undefined): (row: Row) => boolean {
    if (expression === undefined) return () => false;
    const read = this.value(expression);
    return (row) => isYes(read(row));
  }

  #translation({ from, values, otherwise }: Translation, need: Need): ReadValue {
    const read = this.column(from, need);
    const words = new Map(Object.entries(values ?? {}));
    const { onWord } = this;
    return (row) => {
      const value = read(row);
      const word = valueText(value) ?? '';
      if (values) onWord?.(from, word);
      return words.get(word) ?? otherwise ?? value;
    };
  }

  #template(template: string, need: Need): ReadValue {
    const pieces = template.split(/\{([^{}]*)\}/);
    const isColumn = (piece: string, index: number) => index % 2 === 1 && piece !== fileField;
    const reads = pieces.map((piece, index) => (isColumn(piece, index) ? this.column(piece, need) : undefined));
    return (row) => {
      let isFilled = !reads.some(Boolean);
      const filled = pieces.map((piece, index) => {
        const read = reads[index];
        if (!read) return index % 2 === 1 ? row.location.path : piece;
        const text = valueText(read(row));
        isFilled ||= text !== undefined;
        return text ?? '';
      });
      return isFilled ? filled.join('').trim() : undefined;
    };
  }
}

/** The first that has a value; a text of nothing is none. */
const readFirst =
  (reads: readonly ReadValue[]): ReadValue =>
  (row) => {
    for (const read of reads) {
      const value = read(row);
      if (value !== undefined && value !== '') return value;
    }
    return undefined;
  };

/** In a template: the path of the file inside its export, for ids that are unique in their file alone. */
const fileField = ':file';

type Translation = Extract<ValueExpression, { readonly from: string }>;

export type Need = 'required' | 'optional';

/** A value as text: objects as JSON. Undefined for nothing, and for text that is empty. */
export function valueText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Whether a value means no: nothing, `0`, `false`, `no` and the like, and the zero date of MySQL. */
const isNo = (text: string) => readFlag(text) === false || text.startsWith('0000-00-00');

export function isYes(value: unknown): boolean {
  const text = valueText(value)?.trim();
  return text !== undefined && text !== '' && !isNo(text);
}

/** A number that a spreadsheet has shortened: 1.23457E+17. The digits that it stands for are lost. */
export const isShortened = (text: string): boolean => text.includes('E+') && /^-?\d(?:[.,]\d+)?E\+\d{2,}$/.test(text);

/** Returns the reason to report for an id that a spreadsheet has shortened. */
export const shortenedReason = (what: string, text: string): string =>
  `A spreadsheet has shortened the ${what} to "${text}", and its other digits are lost: export it again without opening and saving it there`;
