import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { exitCodes } from '../../src/model/exit-codes.ts';
import { importExport } from '../../src/commands/move.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const [ann, bob] = [userId(1), userId(2)];
const ts = (day: number, second: number) => `${Date.UTC(2024, 2, day) / 1000 + second}.000100`;
const shared = {
  'users.json': [user(ann, 'Ann'), user(bob, 'Bob')],
  'channels.json': [
    { id: 'C00000001', name: 'one', members: [ann, bob] },
    { id: 'C00000002', name: 'two', members: [ann, bob] },
  ],
};

/** Removes the messages of one conversation, as a user who clears it would. */
function empty(path: string, text: string): void {
  const db = new Database(path);
  db.prepare(
    `DELETE FROM message WHERE conversation = (SELECT conversation FROM message WHERE data ->> '$.text' = ?)`,
  ).run(text);
  db.close();
}

it('adds nothing to a conversation whose last known message is gone, continues with the others, and reports it', async () => {
  const folder = home.make();
  const days = (day: number) => ({
    [`one/2024-03-0${day}.json`]: [message(ts(day, 1), ann, `one ${day}`)],
    [`two/2024-03-0${day}.json`]: [message(ts(day, 2), bob, `two ${day}`)],
  });
  writeFiles(join(folder, 'export'), { ...shared, ...days(1) });
  expect((await importExport(await sessionRequest(folder))).exit).toBe(exitCodes.done);

  const sandbox = join(folder, 'chatferry.sandbox.db');
  empty(sandbox, 'one 1');
  writeFiles(join(folder, 'export'), days(2));
  const { report, exit } = await importExport(await sessionRequest(folder));
  expect(exit).toBe(exitCodes.stopped);
  expect(report.stopped).toMatchObject({ code: 'last-message-gone' });
  expect(report.stopped?.message).toContain('"C00000001"');
  expect(report.totals).toMatchObject({ planned: 4, imported: 3, pending: 1 });
  expect([...sandboxContents(sandbox).values()]).toEqual([['two 1', 'two 2']]);
});
