import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { plainFile, fileInput } from '../../../src/io/input/file-input.ts';
import type { Database } from '../../../src/sources/database/database.ts';
import { looksLikeDump } from '../../../src/sources/database/dump/recognise.ts';
import { openDump } from '../../../src/sources/database/dump/open-dump.ts';
import { sharedFolder } from '../../requirements.ts';
import { never } from '../../scenes/bench.ts';

const set = sharedFolder('schemas');
const forms = ['pg_dump.sql', 'pg_dump_inserts.sql', 'mysqldump.sql', 'sqlite_dump.sql'] as const;

const cases = (set === null ? [] : readdirSync(set)).flatMap((name) =>
  forms.map((form) => ({ name, form, path: join(set!, name, form) })).filter(({ path }) => existsSync(path)),
);

/** Columns that the database computes: no dump has their values. */
const computed: Readonly<Record<string, string>> = { 'supabase-rooms': 'search' };
/** A column whose bytes were taken for text when the file was copied into the set. */
const lost: Readonly<Record<string, string>> = { 'dm-and-group-tables/mysqldump.sql': 'avatar' };

type Rows = readonly (readonly (string | null)[])[];

/** Columns and rows as `\copy … csv header` writes them: NULL is nothing, an empty text has quotes. */
function csvRows(path: string, without?: string): { readonly columns: readonly string[]; readonly rows: Rows } {
  const lines = parse(readFileSync(path), {
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  }) as (string | null)[][];
  const left = lines[0]!.indexOf(without ?? null);
  const [columns, ...rows] = lines.map((line) => (left < 0 ? line : line.toSpliced(left, 1)));
  return { columns: columns as string[], rows };
}

async function rowsOf(database: Database, table: string, columns: readonly string[]): Promise<Rows> {
  const rows: Rows[number][] = [];
  for await (const list of database.rows(table, columns, never)) {
    for (const row of list) {
      expect(row.fault).toBeUndefined();
      rows.push(row.values);
    }
  }
  return rows;
}

/** Unifies values that the three systems write differently: truth, the zone and fraction of times, the order of keys in JSON, bytes. */
function alike(value: string | null): string | null {
  if (value === null) return null;
  if (value === 't' || value === 'f') return value === 't' ? '1' : '0';
  if (/^\\x[0-9a-f]*$/.test(value)) return value.slice(2);
  if (/^[[{]/.test(value)) return [...value.replaceAll(/\s/g, '')].sort().join('');
  const time = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+?)0*)?(?:\+00(?::00)?|Z)?$/.exec(value);
  const fraction = time?.[3] === undefined || /^0*$/.test(time[3]) ? '' : `.${time[3]}`;
  return time ? `${time[1]} ${time[2]}${fraction}` : value;
}

const sorted = (rows: Rows): string[] => rows.map((row) => JSON.stringify(row.map(alike))).sort();

describe.skipIf(set === null)('openDump() of a database of others', () => {
  it('is tried with every dump of the set', () => expect(cases.length).toBeGreaterThan(55));

  it.each(cases)('reads $name/$form as its tables are', async ({ name, form, path }) => {
    expect(looksLikeDump(readFileSync(path).subarray(0, 65_536))).toBe(true);
    const input = fileInput(new Map([[basename(path), plainFile(path)]]));
    const database = await openDump(input, basename(path), never);
    expect(database.problems.map(({ code }) => code)).toEqual(computed[name] ? ['dump-generated-columns'] : []);
    const { rows: counts } = JSON.parse(readFileSync(join(set!, name, 'expect.json'), 'utf8')) as {
      rows: Record<string, number>;
    };
    const about = Object.fromEntries(database.tables.map(({ name: table, rowsAbout }) => [table, rowsAbout]));
    expect(about).toMatchObject(counts);
    for (const file of readdirSync(join(set!, name, 'csv'))) {
      const table = file.replace('.csv', '');
      const { columns, rows } = csvRows(join(set!, name, 'csv', file), computed[name] ?? lost[`${name}/${form}`]);
      const found = database.tables.find(({ name: other }) => other === table);
      expect(found?.columns.map((column) => column.name)).toEqual(expect.arrayContaining([...columns]));
      expect(sorted(await rowsOf(database, table, columns))).toEqual(sorted(rows));
    }
    await database.close();
  });
});
