import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { databaseOf, openStoreToRead } from '../../src/store/open.ts';
import { compareMessage } from '../../src/rows/shown.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { findingSample } from '../../src/rows/finding-rows.ts';
import { openExport } from '../../src/io/input/open-export.ts';
import type { Location } from '../../src/lib/text/location.ts';
import { sourceNamed } from '../../src/plan/choose-source.ts';
import type { ColumnSource } from '../../src/sources/table-source.ts';
import { never } from '../scenes/bench.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const samples = join(import.meta.dirname, '../../samples');

/** A copy of the export of a sample. The tables of XMPP servers are samples as CSV: they are made here. */
function exportOf(sample: string): string {
  const folder = home.make();
  if (sample.startsWith('xmpp/')) return serverDatabase(folder, sample);
  const file = readdirSync(join(samples, sample)).find((name) => name.startsWith('export'))!;
  cpSync(join(samples, sample, file), join(folder, file), { recursive: true });
  return join(folder, file);
}

const stanza = `<message from=''ines@example.com/x'' to=''bo@example.com'' type=''chat'' id=''a''><body>From a file</body></message>`;
const serverTables: Readonly<Record<string, string>> = {
  'xmpp/ejabberd': `CREATE TABLE archive (username TEXT, timestamp INTEGER, peer TEXT, xml TEXT, kind TEXT);
    INSERT INTO archive VALUES ('ines@example.com', 1700000000000000, 'bo@example.com', '${stanza}', 'chat')`,
  'xmpp/prosody-table': `CREATE TABLE prosodyarchive (host TEXT, user TEXT, store TEXT, "key" TEXT, "when" INTEGER, "with" TEXT, type TEXT, value TEXT);
    INSERT INTO prosodyarchive VALUES ('example.com', 'ines', 'archive', 'k1', 1700000000, 'bo@example.com', 'xml', '${stanza}')`,
};

function serverDatabase(folder: string, sample: string): string {
  const path = join(folder, 'export.sqlite');
  const db = new DatabaseSync(path);
  db.exec(serverTables[sample]!);
  db.close();
  return path;
}

/** Plans a copy of a sample. */
async function planned(sample: string) {
  const from = exportOf(sample);
  const request = await sessionRequest(home.make(), { from: [from], source: sample.split('/', 1)[0]! });
  await planExport(request);
  return { from, store: request.store };
}

/** The planned messages of a store that were read from a table. */
function muidsOf(path: string): readonly string[] {
  const store = openStoreToRead(path);
  const muids = databaseOf(store)
    .prepare<[], string>(`SELECT muid FROM message WHERE verdict = 'planned' AND place LIKE '/%'`)
    .pluck()
    .all();
  store.close();
  return muids;
}

/** A column that the row of each message has. */
const columns = {
  'imessage/mac': ['guid', 'date'],
  'imessage/old-phone': ['guid', 'date'],
  'viber/desktop': ['Events.EventID', 'Events.TimeStamp'],
  'viber/tables-of-2014': ['Events.EventID', 'Events.TimeStamp'],
  'xmpp/ejabberd': ['username', 'xml'],
  'xmpp/prosody-table': ['host', 'value'],
} as const;

describe('compareMessage() of the database of an application', () => {
  it.each(Object.entries(columns))('shows the row of each message of %s with its columns', async (sample, names) => {
    const { store } = await planned(sample);
    const muids = muidsOf(store);
    expect(muids.length).toBeGreaterThan(0);
    for (const muid of muids) {
      const { row } = (await compareMessage(store, muid))!;
      expect(Object.keys(JSON.parse(row!))).toEqual(expect.arrayContaining([...names]));
    }
  });

  it('shows what can be read of an archive that holds a text', async () => {
    const { store } = await planned('imessage/mac');
    const rows = await Promise.all(muidsOf(store).map(async (muid) => (await compareMessage(store, muid))!.row!));
    const archives = rows.map((row) => JSON.parse(row).attributedBody).filter((text) => text !== undefined);
    expect(archives.length).toBeGreaterThan(0);
    expect(archives.join()).toContain('Another group, the same people');
  });
});

describe('findingSample() of the database of an application', () => {
  it.each([
    ['imessage/old-phone', 'no-author'],
    ['imessage/mac', 'imessage-not-sent'],
    ['imessage/damaged-rows', 'imessage-bad-text'],
  ])('has the rows of %s with %s', async (sample, code) => {
    const { store } = await planned(sample);
    const found = await findingSample(store, code, { max: 3, exports: [], signal: never });
    expect(found.length).toBeGreaterThan(0);
    for (const { row } of found) expect(row!.map(([column]) => column)).toContain('rowid');
  });
});

describe('rowsAt() of the database of an application', () => {
  it.each(Object.keys(columns))('finds nothing at other places of %s, and runs nothing of them', async (sample) => {
    const adapter = sourceNamed(sample.split('/', 1)[0]!) as ColumnSource;
    const [input] = await openExport([exportOf(sample)]);
    try {
      const paths = await input!.paths();
      const pointers = [
        '',
        '/message',
        '/message/999999',
        '/handle/1',
        '/message/1 OR 1',
        '/sqlite_master/1',
        '/archive/x',
      ];
      const locations = paths.flatMap((path) => pointers.map((pointer): Location => ({ path, pointer })));
      expect(await adapter.rowsAt(input!, adapter.options.parse({}), locations)).toEqual(new Map());
    } finally {
      await input!.close();
    }
  });
});
