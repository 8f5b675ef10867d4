/** Files that are binary and read as JSON Lines, by their names: tables and documents of databases (`tables-input.ts`). */
const binary = /\.(?:bson|parquet)(?:\.gz)?$/i;

/** Whether a file reads as JSON Lines although its name does not say so. */
export const readsAsJsonLines = (path: string): boolean => binary.test(path) || isSheet(path);

/** Whether a name is that of a workbook of Excel as it has been since 2007, with macros or without. */
export const isWorkbook = (path: string): boolean => /\.xls[xm]$/i.test(path);

/** Whether a path is that of a sheet inside a workbook (`workbook-tables.ts`). */
export const isSheet = (path: string): boolean => /\.xls[xm]\/[^/]+$/i.test(path);

/** Whether the bytes of a file are no text, so that nothing but gzip can be recognised by its first bytes. */
export const isBinaryTable = (path: string): boolean => binary.test(path) || isNamedArchive(path);

export const isNamedArchive = (path: string): boolean => /\.archive(?:\.gz)?$/i.test(path);

export const isParquet = (path: string): boolean => /\.parquet(?:\.gz)?$/i.test(path);

export const isBson = (path: string): boolean => /\.bson(?:\.gz)?$/i.test(path);
