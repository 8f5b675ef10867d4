import { createHash } from 'node:crypto';
import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import type { BesideReading } from '../../model/reading-result.ts';
import { isTableSource, type TableSource } from '../../sources/table-source.ts';
import type { Planning } from '../plan-options.ts';

/**
 * Keeps what tables hold beside what is read. Looks at their first rows, once for each mapping and each set of columns: a nightly run of the same
 * tables reads their catalogue alone.
 */
export async function noteBeside({ store, input, rules }: Planning): Promise<void> {
  const { adapter, corrections, isSeen, reader } = input;
  const isKnown = store.facts.read('beside') !== undefined;
  if (!isTableSource(adapter) || corrections || (isSeen && isKnown)) return;
  const options = rules.mapping.rules.source;
  const inputs = await reader.inputs();
  try {
    const of = await digestOf(adapter, inputs, options);
    if (store.facts.beside()?.of === of) return;
    const proposals = [];
    for (const one of inputs) proposals.push(await adapter.propose(one, options));
    const found = joined(proposals.flatMap(({ beside }) => beside ?? []));
    store.facts.write('beside', JSON.stringify({ of, found }));
  } catch (error) {
    // Reading says better what is wrong with an export.
    if (!(error instanceof SourceError)) throw error;
  }
}

/** Of what a look depends on: how the tables are read, and which columns there are. */
async function digestOf(
  adapter: TableSource,
  inputs: readonly ExportInput[],
  options: Readonly<Record<string, unknown>>,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(options));
  for (const input of inputs)
    for (const { name, columns } of await adapter.outline(input, options))
      hash.update(JSON.stringify([name, columns.map((column) => column.name)]));
  return hash.digest('base64url');
}

/** What several inputs have, once. */
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
