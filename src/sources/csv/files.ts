/** Endings of names of tables as text. */
const tablePattern = /\.(?:csv|tsv|tab|psv)$/i;

/** Endings of what is surely something else, where one file stands alone and its name decides nothing. */
const foreignPattern = /\.(?:json|jsonl|ndjson|html?|xml|sqlite3?|db|ya?ml|md|pdf|jpe?g|png|gif|webp|mp4|zip|gz)$/i;

/** Whether a path may hold a table, going by its name: one file that stands alone may be called anything. */
export const mayBeTable = (path: string, paths: readonly string[]): boolean =>
  tablePattern.test(path) || (paths.length === 1 && !foreignPattern.test(path));

export const isNamedTable = (path: string): boolean => tablePattern.test(path);
