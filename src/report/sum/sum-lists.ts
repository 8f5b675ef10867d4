/** Rows of several lists, those of one key added up, in the order in which they are met. */
export function mergeBy<Row>(
  lists: readonly (readonly Row[])[],
  keyOf: (row: Row) => string,
  add: (sum: Row, row: Row) => Row,
): Row[] {
  const sums = new Map<string, Row>();
  for (const row of lists.flat()) {
    const key = keyOf(row);
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? row : add(sum, row));
  }
  return [...sums.values()];
}

/** Rows that have a count, most first. */
export const mostFirst = <Row extends { readonly count: number }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => b.count - a.count);

/** Another row with the same count, added. */
export const addCount = <Row extends { readonly count: number }>(sum: Row, row: Row): Row => ({
  ...sum,
  count: sum.count + row.count,
});

type Counts = Readonly<Record<string, number | undefined>>;

/** Field by field. A field that only some have counts as 0 in the others. */
export function sumCounts<Fields extends Counts>(all: readonly Fields[]): Fields {
  const sum: Record<string, number> = {};
  for (const fields of all)
    for (const [name, count] of Object.entries(fields)) if (count !== undefined) sum[name] = (sum[name] ?? 0) + count;
  return sum as Fields;
}

/** By kind: counts that are added up field by field. */
export function sumByKind<Kind extends string, Fields extends Counts>(
  all: readonly Partial<Readonly<Record<Kind, Fields>>>[],
): Partial<Record<Kind, Fields>> {
  const kinds = new Set(all.flatMap((one) => Object.keys(one) as Kind[]));
  return Object.fromEntries(
    [...kinds].map((kind) => [kind, sumCounts(all.flatMap((one): Fields[] => (one[kind] ? [one[kind]] : [])))]),
  ) as Partial<Record<Kind, Fields>>;
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** The sum; nothing where one is not known. */
export const sumOrNull = (numbers: readonly (number | null)[]): number | null =>
  numbers.some((number) => number === null) ? null : sumOf(numbers as readonly number[]);

/** What is there of what each may have. */
export const given = <Value>(values: readonly (Value | null | undefined)[]): Value[] =>
  values.filter((value): value is Value => value !== null && value !== undefined);
