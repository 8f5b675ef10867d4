import { createHash } from 'node:crypto';
import { SourceError } from '../../lib/errors.ts';
import type { ExportTables } from '../../model/export-tables.ts';
import type { BesideReading } from '../../model/reading-result.ts';
import { isTableSource, type Proposal } from '../../sources/table-source.ts';
import type { Planning } from '../plan-options.ts';

/**
 * Keeps what tables hold next to the rows that are read. Looks at their first rows, once for each mapping and each set of tables and columns.
 */
export async function noteBeside({ store, input, rules }: Planning, { read, others }: ExportTables): Promise<void> {
  const { adapter, reader } = input;
  const options = rules.mapping.rules.source;
  const dependsOn = JSON.stringify([options, read, Object.keys(others)]);
  const of = createHash('sha256').update(dependsOn).digest('base64url');
  if (!isTableSource(adapter) || store.facts.beside()?.of === of) return;
  try {
    const proposals: Proposal[] = [];
    for (const one of await reader.inputs()) proposals.push(await adapter.propose(one, options));
    const found = joined(proposals.flatMap(({ beside }) => beside ?? []));
    store.facts.write('beside', JSON.stringify({ of, found }));
  } catch (error) {
    // Reading says better what is wrong with an export.
    if (!(error instanceof SourceError)) throw error;
  }
}

/** Things that several inputs have, once. */
function joined(all: readonly BesideReading[]): BesideReading {
  const once = <Item>(list: (one: BesideReading) => readonly Item[], keyOf: (item: Item) => unknown): Item[] => [
    ...new Map(all.flatMap(list).map((item) => [JSON.stringify(keyOf(item)), item])).values(),
  ];
  return {
    rivals: once(
      ({ rivals }) => rivals,
      ({ table }) => table,
    ),
    splits: once(
      ({ splits }) => splits,
      ({ column }) => column,
    ),
    rooms: once(
      ({ rooms }) => rooms,
      ({ column }) => column,
    ),
    shared: once(
      ({ shared }) => shared,
      ({ tables }) => tables,
    ),
  };
}
