import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runJson } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

it.each([
  ['the id', 'Boat', '7'],
  ['nothing', 'Boat', ''],
  ['a word and the id', 'Boat', 'Ticket 7'],
  ['a name of its own', 'Pier', 'Pier'],
])('a conversation that is described again by %s is called "%s"', async (_, name, again) => {
  const conversation = { kind: 'conversation', id: '7', type: 'private' };
  const records = [
    { kind: 'chatferry', version: 1, source: 'zendesk' },
    { kind: 'user', id: 'ann', name: 'Ann' },
    { ...conversation, name: 'Boat', members: ['ann'] },
    { ...conversation, name: again, members: [] },
    {
      ...{ kind: 'message', origin: { source: 'zendesk', workspace: '', conversation: '7', id: 'm1' }, sortKey: '1' },
      ...{ sentAtMs: 1772442900000, text: 'Hi', author: 'ann' },
    },
  ];
  const folder = home.make();
  writeFileSync(join(folder, 'a.ndjson'), records.map((record) => JSON.stringify(record)).join('\n'));
  await runJson(['plan', 'a.ndjson', '--quiet'], { folder });
  const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
  expect(db.prepare('SELECT name FROM conversation').pluck().all()).toEqual([name]);
  db.close();
});
