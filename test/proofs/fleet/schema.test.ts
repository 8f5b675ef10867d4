import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/fleet/database/database.ts';
import { assertSchema, makeSchema } from '../../../src/fleet/database/schema.ts';
import { makeFleet } from '../../../src/fleet/open-fleet.ts';
import { assetFile } from '../../../src/lib/package-files.ts';
import { programs, testPostgres } from '../../fleet/postgres.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

const half = 'ALTER TABLE ferry.slot ADD COLUMN label text; ';

/** The tables of a fleet, and a made-up second version. */
function madeSchema(sql = `${half}UPDATE ferry.slot SET label = upper(key);`) {
  const folder = home.make();
  copyFileSync(assetFile('fleet/database/migrations/schema.sql'), join(folder, 'schema.sql'));
  writeFileSync(join(folder, '0002.sql'), sql);
  return { folder: pathToFileURL(`${folder}/`), migrations: ['0002.sql'] };
}

/** A fleet of the first version, with a row. */
async function firstVersion() {
  const database = await openDatabase(await testPostgres(), { max: 2, application: 'test' });
  onTestFinished(() => database.close());
  await makeFleet(database);
  await database.query(`INSERT INTO ferry.slot (key) VALUES ('a')`);
  const slots = () => database.query<{ key: string; label?: string }>('SELECT * FROM ferry.slot');
  return { database, slots };
}

describe.skipIf(programs === null)('makeSchema()', () => {
  it('brings a fleet to the newest version, once, and keeps its rows', async () => {
    const { database, slots } = await firstVersion();
    const schema = madeSchema();
    await expect(assertSchema(database, schema)).rejects.toMatchObject({
      message: expect.stringContaining('it is not up to date'),
      hint: 'Run "chatferry fleet init"',
    });
    await Promise.all([makeSchema(database, schema), makeSchema(database, schema)]);
    await assertSchema(database, schema);
    expect(await slots()).toMatchObject([{ key: 'a', label: 'A' }]);
    await expect(assertSchema(database)).rejects.toMatchObject({
      message: expect.stringContaining('a newer version of Chatferry made it'),
      hint: 'Update Chatferry',
    });
  });

  it('leaves everything as it was if a migration fails half-way, and continues from there', async () => {
    const { database, slots } = await firstVersion();
    const before = await slots();
    const broken = madeSchema(`${half}UPDATE ferry.slot SET nowhere = 1;`);
    await expect(makeSchema(database, broken)).rejects.toThrow('nowhere');
    await assertSchema(database);
    expect(await slots()).toEqual(before);
    await makeSchema(database, madeSchema());
    expect(await slots()).toMatchObject([{ label: 'A' }]);
  });
});
