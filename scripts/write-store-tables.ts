import { writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { storeKind } from '../src/checkpoint/base/connection.ts';
import { migrate } from '../src/lib/migrations.ts';

/**
 * Returns the schema that the migrations of the checkpoint store create in an empty database, as one file of SQL. They
 * must leave no rows in it.
 */
export function renderStoreTables(): string {
  const { whole: _, ...stepByStep } = storeKind;
  const db = new Sqlite(':memory:');
  migrate(db, stepByStep);
  const definitions = db
    .prepare<[], string>(`SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid`)
    .pluck()
    .all();
  db.close();
  return `-- Written by "npm run store-tables" from the numbered files.\n\n${definitions.map((sql) => `${sql};\n`).join('\n')}`;
}

/** Writes src/checkpoint/migrations/new.sql, of which a new store is made. */
if (import.meta.main) {
  writeFileSync(new URL('../src/checkpoint/migrations/new.sql', import.meta.url), renderStoreTables());
}
