import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { executeRun } from '../../../src/sync/run/execute-run.ts';
import { jobsOf, syncScene } from '../../sync/fixture.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { followedMapping, followedSchema } from './followed.ts';
import { programs, testMariadb } from './mariadb.ts';

const home = temporaryFolder();
process.env.CHATFERRY_STATE_DIR = home.path;

describe.skipIf(programs === null)('a MariaDB', () => {
  it('is open to a role that may read everything, and not see transactions', async () => {
    const { run, open } = await testMariadb('CREATE TABLE message (id INTEGER PRIMARY KEY)');
    await run(`CREATE OR REPLACE USER everything@'%' IDENTIFIED BY 'pass'; GRANT SELECT ON *.* TO everything@'%'`);
    const { tables, clock } = await open({ user: 'everything', host: '127.0.0.1' });
    expect(tables.map(({ name }) => name)).toEqual(['message']);
    const hidden = { reason: expect.stringContaining('may not see'), remedy: 'GRANT PROCESS ON *.* TO `everything`' };
    expect(clock).toEqual({ nowMs: expect.any(Number), hidden });
  });
});

describe.skipIf(programs === null)('a job that follows a MariaDB by a cursor', () => {
  const nothingNew = { exit: 0, stopped: null, added: { imported: 0, drift: {} }, requests: { import: 0 } };

  /** @param now In SQL. */
  async function scene(type: string, now: string) {
    const {
      run: sql,
      beside,
      name,
      server,
    } = await testMariadb(`${followedSchema(type)}
      INSERT INTO message VALUES (1, 'ann', 'One', 1750000001, ${now}), (2, 'bo', 'Two', 1750000002, NULL)`);
    const folder = home.make();
    const url = `mysql://root@localhost/${name}?socket=${server.socket}`;
    const database = { url, cursor: { message: 'changed_at' }, overlap: '0s' };
    const [job] = jobsOf(
      folder,
      `jobs: [{ name: a, to: sandbox, export: ${JSON.stringify({ database })}, mapping: ${followedMapping(folder)}, drift: send }]`,
    );
    const { context } = syncScene(folder);
    const run = () => executeRun(job!, 'once', context);
    return { sql, run, beside };
  }

  it('finds rows of a prepared transaction without a connection by reading everything once it has ended', async () => {
    const { sql, run, beside } = await scene('DATETIME(6)', 'NOW(6)');
    await run();
    const slow = await beside();
    await slow.query(`XA START 'slow'; INSERT INTO message VALUES (3, 'ann', 'Late', 1750000003, NOW(6) - INTERVAL 100 SECOND);
      XA END 'slow'; XA PREPARE 'slow'`);
    slow.destroy();
    await vi.waitFor(async () => {
      const [row] = await sql('SELECT trx_mysql_thread_id AS thread FROM information_schema.INNODB_TRX');
      expect(Number(row!.thread)).toBe(0);
    }, 10_000);
    for (const id of [4, 5]) {
      await sql(`INSERT INTO message VALUES (${id}, 'bo', 'Meanwhile', 175000000${id}, NOW(6))`);
      expect(await run()).toMatchObject({ exit: 0, added: { imported: 1 }, notes: [] });
    }
    await sql(`XA COMMIT 'slow'`);
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 1 }, notes: [{ code: 'read-whole' }] });
    expect(await run()).toMatchObject({ ...nothingNew, notes: [] });
  });

  it.each(['DATETIME(6)', 'TIMESTAMP NULL', 'BIGINT'])(
    'of type %s migrates changes, including those of a transaction that was still open',
    async (type) => {
      const now = type === 'BIGINT' ? 'UNIX_TIMESTAMP()' : 'NOW(6)';
      const { sql, run, beside } = await scene(type, now);
      expect(await run()).toMatchObject({ exit: 0, stopped: null, added: { imported: 2 } });
      expect(await run()).toMatchObject(nothingNew);
      const slow = await beside();
      onTestFinished(() => slow.destroy());
      await slow.query(`START TRANSACTION; INSERT INTO message VALUES (3, 'ann', 'Late', 1750000003, ${now})`);
      await sql(`INSERT INTO message VALUES (4, 'bo', 'Meanwhile', 1750000004, ${now});
      UPDATE message SET body = 'Two, corrected' WHERE id = 2`);
      expect(await run()).toMatchObject({ exit: 0, added: { imported: 1, drift: { edited: 1 } } });
      await slow.query('COMMIT');
      expect(await run()).toMatchObject({ exit: 0, added: { imported: 1, drift: {} } });
      expect(await run()).toMatchObject(nothingNew);
    },
  );
});
