import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe } from './fetched.ts';
import { startMock } from './mock/mock-provider.ts';
import { twilioDialect } from './mock/twilio.ts';
import { makeWorld } from './mock/world.ts';

const home = temporaryFolder();

it('a fetch that was killed when it knew of a file, and before the file was there, goes on', async () => {
  const folder = home.make();
  const mock = await startMock(twilioDialect, makeWorld(2, 3), {
    before: (number) => (number === 2 ? { status: 401, json: { message: 'no' } } : undefined),
  });
  const recipe = localRecipe('twilio', mock.url, folder);
  const args = ['fetch', '--recipe', recipe, '--set', `account=${twilioDialect.settings.account}`, '--out', 'out'];
  const again = () => run(args, { folder, env: { CHATFERRY_FROM_KEY: 'f'.repeat(32) } });
  expect((await again()).code).toBe(5);
  const db = new Database(join(folder, 'out/.chatferry-fetch.db'));
  db.exec(`INSERT INTO files VALUES ('users.ndjson', 'users.ndjson', 0, 0, '')`);
  db.close();
  const { code, stderr } = await again();
  expect({ code, error: /Cannot.*/.exec(stderr)?.[0] }).toEqual({ code: 0, error: undefined });
});
