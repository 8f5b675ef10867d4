import { readFileSync } from 'node:fs';
import { StoreError } from '../../lib/errors.ts';
import { type DatabaseKind, newestVersion, numbersBefore } from '../../lib/migrations.ts';
import { assetFile } from '../../lib/package-files.ts';
import type { FleetDatabase, Query } from './database.ts';

type Schema = Pick<DatabaseKind, 'folder' | 'migrations'>;

const current: Schema = { folder: assetFile('fleet/database/migrations/'), migrations: [] };
/** Key of the advisory lock under which a schema is made: 'ferr'. */
const lock = 0x66657272;

/**
 * Creates the tables, or brings them up to date, all in one transaction. Two concurrent calls do it once.
 *
 * @throws StoreError if the schema is newer than this program, or was made before 0.1.
 */
export async function makeSchema(database: FleetDatabase, schema = current): Promise<void> {
  await database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [lock]);
    const version = await readSchemaVersion(database, query, schema);
    await query('CREATE SCHEMA IF NOT EXISTS ferry');
    await query('CREATE TABLE IF NOT EXISTS ferry.version (number int NOT NULL)');
    for (const file of ['schema.sql', ...schema.migrations].slice(version))
      await query(readFileSync(new URL(file, schema.folder), 'utf8'));
    await query('DELETE FROM ferry.version');
    await query('INSERT INTO ferry.version VALUES ($1)', [numbersBefore + newestVersion(schema)]);
  });
}

/** @throws StoreError if there is no fleet, or one of another version. */
export async function assertSchema(database: FleetDatabase, schema = current): Promise<void> {
  const version = await readSchemaVersion(database, database.query, schema);
  if (version === newestVersion(schema)) return;
  throw unusable(database, version === 0 ? 'there is no fleet in it' : 'it is not up to date', {
    hint: 'Run "chatferry fleet init"',
  });
}

/**
 * @returns 0 if it contains no fleet. @throws StoreError if it is newer than this program, was made before 0.1, or tables of
 *   that name belong to another program.
 */
export async function readSchemaVersion(database: FleetDatabase, query: Query, schema = current): Promise<number> {
  const [has] = await query<{ isOurs: boolean; isTaken: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('ferry.version') AND attname = 'number') AS "isOurs",
       EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('ferry')) AS "isTaken"`,
  );
  if (!has!.isOurs) {
    if (!has!.isTaken) return 0;
    throw unusable(database, 'its schema "ferry" is another program\'s', {
      hint: 'Name another database: a fleet has one of its own',
    });
  }
  const [row] = await query<{ number: number }>('SELECT number FROM ferry.version');
  if (!row) return 0;
  const version = row.number - numbersBefore;
  if (version < 1)
    throw unusable(database, 'its fleet was made before 0.1', {
      hint: 'Let workers of that version finish, or name another database; then run "chatferry fleet init" and submit again',
    });
  if (version > newestVersion(schema))
    throw unusable(database, 'a newer version of Chatferry made it', { hint: 'Update Chatferry' });
  return version;
}

const unusable = ({ name }: FleetDatabase, why: string, { hint }: { readonly hint: string }) =>
  new StoreError(`Cannot work with the database "${name}": ${why}`, { path: name, hint });
