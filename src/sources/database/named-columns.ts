import { namesInQuery } from '../tables/copy/query-names.ts';
import { listQueries } from '../tables/roles.ts';
import type { DatabaseOptions } from './options.ts';
import type { IsRead } from './rows.ts';

/**
 * Returns the columns that a mapping names anywhere, for any table. Nothing else is read from a database, so passwords
 * stay in it. A query with `*` reads all columns of the tables that it names.
 */
export function namedColumns({ tables, ...bindings }: DatabaseOptions): IsRead {
  const said = new Set<string>();
  collect(bindings, said);
  // In `meta.sender.id`, the column may be "meta".
  for (const text of [...said]) for (const beginning of listBeginnings(text)) said.add(beginning);
  const queries = listQueries(tables).map(([, text]) => namesInQuery(text));
  return (table, column) =>
    said.has(column) || queries.some((names) => names.has(column) || (names.readsAll && names.has(table.name)));
}

/** Names of keys as well: `only: { status: [sent] }`. */
function collect(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') {
    into.add(value);
    for (const [, name] of value.matchAll(/\{([^{}]+)\}/g)) into.add(name!);
  } else if (typeof value === 'object' && value !== null) {
    if (!Array.isArray(value)) for (const key of Object.keys(value)) into.add(key);
    for (const inner of Object.values(value)) collect(inner, into);
  }
}

function listBeginnings(path: string): readonly string[] {
  const steps = path.split('.');
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('.'));
}
