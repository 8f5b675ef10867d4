import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { programs } from '../../fleet/postgres.ts';
import { sharedFolder } from '../../requirements.ts';
import { testDatabase, valuesOf } from './postgres-databases.ts';

const folder = sharedFolder('schemas');
const schemas =
  folder === null ? [] : readdirSync(folder).filter((name) => existsSync(join(folder, name, 'postgres.sql')));

/** As `\copy … csv header` writes a table: without quotation marks an empty value is NULL. */
function readCsv(path: string): readonly (readonly (string | null)[])[] {
  return parse(readFileSync(path), {
    relax_column_count: true,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  }) as (string | null)[][];
}

describe.skipIf(programs === null || folder === null)('PostgreSQL: databases of real programs', () => {
  it.each(schemas)('%s is read as its own tools write it', async (name) => {
    const { open } = await testDatabase(readFileSync(join(folder!, name, 'postgres.sql'), 'utf8'));
    const database = await open();
    const files = readdirSync(join(folder!, name, 'csv'));
    const tables = database.tables.filter(({ isView }) => !isView);
    expect(tables.map((table) => `${table.name}.csv`)).toEqual(files.sort());
    for (const table of tables) {
      const [head, ...rows] = readCsv(join(folder!, name, 'csv', `${table.name}.csv`));
      expect(table.columns.map((column) => column.name)).toEqual(head);
      // The server's search form of a text depends on its own locale.
      const compared = table.columns.filter(({ type }) => type !== 'tsvector');
      const cellOf = (row: (typeof rows)[number], { name, type }: (typeof compared)[number]) => {
        const value = row[head!.indexOf(name)]!;
        return type === 'bytea' && value !== null ? value.slice(2) : value;
      };
      const expected = rows.map((row) => compared.map((column) => cellOf(row, column)));
      expect(
        await valuesOf(
          database,
          table.name,
          compared.map(({ name }) => name),
        ),
      ).toEqual(expected);
    }
  });
});
