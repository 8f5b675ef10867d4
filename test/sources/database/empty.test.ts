import { expect, it } from 'vitest';
import type { ExportInput } from '../../../src/io/input/export-input.ts';
import { SourceError } from '../../../src/lib/errors.ts';
import { proposeDatabase } from '../../../src/sources/database/propose.ts';
import { MemoryDatabase, type MemoryTable } from './memory-database.ts';

/** The error of `init` for a server with these tables. */
async function faultOf(tables: readonly MemoryTable[]): Promise<unknown> {
  const database = new MemoryDatabase(tables);
  const found = { path: 'app', because: '', isServer: true, open: async () => database };
  const fault: unknown = await proposeDatabase({} as ExportInput, found, {}).catch((error: unknown) => error);
  expect(database.isClosed).toBe(true);
  return fault;
}

it('init stops at a database without tables, and says that the user may not see them', async () => {
  const fault = await faultOf([]);
  expect(fault).toBeInstanceOf(SourceError);
  expect(fault).toMatchObject({
    message: 'Cannot find any rows in "app"',
    hint: 'It has no tables that this user may read',
  });
});

it('init stops at a database whose tables are all empty, and names them', async () => {
  const empty = [{ name: 'messages', columns: ['id'], rows: [] }];
  expect(await faultOf(empty)).toMatchObject({ hint: 'Empty tables: messages' });
});
