import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { storeDamage } from '../../src/store/open.ts';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';
import { rulesSchema } from '../../src/mapping/rules.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { testSeed } from '../seed.ts';
import { run } from './in-process.ts';
import { everyFeature } from './samples.ts';
import { countOf } from '../tier.ts';

const home = temporaryFolder();
const stores = ['chatferry.db', 'chatferry.sandbox.db'] as const;
const rounds = countOf({ ci: 5, nightly: 12 });

/** An import that is done, and its two databases as they were then. */
async function imported() {
  const folder = home.make();
  expect(await run(['import', everyFeature], { folder })).toMatchObject({ code: 0 });
  const good = stores.map((name) => readFileSync(join(folder, name)));
  const restore = () => {
    for (const [index, name] of stores.entries()) {
      for (const suffix of ['-wal', '-shm']) rmSync(join(folder, name + suffix), { force: true });
      writeFileSync(join(folder, name), good[index]!);
    }
  };
  return { folder, good, restore };
}

it('a store with flipped bits is used, or called damaged, and nothing ends in an internal error', async () => {
  const { folder, good, restore } = await imported();
  const random = seededRandom(testSeed);
  for (let round = 0; round < rounds; round++) {
    restore();
    const which = round % 5 === 4 ? 1 : 0;
    const bytes = Buffer.from(good[which]!);
    const flipped = Array.from({ length: 3 }, () => Math.floor(random() * bytes.length));
    for (const at of flipped) bytes[at]! ^= 1 << Math.floor(random() * 8);
    writeFileSync(join(folder, stores[which]!), bytes);
    for (const args of [['verify', '--grace-period', '0s'], ['status'], ['report'], ['import', '--yes']]) {
      const { code, stderr } = await run(args, { folder });
      expect(code, `${args.join(' ')} with bits flipped at ${flipped.join()}:\n${stderr}`).not.toBeOneOf([1, null]);
    }
  }
});

it.each([
  ['a payload', `UPDATE message SET payload = replace(payload, '{', '[')`, 'a value of message.payload is no JSON'],
  [
    'the name of a key of a payload',
    `UPDATE message SET payload = replace(payload, '"data"', '"dAta"')`,
    'message.payload is no payload',
  ],
  [
    'the name of a rule',
    `UPDATE meta SET value = replace(value, '"uid"', '"uyd"') WHERE key = 'rules'`,
    'the value of "rules" is not in the expected format',
  ],
  ['what is noted', `UPDATE meta SET value = '{' WHERE key = 'rules'`, 'the value of "rules" is no JSON'],
  ['a row', 'UPDATE message SET sender = 4711 WHERE seq = 9', 'a row of message names one of person that is not there'],
  ['a definition', `UPDATE sqlite_schema SET sql = replace(sql, 'vanished', 'vanishad')`, 'the definition of "'],
])('damage that SQLite does not see is named: %s', async (_, damage, words) => {
  const { folder } = await imported();
  const path = join(folder, 'chatferry.db');
  expect(storeDamage(path, { rules: rulesSchema })).toBeUndefined();
  const db = new Database(path);
  db.unsafeMode().pragma('writable_schema = ON');
  db.exec(damage);
  db.close();
  const { code, stderr } = await run(['verify', '--grace-period', '0s'], { folder });
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining(words) });
});
