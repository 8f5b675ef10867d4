import { createHash } from 'node:crypto';
import { SourceError } from '../../lib/errors.ts';
import type { ExportTables } from '../../model/export-tables.ts';
import { isTableSource } from '../../sources/table-source.ts';
import { lookBeside } from '../export-tables.ts';
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
    const found = await lookBeside(adapter, await reader.inputs(), options);
    store.facts.write('beside', JSON.stringify({ of, found }));
  } catch (error) {
    // Reading says better what is wrong with an export.
    if (!(error instanceof SourceError)) throw error;
  }
}
