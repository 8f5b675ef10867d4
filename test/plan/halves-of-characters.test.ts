import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import { idFromStored, storedId } from '../../src/lib/text/stored-id.ts';
import { message, user, writeFiles } from '../scenes/make-export.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
/** Halves of characters: no UTF-8 has them. */
const [first, second] = ['\ud83d', '\ude00'];

it('people and conversations whose ids differ in one half of a character are not merged', async () => {
  const folder = home.make();
  const [ann, bob] = [`U${first}`, `U${second}`];
  writeFiles(join(folder, 'export'), {
    'users.json': [user(ann, 'Ann'), user(bob, 'Bob')],
    'channels.json': [
      { id: `C${first}`, name: 'one', members: [ann, bob] },
      { id: `C${second}`, name: 'two', members: [ann, bob] },
    ],
    'one/2024-03-01.json': [message('1709251200.000100', ann, 'by ann'), message('1709251201.000100', bob, 'by bob')],
    'two/2024-03-01.json': [message('1709251200.000100', bob, 'by bob there')],
  });
  const { report } = await importExport(await sessionRequest(folder));
  expect(report.totals).toMatchObject({ read: 3, imported: 3, duplicates: 0 });
  expect(report.people.total).toBe(2);
  expect(report.verify).toMatchObject({ same: 3, missing: 0, different: 0 });
  const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
  const rows = db
    .prepare(`SELECT payload ->> '$.data.text', p.name, c.name FROM message m
      JOIN person p ON p.id = m.sender JOIN conversation c ON c.id = m.conversation ORDER BY 1`)
    .raw()
    .all();
  db.close();
  expect(rows).toEqual([
    ['by ann', 'Ann', 'one'],
    ['by bob', 'Bob', 'one'],
    ['by bob there', 'Bob', 'two'],
  ]);
});

it('storedId() is another for every other id, is well-formed, and comes back', () => {
  const unit = fc.constantFrom('a', first, second, '\ufffe', '\ufffd', '\u{1f600}', 'd83d');
  const id = fc.array(unit, { maxLength: 6 }).map((units) => units.join(''));
  fc.assert(
    fc.property(id, (text) => {
      expect(storedId(text).isWellFormed()).toBe(true);
      expect(idFromStored(storedId(text))).toBe(text);
    }),
    { numRuns: 500 },
  );
});
