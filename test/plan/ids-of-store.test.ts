import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { importExport } from '../../src/commands/import.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

const records = [
  person('Łukasz'),
  person('Zoë'),
  person('李'),
  channel('Küche', { members: ['Łukasz', 'Zoë', '李'] }),
  says(1, 'Küche', 'Łukasz', 'one'),
  says(2, 'Küche', '李', 'two'),
];

interface Given {
  readonly folder: string;
  readonly mapping?: string;
  readonly more?: typeof records;
  readonly allowMappingChange?: boolean;
}

async function imported({ folder, more = [], ...changes }: Given) {
  const exports = [writeRecords(join(folder, 'export.ndjson'), [...records, ...more])];
  const { report, exit } = await importExport(await sessionRequest(folder, { from: exports, ...changes }));
  return { report, exit, contents: byName(sandboxContents(join(folder, 'chatferry.sandbox.db'))) };
}

function inStore<T>(folder: string, work: (db: Database.Database) => T): T {
  const db = new Database(join(folder, 'chatferry.db'));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const idsOf = (folder: string) =>
  inStore(folder, (db) => ({
    uids: db.prepare('SELECT uid FROM person ORDER BY source_id').pluck().all(),
    guids: db.prepare('SELECT guid FROM conversation').pluck().all(),
    muids: db.prepare('SELECT muid FROM message ORDER BY seq').pluck().all(),
  }));

const muids = ['m1fwn6lk4jruejvexszr3biqo3e', 'm1fc4dv7hexasvplbxhb4tmwa7r'];
/** As the version before made them. */
const before = { uids: ['zo--y2qsngcy', '-ukasz-yv5u6owe', '--yftgpsty'], guids: ['k-che-vhwioltg'], muids };

/** As the version before there was a choice left it: its mapping said nothing of ids, nor did its books. */
async function storeFromBefore(folder: string): Promise<void> {
  await imported({ folder, mapping: 'ids: replace\nmessages: { onlyFiles: blank }\n' });
  inStore(folder, (db) => {
    expect(db.prepare("SELECT value FROM meta WHERE key = 'mappingHash'").pluck().get()).toBe('7b03c4a601718191');
    db.exec("UPDATE meta SET value = json_remove(value, '$.ids', '$.messages.onlyFiles') WHERE key = 'rules'");
  });
}

it('a new store writes names in ASCII', async () => {
  const folder = home.make();
  expect((await imported({ folder })).exit).toBe(0);
  expect(idsOf(folder)).toEqual({ uids: ['zoe', 'lukasz', 'li-yftgpsty'], guids: ['kuche'], muids });
});

it('a store from before there was a choice gives the same ids when it is planned again, and to new people', async () => {
  const folder = home.make();
  await storeFromBefore(folder);
  expect(idsOf(folder)).toEqual(before);
  const more = [person('Şirin'), says(3, 'Küche', 'Şirin', 'three')];
  const { exit, report } = await imported({ folder, more });
  expect(exit).toBe(0);
  expect(report.totals).toMatchObject({ imported: 3 });
  expect(idsOf(folder)).toMatchObject({
    uids: expect.arrayContaining([...before.uids, '-irin-iohkixry']),
    guids: before.guids,
  });
});

it('a store that writes names in ASCII keeps doing so, and one with another setting keeps that setting', async () => {
  const [ascii, replaced] = [home.make(), home.make()];
  await imported({ folder: ascii });
  await imported({ folder: replaced, mapping: 'ids: replace\n' });
  const more = [person('Şirin'), says(3, 'Küche', 'Şirin', 'three')];
  await imported({ folder: ascii, more });
  await imported({ folder: replaced, more });
  expect(idsOf(ascii).uids).toContain('sirin');
  expect(idsOf(replaced).uids).toContain('-irin-iohkixry');
});

it('other ids than those that were sent are refused, with both values', async () => {
  const folder = home.make();
  await storeFromBefore(folder);
  await expect(imported({ folder, mapping: 'ids: transliterate\n' })).rejects.toThrow(
    'ids was "replace", is "transliterate"',
  );
});
