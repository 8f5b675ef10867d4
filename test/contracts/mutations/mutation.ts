import { type FoundCell, cellsIn } from './table-cells.ts';
import { type FoundValue, valuesIn } from './json-values.ts';

/** One thing in one file of a sample that is otherwise than the format has it. */
export interface Mutation {
  readonly kind: string;
  /** `general/2026-03-02.json:1#/3/text`. */
  readonly place: string;
  readonly path: string;
  /** 1-based line of the root value, or of the row of a table. */
  readonly line: number;
  /** Inside the root value; none in a table. */
  readonly pointer: string | undefined;
  /** The whole file with it. */
  text(): string;
}

const hugeText = JSON.stringify('Hello <b>*_world_*</b> @ines :wave: "quoted" \\ '.repeat(2500).slice(0, 100_000));

/** Replacements for a value. */
const replacements: Readonly<Record<string, string>> = {
  object: '{"a":{"b":[1]}}',
  // No text can be made of it.
  'object with toString': '{"toString":1,"valueOf":2,"constructor":null,"length":3,"__proto__":4}',
  array: '[{"a":1},"b",2,null,["c"],{"toString":1,"valueOf":2}]',
  number: '7',
  'huge number': '1e300',
  true: 'true',
  null: 'null',
  'huge text': hugeText,
};

/** Values of a JSON file in every way that they can be otherwise. */
export function jsonMutations(path: string, text: string): readonly Mutation[] {
  return valuesIn(text).flatMap((value) => {
    const about = { place: `${path}:${value.line}#${value.pointer}`, path, line: value.line, pointer: value.pointer };
    const spliced = (replacement: string) => text.slice(0, value.start) + replacement + text.slice(value.end);
    const replaced = Object.entries(replacements).map(([kind, replacement]) => ({
      ...{ ...about, kind },
      text: () => spliced(replacement),
    }));
    if (value.pointer === '') return replaced;
    const missing = { ...about, kind: 'missing', text: () => withoutValue(text, value) };
    if (value.keyStart === undefined) return [...replaced, missing];
    const twice = { ...about, kind: 'duplicate key', text: () => withKeyTwice(text, value) };
    return [...replaced, missing, twice];
  });
}

/** With its comma. */
function withoutValue(text: string, { keyStart, start, end }: FoundValue): string {
  const before = text.slice(0, keyStart ?? start);
  const behind = text.slice(end);
  if (/^\s*,/.test(behind)) return before + behind.replace(/^\s*,/, '');
  return before.replace(/,\s*$/, '') + behind;
}

/** Once more behind it, so that readers which take the first and readers which take the last see different values. */
function withKeyTwice(text: string, { keyStart, start, end }: FoundValue): string {
  const key = text.slice(keyStart, start);
  return `${text.slice(0, end)},${key}{"twice":[7]}${text.slice(end)}`;
}

const cells: Readonly<Record<string, string>> = {
  empty: '',
  'huge text': hugeText.replaceAll('\\"', '""').replaceAll('\\\\', '\\'),
  NUL: '"a\u0000b"',
  number: '1e300',
  object: '"{""a"":{""b"":[1]}}"',
  word: 'true',
};

/** Cells of a table, the head's among them. */
export const tableMutations = (path: string, text: string): readonly Mutation[] =>
  cellsIn(text).flatMap(({ line, column, start, end }: FoundCell) =>
    Object.entries(cells).map(([kind, cell]) => ({
      ...{ kind, place: `${path}:${line}, column ${column}`, path, line, pointer: undefined },
      text: () => text.slice(0, start) + cell + text.slice(end),
    })),
  );
