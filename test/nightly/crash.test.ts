import { setTimeout as wait } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../src/selftest/steps/migrate.ts';
import { isClean } from '../../src/selftest/result.ts';
import { type Scenario, scenarios } from '../../src/selftest/steps/scenarios.ts';
import { never } from '../scenes/bench.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { testSeed as seed } from '../seed.ts';

/**
 * Real processes, killed at random moments; more of them in test/proofs/kills.test.ts. A failure prints the seed;
 * `CHATFERRY_TEST_SEED` begins again with it. Which instant a kill meets depends on the machine as well.
 */
const home = temporaryFolder();

const scenarioNamed = (name: string): Scenario => scenarios.find((scenario) => scenario.name === name)!;

describe('an import that is killed again and again', () => {
  it.concurrent.for(['server-killed', 'embedded-killed', 'planning-killed'])(
    'arrives whole, once and in order: %s',
    async (name, { task }) => {
      const scenario = scenarioNamed(name);
      const { result, problems } = await migrate({ scenario, seed, killsMax: 3, folder: home.make(), signal: never });
      expect(problems, `seed ${seed}`).toEqual([]);
      expect(result, `seed ${seed}`).toSatisfy(isClean);
      task.meta.figures = { ...task.meta.figures, [name]: `${result.kills} kills` };
    },
  );
});

describe('the proof itself', () => {
  it('finds messages that are lost, altered, repeated or swapped at a service without its knowledge', async () => {
    const folder = home.make();
    const { name, options, ...usual } = scenarioNamed('stores-duplicates');
    const scenario: Scenario = { ...usual, name, options, server: { duplicates: 'stored', plan: {} } };
    const [{ result, problems }] = await Promise.all([
      migrate({ scenario, seed, killsMax: 0, folder, signal: never }),
      tamper(join(folder, 'server.db')),
    ]);
    expect(result, `seed ${seed}`).toMatchObject({ lost: 2, unexpected: 1, duplicated: 1, outOfOrder: 1 });
    expect(problems.join('\n'), `seed ${seed}`).toMatch(/verify ended with 6[\s\S]*unexpected: .*altered/);
  });
});

/** Changes stored messages while others still come in: one is gone, one reads otherwise, one is there again, two have changed places. */
async function tamper(path: string): Promise<void> {
  while (!existsSync(path)) await wait(20);
  const db = new Database(path);
  try {
    db.pragma('busy_timeout = 5000');
    const isThere = () => db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'participant'`).get() !== undefined;
    const count = () => (isThere() ? db.prepare<[], number>('SELECT count(*) FROM message').pluck().get()! : 0);
    while (count() < 60) await wait(20);
    const ids = db
      .prepare<[], number>(
        `SELECT id FROM message WHERE conversation = (SELECT conversation FROM message GROUP BY 1 ORDER BY count(*) DESC LIMIT 1) ORDER BY id`,
      )
      .pluck()
      .all();
    db.transaction(() => {
      db.prepare('DELETE FROM message WHERE id = ?').run(ids[0]);
      db.prepare(`UPDATE message SET data = json_set(data, '$.text', 'altered') WHERE id = ?`).run(ids[1]);
      const columns = `muid, conversation, sender, receiver, receiver_type, category, type, data, sent_at`;
      db.prepare(`INSERT INTO message (${columns}) SELECT ${columns} FROM message WHERE id = ?`).run(ids[2]);
      const exchange = db.prepare('UPDATE message SET id = ? WHERE id = ?');
      exchange.run(-1, ids[3]);
      exchange.run(ids[3], ids[4]);
      exchange.run(ids[4], -1);
    })();
  } finally {
    db.close();
  }
}
