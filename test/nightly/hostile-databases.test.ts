/** Databases and dumps that were made to break a reader: nothing is lost under a green tick, nothing crashes, grows, hangs or changes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs as postgresPrograms } from '../fleet/postgres.ts';
import { programs as mariadbPrograms } from '../proofs/database/mariadb.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { dumpForms } from './hostile/dumps.ts';
import { type Expected, type Outcome, tryForm } from './hostile/form.ts';
import { mariadbForms } from './hostile/mariadb.ts';
import { postgresForms } from './hostile/postgres.ts';
import { type HostileServer, type ServerForm, startMariadb, startPostgres } from './hostile/servers.ts';
import { makeSqlite, sqliteForms } from './hostile/sqlite.ts';

const home = temporaryFolder();
const usual = { exit: 0, read: 3, texts: ['one', 'two', 'three'] };

function expectOutcome({ output, peakMiB, ...outcome }: Outcome, expected: Expected): void {
  const { exit, read, texts } = { ...usual, ...expected };
  expect(outcome, output).toEqual({ exit, read, texts: texts ?? outcome.texts, isSaid: true, faults: [] });
}

describe('a SQLite file', () => {
  it.each(Object.entries(sqliteForms))('%s', async (_, form) => {
    const folder = home.make();
    mkdirSync(join(folder, 'in'));
    const path = join(folder, 'in/app.sqlite');
    makeSqlite(path, form);
    expectOutcome(await tryForm(folder, path, form), form);
  });
});

describe('a dump', () => {
  it.each(Object.entries(dumpForms))('%s', async (_, form) => {
    const folder = home.make();
    mkdirSync(join(folder, 'in'));
    const path = join(folder, 'in/dump.sql');
    writeFileSync(path, form.dump);
    expectOutcome(await tryForm(folder, path, form), form);
  });
});

async function tryServer(start: (form: ServerForm) => Promise<HostileServer>, form: ServerForm): Promise<void> {
  const server = await start(form);
  const { during, ...others } = form;
  const isChanging = form.during !== undefined;
  const before = await server.sums();
  const expected: Expected = {
    ...others,
    env: server.env,
    ...(during && { during: (program) => during(program, server) }),
  };
  expectOutcome(await tryForm(home.make(), server.address, expected), expected);
  if (!isChanging) expect(await server.sums()).toBe(before);
  await expect.poll(() => server.running()).toEqual([]);
}

describe.skipIf(mariadbPrograms === null)('a MariaDB', () => {
  it.each(Object.entries(mariadbForms))('%s', (_, form) => tryServer(startMariadb, form));
});

describe.skipIf(postgresPrograms === null)('a PostgreSQL', () => {
  it.each(Object.entries(postgresForms))('%s', (_, form) => tryServer(startPostgres, form));
});
