import type { CellText } from '../database.ts';

/** A value as the server sent it: text in UTF-8, or bytes. Only good until the next row comes. */
export type RawValue = Buffer | null;

/** Conversion of the values of a column. */
export type CellShape = 'text' | 'bytes' | 'bits' | 'padded' | 'instant';

/** Types that hold bytes, whatever they mean. */
const byteTypes: ReadonlySet<string> = new Set(
  [
    'binary varbinary tinyblob blob mediumblob longblob vector',
    'geometry point linestring polygon multipoint multilinestring multipolygon geometrycollection geomcollection',
  ].flatMap((names) => names.split(' ')),
);

/** @param type As in `data_type` of the information schema. @param isZeroFilled Whether the column shows its numbers with zeros before them. */
export function chooseShape(type: string, isZeroFilled: boolean): CellShape {
  if (byteTypes.has(type)) return 'bytes';
  if (type === 'bit') return 'bits';
  // In the session's zone, which is UTC.
  if (type === 'timestamp') return 'instant';
  return isZeroFilled ? 'padded' : 'text';
}

const cellText: Readonly<Record<CellShape, (value: Buffer) => string>> = {
  text: (value) => value.toString(),
  bytes: (value) => value.toString('hex'),
  bits: (value) => BigInt(`0x${value.toString('hex') || '0'}`).toString(),
  // A key that points to it may not have the zeros.
  padded: (value) => value.toString().replace(/^0+(?=\d)/, ''),
  instant: (value) => `${value.toString()}+00:00`,
};

/** @param shapes Of the columns that are wanted, the first ones of `values`. */
export const readCells = (values: readonly RawValue[], shapes: readonly CellShape[]): readonly CellText[] =>
  shapes.map((shape, at) => {
    const value = values[at] ?? null;
    return value && cellText[shape](value);
  });

export const lengthOf = (values: readonly RawValue[]): number =>
  values.reduce((sum, value) => sum + (value?.length ?? 0) + 1, 0);
