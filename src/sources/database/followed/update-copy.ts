import type { Database as SqliteDatabase } from 'better-sqlite3';
import { SourceError, StoreError } from '../../../lib/errors.ts';
import { openDatabase, toStoreError } from '../../../lib/sqlite.ts';
import { createTable, insertInto } from '../copied-table.ts';
import type { Database, RowsSince } from '../database.ts';
import type { CopiedColumns } from '../local-copy.ts';
import {
  beginCopy,
  type CopyTable,
  type CopyTableSpec,
  noteCatalogue,
  noteSeen,
  readCopy,
  seenValue,
} from './copy-tables.ts';
import { LatestValue, zoneMaxMs } from './latest-value.ts';
import { writtenTime } from './written-time.ts';

/** How a copy is brought up to date. */
export interface CopyUpdate {
  readonly columns: CopiedColumns;
  /** By table, the column that says when a row changed. Tables without one are read whole. */
  readonly cursors: ReadonlyMap<string, string>;
  /** Reads all tables whole, and so finds rows that are gone or changed without a new time. */
  readonly isWhole: boolean;
  /** Rows are asked for from so long before the latest known value on. In ms. */
  readonly backMs: number;
  /** Called when everything is written and not yet kept. */
  beforeCommit(): void;
}

/**
 * Updates a copy of a server's tables, as one state. The file stays unchanged if no row changed. An update is stored
 * completely or not at all: the next one undoes what a kill left.
 *
 * @param path Created if missing, with mode 0600. Data that was copied for other tables or columns is replaced.
 * @throws SourceError if the server cannot be read; StoreError for the file.
 */
export async function updateCopy(
  path: string,
  original: Database,
  update: CopyUpdate,
  signal: AbortSignal,
): Promise<void> {
  const db = openDatabase(path, { journal: 'delete' });
  try {
    db.pragma('temp_store = FILE');
    // Data that was deleted there cannot be found here.
    db.pragma('secure_delete = ON');
    db.exec('BEGIN IMMEDIATE');
    const { tables, isNew } = tablesFor(db, path, { original, update });
    const isWhole = isNew || update.isWhole;
    for (const table of tables)
      await updateTable(db, table, { original, update: { ...update, isWhole }, signal, isNew });
    noteCatalogue(db, original);
    signal.throwIfAborted();
    update.beforeCommit();
    db.exec('COMMIT');
  } catch (error) {
    throw isKeyTwice(error) ? keyTwice(error) : (toStoreError(error, path) ?? error);
  } finally {
    // Undoes what was not kept.
    db.close();
  }
}

const isKeyTwice = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY';

const keyTwice = (cause: unknown): SourceError =>
  new SourceError('Cannot follow the database: a table has two rows with the same primary key', {
    hint: 'Name the address of the database as the export of the job: each run then reads it whole',
    cause,
  });

/**
 * @throws StoreError if the file is no copy of Chatferry's.
 */
function tablesFor(
  db: SqliteDatabase,
  path: string,
  { original, update: { columns, cursors } }: Pick<Updating, 'original' | 'update'>,
) {
  const specs = [...columns].map(([name, names]): CopyTableSpec => {
    const { primaryKey, columns: all } = original.tables.find((table) => table.name === name)!;
    const cursor = cursors.get(name) ?? null;
    const cursorType = all.find((column) => column.name === cursor)?.type ?? null;
    return { name, columns: [...names], key: [...primaryKey], cursor, cursorType };
  });
  const kept = keptIn(db, path);
  if (kept?.specs === JSON.stringify(specs)) return { tables: kept.tables, isNew: false };
  return { tables: beginCopy(db, specs), isNew: true };
}

function keptIn(db: SqliteDatabase, path: string) {
  try {
    return readCopy(db);
  } catch (cause) {
    throw new StoreError(`Cannot use the copy "${path}": it is damaged, or another program changed it`, {
      path,
      hint: 'Delete it: the next run reads the database whole',
      cause,
    });
  }
}

interface Updating {
  readonly original: Database;
  readonly update: CopyUpdate;
  readonly signal: AbortSignal;
  /** Whether the copy has no rows yet. */
  readonly isNew: boolean;
}

