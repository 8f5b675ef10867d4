import { readFileSync } from 'node:fs';
import { StoreError } from '../../../lib/errors.ts';
import { formatCount } from '../../../lib/text/count.ts';
import { assetFile } from '../../../lib/package-files.ts';
import type { FleetDatabase, Query } from './database.ts';

const migrations = ['0001.sql', '0002.sql', '0003.sql', '0004.sql'];
const folder = assetFile('jobs/fleet/database/migrations/');
/** Key of the advisory lock under which a schema is made: 'ferr'. */
const lock = 0x66657272;

/**
 * Creates the tables, or upgrades them. Two concurrent calls do it once. @throws StoreError if the schema is newer than
 * this program, or has exports in parts.
 */
export async function makeSchema(database: FleetDatabase): Promise<void> {
  await database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [lock]);
    const version = await versionOf(database, query);
    if (version === 1) await assertWholeExports(database, query);
    await query('CREATE SCHEMA IF NOT EXISTS ferry');
    await query('CREATE TABLE IF NOT EXISTS ferry.version (number int NOT NULL)');
    for (const file of migrations.slice(version)) await query(readFileSync(new URL(file, folder), 'utf8'));
    await query('DELETE FROM ferry.version');
    await query('INSERT INTO ferry.version VALUES ($1)', [migrations.length]);
  });
}

/** `submit --parts` of older versions made several units of one export. A worker would take each of them for the whole. @throws StoreError */
async function assertWholeExports({ name }: FleetDatabase, query: Query): Promise<void> {
  const inParts = await query<{ export: string }>(
    'SELECT DISTINCT export FROM ferry.unit WHERE parts IS NOT NULL ORDER BY export',
  );
  const [first] = inParts;
  if (!first) return;
  const others = inParts.length > 1 ? ` and ${formatCount(inParts.length - 1)} more` : '';
  throw new StoreError(
    `Cannot update the database "${name}": an older version split "${first.export}"${others} into parts, and this version has whole exports only`,
    {
      path: name,
      hint: `Let workers of that version finish, or drop it with that version (chatferry fleet drop ${first.export}); then run "chatferry fleet init" again, and submit the whole export`,
    },
  );
}

/**
 * @throws StoreError if there is no fleet, or one of another version.
 */
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

/**
 * @returns 0 if it contains no fleet. @throws StoreError if it is newer than this program, or tables of that name
 *   belong to another program.
 */
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
