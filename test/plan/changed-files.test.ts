import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import { version } from '../../src/lib/version.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';

const home = temporaryFolderInMemory();

const mapping =
  'source: { messages: { conversation: room, author: who, time: { from: at, format: unix-ms }, text: text } }';
const head = 'room,at,text,who\n';
const row = (second: number, text = `Message ${second}`, who = 'ann') =>
  `general,${1_700_000_000_000 + second * 1000},${text},${who}\n`;

/** A folder of CSV files, and the store of their plans. */
function scene() {
  const folder = home.make();
  const path = join(folder, 'messages.csv');
  const request = (from = [path]) => sessionRequest(folder, { from, source: 'csv', mapping });
  return {
    write: (...rows: readonly string[]) => writeFileSync(path, head + rows.join('')),
    plan: async () => (await planExport(await request())).report.totals,
    import: async () => await importExport(await request()),
    /** Leaves the store as another version would, which read every text otherwise. */
    readOtherwise(version: string) {
      const db = new Database(join(folder, 'chatferry.db'));
      db.exec(`UPDATE message SET payload = json_set(payload, '$.data.text', 'other')`);
      db.prepare(`UPDATE meta SET value = ? WHERE key = 'version'`).run(version);
      db.close();
    },
    all(sql: string) {
      const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
      const found = db.prepare(sql).pluck().all();
      db.close();
      return found;
    },
  };
}

const texts = `SELECT payload ->> '$.data.text' FROM message WHERE verdict = 'planned' AND vanished = 0 ORDER BY sent_at`;

describe('a file that did not change', () => {
  it('is read again by another version of the program only', async () => {
    const file = scene();
    file.write(row(1), row(2));
    await file.plan();
    file.readOtherwise(version);
    await file.plan();
    expect(file.all(texts)).toEqual(['other', 'other']);
    file.readOtherwise('0.0.0');
    expect(await file.plan()).toMatchObject({ read: 2, planned: 2, duplicates: 0 });
    expect(file.all(texts)).toEqual(['Message 1', 'Message 2']);
    expect(file.all(`SELECT value FROM meta WHERE key = 'version'`)).toEqual([version]);
  });
});

describe('a file that changed since the last plan', () => {
  it('is read again as a whole: rows that were added are added, and none comes twice', async () => {
    const file = scene();
    file.write(row(1), row(1), row(2));
    expect(await file.plan()).toMatchObject({ read: 3, planned: 3 });
    file.write(row(1), row(1), row(2), row(3));
    expect(await file.plan()).toMatchObject({ read: 4, planned: 4, duplicates: 0 });
  });

  it('loses what a truncated last line was read as: the text and the person', async () => {
    const file = scene();
    file.write(row(1), row(2).slice(0, -2));
    expect(await file.plan()).toMatchObject({ read: 2, planned: 2 });
    expect(file.all('SELECT source_id FROM person ORDER BY 1')).toEqual(['an', 'ann']);
    file.write(row(1), row(2));
    expect(await file.plan()).toMatchObject({ read: 2, planned: 2, duplicates: 0 });
    expect(file.all('SELECT source_id FROM person')).toEqual(['ann']);
    expect(file.all(texts)).toEqual(['Message 1', 'Message 2']);
  });

  it('keeps a sent message of a truncated line, as gone from the export', async () => {
    const file = scene();
    file.write(row(1), row(2).slice(0, -2));
    expect((await file.import()).report.totals).toMatchObject({ imported: 2 });
    file.write(row(1), row(2));
    const { report, exit } = await file.import();
    expect(report.totals).toMatchObject({ read: 3, planned: 3, imported: 3 });
    expect(exit).toBe(0);
    expect(file.all('SELECT source_id FROM person ORDER BY 1')).toEqual(['an', 'ann']);
  });
});