async function updateTable(db: SqliteDatabase, table: CopyTable, updating: Updating): Promise<void> {
  if (table.columns.size === 0) return;
  if (updating.isNew) {
    await receive(db, table, { into: table.table, since: undefined }, updating);
    return;
  }
  const since = updating.update.isWhole ? undefined : findBound(db, table, updating);
  createTable(db, { ...table, table: 'temp.received' }, table.key);
  await receive(db, table, { into: 'temp.received', since }, updating);
  if (!since) removeOthers(db, table);
  putInPlace(db, table);
  db.exec('DROP TABLE temp.received');
}

/** Returns undefined if the table is to be read whole. */
function findBound(
  db: SqliteDatabase,
  table: CopyTable,
  { original: { clock }, update: { backMs } }: Updating,
): RowsSince | undefined {
  const seen = table.cursor === undefined ? undefined : seenValue(db, table);
  const time = seen === undefined ? undefined : writtenTime(seen);
  if (!time || !clock) return undefined;
  // Times without a zone may be local ones: in autumn an hour comes twice.
  const [aheadMs, twiceMs] = time.hasZone ? [0, 0] : [zoneMaxMs, 3_600_000];
  return { column: table.cursor!, from: time.write(Math.min(time.ms, clock.nowMs + aheadMs) - twiceMs - backMs) };
}

async function receive(
  db: SqliteDatabase,
  table: CopyTable,
  { into, since }: { readonly into: string; readonly since: RowsSince | undefined },
  { original, signal }: Updating,
): Promise<void> {
  const { name, columns, cursor } = table;
  const names = [...columns.keys()];
  const insert = insertInto(db, { ...table, table: into });
  // Reading the whole table determines it again.
  const latest = new LatestValue(table, since && seenValue(db, table), original.clock);
  const cursorIndex = cursor === undefined ? -1 : names.indexOf(cursor);
  for await (const rows of original.rows(name, names, signal, since)) {
    for (const { values } of rows) {
      insert.run(...values);
      if (cursorIndex >= 0) latest.note(values[cursorIndex]!);
    }
    signal.throwIfAborted();
  }
  noteSeen(db, table, latest.value);
}

const ownNames = ({ columns }: CopyTable, names: readonly string[]) => names.map((name) => columns.get(name)!);

/** Rows that a whole reading did not meet. Without a key, all of them where anything differs. */
function removeOthers(db: SqliteDatabase, { table, columns, key }: CopyTable): void {
  if (key.length > 0) {
    const keys = key.map((name) => columns.get(name)!);
    const isSame = keys.map((name) => `r.${name} = ${table}.${name}`).join(' AND ');
    db.exec(`DELETE FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM temp.received r WHERE ${isSame})`);
    return;
  }
  const names = [...columns.values()].join(', ');
  // A row may be there several times.
  const counted = (from: string) => `SELECT ${names}, count(*) FROM ${from} GROUP BY ${names}`;
  const isChanged = db
    .prepare<[], number>(
      `SELECT (SELECT count(*) FROM ${table}) <> (SELECT count(*) FROM temp.received)
         OR EXISTS (${counted(table)} EXCEPT ${counted('temp.received')})`,
    )
    .pluck()
    .get();
  if (isChanged) db.exec(`DELETE FROM ${table}`);
  else db.exec('DELETE FROM temp.received');
}

/** A row that is the same already is not written. */
function putInPlace(db: SqliteDatabase, table: CopyTable): void {
  const keys = ownNames(table, table.key);
  const others = [...table.columns.values()].filter((name) => !keys.includes(name));
  const set = others.map((name) => `${name} = excluded.${name}`).join(', ');
  const isChanged = others.map((name) => `${table.table}.${name} IS NOT excluded.${name}`).join(' OR ');
  const update = others.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${set} WHERE ${isChanged}`;
  const onConflict = keys.length === 0 ? '' : ` ON CONFLICT (${keys.join(', ')}) ${update}`;
  db.exec(`INSERT INTO ${table.table} SELECT * FROM temp.received WHERE true${onConflict}`);
}
