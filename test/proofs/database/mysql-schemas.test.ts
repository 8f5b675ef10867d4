import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { CellText } from '../../../src/sources/database/database.ts';
import { sharedFolder } from '../../requirements.ts';
import { programs, testMariadb, valuesOf } from './mariadb.ts';

const folder = sharedFolder('schemas');
const schemas =
  folder === null ? [] : readdirSync(folder).filter((name) => existsSync(join(folder, name, 'mysql.sql')));

/** As PostgreSQL writes a table: without quotation marks an empty value is NULL. */
function readCsv(path: string): readonly (readonly CellText[])[] {
  return parse(readFileSync(path), {
    relax_column_count: true,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  }) as CellText[][];
}

/** Truth, instants, bytes and JSON as both systems could write them. */
function alike(value: CellText, type: string): unknown {
  if (value === null) return null;
  if (type === 'tinyint') return { t: '1', f: '0' }[value] ?? value;
  if (/^(?:datetime|timestamp)$/.test(type))
    return value.replace(/\+00(?::00)?$/, '').replace(/\.0+$|(\.\d*[1-9])0+$/, '$1');
  if (/blob|binary/.test(type)) return value.replace(/^\\x/, '');
  return /^(?:json|longtext)$/.test(type) ? plainJson(value) : value;
}

function plainJson(text: string): string {
  const sortedKeys = (_: string, value: unknown) =>
    value instanceof Object && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value;
  try {
    return JSON.stringify(JSON.parse(text), sortedKeys);
  } catch {
    return text;
  }
}

const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).sort();

describe.skipIf(programs === null || folder === null)('MariaDB: databases of real programs', () => {
  it.each(schemas)('%s is read with the values that it has in PostgreSQL', async (name) => {
    const { open } = await testMariadb(readFileSync(join(folder!, name, 'mysql.sql'), 'utf8'));
    const database = await open();
    const tables = database.tables.filter(({ isView }) => !isView);
    expect(tables.map((table) => `${table.name}.csv`)).toEqual(readdirSync(join(folder!, name, 'csv')).sort());
    for (const table of tables) {
      const [head, ...rows] = readCsv(join(folder!, name, 'csv', `${table.name}.csv`));
      const columns = table.columns.filter((column) => head!.includes(column.name));
      const expected = rows.map((row) => columns.map(({ name, type }) => alike(row[head!.indexOf(name)]!, type)));
      const names = columns.map((column) => column.name);
      const found = await valuesOf(database, table.name, names);
      expect(names.length, table.name).toBe(head!.length);
      expect(sorted(found.map((row) => row.map((value, at) => alike(value, columns[at]!.type)))), table.name).toEqual(
        sorted(expected),
      );
    }
  });
});
