/** A row of a SQLite database: whole numbers are `bigint`, whatever the column is declared as. */
export type DatabaseRow = Readonly<Record<string, unknown>>;

/** A whole number that is a number, such as a flag or the number of a row. */
export const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
};

/** A flag that is set. */
export const isSet = (value: unknown): boolean =>
  typeof value === 'bigint' ? value !== 0n : (numberOf(value) ?? 0) !== 0;
