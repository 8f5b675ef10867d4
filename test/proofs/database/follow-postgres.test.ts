import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { executeRun } from '../../../src/sync/run/execute-run.ts';
import { systemClock } from '../../../src/lib/flow/clock.ts';
import { programs } from '../../fleet/postgres.ts';
import { jobsOf, syncScene } from '../../sync/fixture.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { followedMapping, followedSchema } from './followed.ts';
import { testDatabase } from './postgres-databases.ts';

const home = temporaryFolder();
process.env.CHATFERRY_STATE_DIR = home.path;
afterEach(() => void vi.unstubAllEnvs());

const dayMs = 86_400_000;

describe.skipIf(programs === null)('a job that follows a PostgreSQL by a cursor', () => {
  async function scene(cursor: object = { message: 'changed_at' }, overlap = '0s') {
    const { sql, shown, address } = await testDatabase(`${followedSchema('timestamptz')}
      GRANT SELECT ON message, reaction TO reader; GRANT pg_read_all_stats TO reader;
      INSERT INTO message VALUES (1, 'ann', 'One', 1750000001, now()), (2, 'bo', 'Two', 1750000002, now())`);
    const folder = home.make();
    const at = new URL(shown);
    const database = { url: `postgres://reader@${at.host}${at.pathname}`, cursor, overlap };
    const mapping = followedMapping(folder);
    const [job] = jobsOf(
      folder,
      `jobs: [{ name: a, to: sandbox, export: ${JSON.stringify({ database })}, mapping: ${mapping}, drift: send }]`,
    );
    let laterMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + laterMs };
    const { context } = syncScene(folder, { clock });
    vi.stubEnv('PGPASSWORD', 'pass');
    return {
      sql,
      address,
      folder,
      run: () => executeRun(job!, 'once', context),
      waitDays: (days: number) => (laterMs += days * dayMs),
      texts: () => [...sandboxContents(join(folder, 'chatferry-a.sandbox.db')).values()].flat(),
    };
  }

  const nothingNew = { exit: 0, stopped: null, added: { imported: 0, drift: {} }, requests: { import: 0 } };

  it('migrates messages new or edited since the last run, with their reactions, which are read in full', async () => {
    const { sql, run, texts } = await scene();
    expect(await run()).toMatchObject({ exit: 0, stopped: null, added: { imported: 2 } });
    expect(await run()).toMatchObject(nothingNew);
    await sql(`INSERT INTO message VALUES (3, 'ann', 'Three', 1750000003, now());
      UPDATE message SET body = 'Two, corrected', changed_at = now() WHERE id = 2;
      INSERT INTO reaction VALUES (1, 'bo', '👍')`);
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 1, drift: { edited: 1, reactions: 1 } } });
    expect(texts()).toHaveLength(5);
    expect(await run()).toMatchObject(nothingNew);
  });

  it('queries changed rows only, and finds changes without a new time, and deletions, once a day', async () => {
    const { sql, run, waitDays } = await scene();
    await run();
    await sql(`UPDATE message SET changed_at = now() - interval '1 hour'`);
    await run();
    await sql(`INSERT INTO message VALUES (3, 'ann', 'Three', 1750000003, now())`);
    await run();
    await sql(`UPDATE message SET body = 'Silently' WHERE id = 2; DELETE FROM message WHERE id = 1`);
    expect(await run()).toMatchObject(nothingNew);
    waitDays(1);
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 0, drift: { edited: 1, deleted: 1 } } });
    expect(await run()).toMatchObject(nothingNew);
  });

  it('finds rows of a transaction that was open during a run, and rows without a time', async () => {
    const { sql, run, address } = await scene();
    await run();
    const slow = new pg.Client({ connectionString: address });
    await slow.connect();
    onTestFinished(() => slow.end());
    await slow.query(`BEGIN; INSERT INTO message VALUES (3, 'ann', 'Late', 1750000003, now())`);
    await sql(`INSERT INTO message VALUES (4, 'bo', 'Meanwhile', 1750000004, clock_timestamp() + interval '5 ms')`);
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 1 } });
    await slow.query('COMMIT');
    await sql(`INSERT INTO message VALUES (5, 'bo', 'Timeless', 1750000005, NULL)`);
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 2, drift: {} } });
    expect(await run()).toMatchObject(nothingNew);
  });

  it('finds rows of a prepared transaction that began long before, by reading everything once it has ended', async () => {
    const { sql, run } = await scene();
    const readWhole = [{ code: 'read-whole', message: expect.stringContaining('a prepared transaction has ended') }];
    await run();
    await sql(`BEGIN; INSERT INTO message VALUES (3, 'ann', 'Late', 1750000003, now() - interval '100 s');
      PREPARE TRANSACTION 'of-${Date.now()}'`);
    for (const id of [4, 5]) {
      await sql(`INSERT INTO message VALUES (${id}, 'bo', 'Meanwhile', 175000000${id}, now())`);
      expect(await run()).toMatchObject({ exit: 0, added: { imported: 1 }, notes: [] });
    }
    const { rows } = await sql('SELECT gid FROM pg_prepared_xacts WHERE database = current_database()');
    await sql(`COMMIT PREPARED '${(rows[0] as { gid: string }).gid}'`);
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 1, drift: {} }, notes: readWhole });
    expect(await run()).toMatchObject({ ...nothingNew, notes: [] });
  });

  it('says at each run that the role may not see transactions, until it may', async () => {
    const { sql, run } = await scene();
    await sql('REVOKE pg_read_all_stats FROM reader');
    const unseen = {
      code: 'late-commits',
      message: expect.stringMatching(/more than 0 s after their time .* every 1 d: the role "reader" may not see/),
      hint: expect.stringContaining('GRANT pg_read_all_stats TO "reader"'),
    };
    for (const _ of [1, 2]) expect(await run()).toMatchObject({ exit: 0, notes: [unseen] });
    await sql('GRANT pg_read_all_stats TO reader');
    expect(await run()).toMatchObject({ ...nothingNew, notes: [] });
  });

  it('counts transactions as unseen while a session does not say when its own began', async () => {
    const { run, address } = await scene();
    const other = new pg.Client({ connectionString: address, options: '-c track_activities=off' });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('BEGIN');
    expect(await run()).toMatchObject({
      exit: 0,
      notes: [{ hint: expect.stringMatching(/^Set track_activities to on/) }],
    });
  });

  it('is not misled by a row of the future', async () => {
    const { sql, run } = await scene();
    await sql(`INSERT INTO message VALUES (3, 'ann', 'From 2099', 1750000003, '2099-01-01')`);
    await run();
    await sql(`INSERT INTO message VALUES (4, 'bo', 'Today', 1750000004, now())`);
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 1, drift: {} } });
  });

  it('keeps the copy for its owner alone, without columns that the mapping does not name', async () => {
    const { sql, folder, run } = await scene();
    await sql(`ALTER TABLE message ADD token text DEFAULT 's3cret-of-ann'`);
    await run();
    const downloads = join(folder, 'chatferry-a.downloads');
    const [copies] = readdirSync(downloads);
    const [copy, ...others] = readdirSync(join(downloads, copies!));
    expect(others).toEqual([]);
    expect(statSync(join(downloads, copies!, copy!)).mode & 0o777).toBe(0o600);
    expect(statSync(join(downloads, copies!)).mode & 0o777).toBe(0o700);
    const bytes = readFileSync(join(downloads, copies!, copy!), 'latin1');
    expect(bytes).toContain('Two');
    expect(bytes).not.toContain('s3cret-of-ann');
  });

  it.each([
    [{ messages: 'changed_at' }, 'Cannot follow the table "messages": it is no table that the mapping reads'],
    [{ message: 'changedat' }, 'Cannot follow the table "message": it has no column "changedat"'],
    [{ message: 'author' }, 'its column "author" is text, which is compared letter by letter'],
    [{ message: 'id' }, 'Cannot follow the table "message" by its column "id": expected times, found "1"'],
    [{ reaction: 'message_id' }, 'Cannot follow the table "reaction": it has no primary key'],
  ])('says why it cannot follow %j', async (cursor, message) => {
    const { run } = await scene(cursor);
    expect(await run()).toMatchObject({
      added: { imported: 0 },
      stopped: { message: expect.stringContaining(message) },
    });
  });
});
