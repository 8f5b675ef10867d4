import { readFileSync } from 'node:fs';
import { StoreError } from '../../lib/errors.ts';
import { assetFile } from '../../lib/package-files.ts';
import type { FleetDatabase, Query } from './database.ts';

const migrations = ['0001.sql'];
const folder = assetFile('fleet/database/migrations/');
/** Of the advisory lock under which a schema is made: 'ferr'. */
const lock = 0x66657272;

/** Makes the tables, or brings them up to date. Two at once do it once. @throws StoreError where it is newer than this program. */
export async function makeSchema(database: FleetDatabase): Promise<void> {
  await database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [lock]);
    const version = await versionOf(database, query);
    await query('CREATE SCHEMA IF NOT EXISTS ferry');
    await query('CREATE TABLE IF NOT EXISTS ferry.version (number int NOT NULL)');
    for (const file of migrations.slice(version)) await query(readFileSync(new URL(file, folder), 'utf8'));
    await query('DELETE FROM ferry.version');
    await query('INSERT INTO ferry.version VALUES ($1)', [migrations.length]);
  });
}

/** @throws StoreError where there is no fleet, or one of another version. */
export async function assertSchema(database: FleetDatabase): Promise<void> {
  const version = await versionOf(database, database.query);
  if (version === migrations.length) return;
  throw new StoreError(
    `Cannot work with the database "${database.name}": ${version === 0 ? 'there is no fleet in it' : 'an older version of Chatferry made it'}`,
    {
      path: database.name,
      hint: 'Run "chatferry fleet init"',
    },
  );
}

/** @returns 0 where there is no fleet in it. @throws StoreError where it is newer than this program, or somebody else has tables of that name. */
export async function versionOf(database: FleetDatabase, query: Query): Promise<number> {
  const [has] = await query<{ isOurs: boolean; isTaken: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('ferry.version') AND attname = 'number') AS "isOurs",
       EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('ferry')) AS "isTaken"`,
  );
  if (!has!.isOurs) {
    if (has!.isTaken) throw foreign(database);
    return 0;
  }
  const [row] = await query<{ number: number }>('SELECT number FROM ferry.version');
  const version = row?.number ?? 0;
  if (version > migrations.length) throw newer(database);
  return version;
}

const newer = ({ name }: FleetDatabase) =>
  new StoreError(`Cannot work with the database "${name}": a newer version of Chatferry made it`, {
    path: name,
    hint: 'Update Chatferry',
  });

const foreign = ({ name }: FleetDatabase) =>
  new StoreError(`Cannot work with the database "${name}": its schema "ferry" is another program's`, {
    path: name,
    hint: 'Name another database: a fleet has one of its own',
  });
