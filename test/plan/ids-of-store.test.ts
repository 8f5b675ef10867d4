import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
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

it('a new store writes names in ASCII, and so do later plans', async () => {
  const folder = home.make();
  expect((await imported({ folder })).exit).toBe(0);
  expect(idsOf(folder)).toEqual({ uids: ['zoe', 'lukasz', 'li-yftgpsty'], guids: ['kuche'], muids });
  await imported({ folder, more: [person('Şirin'), says(3, 'Küche', 'Şirin', 'three')] });
  expect(idsOf(folder).uids).toContain('sirin');
});

it('a mapping may replace letters, also of people who come later; other ids than those that were sent are refused', async () => {
  const folder = home.make();
  await imported({ folder, mapping: 'ids: replace\n' });
  const replaced = { uids: ['zo--y2qsngcy', '-ukasz-yv5u6owe', '--yftgpsty'], guids: ['k-che-vhwioltg'], muids };
  expect(idsOf(folder)).toEqual(replaced);
  const more = [person('Şirin'), says(3, 'Küche', 'Şirin', 'three')];
  const { report } = await imported({ folder, more, mapping: 'ids: replace\n' });
  expect(report.totals).toMatchObject({ imported: 3 });
  expect(idsOf(folder).uids).toEqual(expect.arrayContaining([...replaced.uids, '-irin-iohkixry']));
  await expect(imported({ folder, more })).rejects.toThrow('ids was "replace", is "transliterate"');
});
