import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { executeRun } from '../../../src/sync/run/execute-run.ts';
import { applicationMapping, applicationSchema } from '../../sync/application-database.ts';
import { jobsOf, syncScene } from '../../sync/fixture.ts';
import { programs } from '../../fleet/postgres.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { testDatabase } from './postgres-databases.ts';

const home = temporaryFolder();
process.env.CHATFERRY_STATE_DIR = home.path;
afterEach(() => void vi.unstubAllEnvs());

describe.skipIf(programs === null)('a job that reads a PostgreSQL', () => {
  async function scene() {
    const { sql, shown } = await testDatabase(`${applicationSchema}
      INSERT INTO message (id, author, body, sent_at) VALUES (1, 'ann', 'One', 1750000001), (2, 'bo', 'Two', 1750000002);
      GRANT SELECT ON message, reaction TO reader`);
    const folder = home.make();
    const at = new URL(shown);
    const address = `postgres://reader@${at.host}${at.pathname}`;
    const mapping = applicationMapping(folder);
    const [job] = jobsOf(
      folder,
      `jobs: [{ name: a, to: sandbox, export: '${address}', mapping: ${mapping}, drift: send }]`,
    );
    const { context } = syncScene(folder);
    vi.stubEnv('PGPASSWORD', 'pass');
    return {
      sql,
      run: () => executeRun(job!, 'once', context),
      texts: () => [...sandboxContents(join(folder, 'chatferry-a.sandbox.db')).values()].flat(),
    };
  }

  it('migrates messages new, edited or deleted since the last run, and sends nothing if there are none', async () => {
    const { sql, run, texts } = await scene();
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 2 }, stopped: null });
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 0, drift: {} }, requests: { import: 0 } });
    await sql(`INSERT INTO message (id, author, body, sent_at) VALUES (3, 'ann', 'Three', 1750000003);
      UPDATE message SET body = 'Two, corrected' WHERE id = 2; DELETE FROM message WHERE id = 1;
      INSERT INTO reaction VALUES (3, 'bo', '👍')`);
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 1, drift: { edited: 1, deleted: 1 } } });
    expect(texts()).toHaveLength(5);
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 0, drift: {} }, requests: { import: 0 } });
  });

  it('that refuses the password fails the run: nothing counts as deleted, and the next run continues', async () => {
    const { sql, run } = await scene();
    await run();
    await sql(`INSERT INTO message (id, author, body, sent_at) VALUES (3, 'ann', 'Three', 1750000003)`);
    vi.stubEnv('PGPASSWORD', 'wr0ng-word');
    const refused = await run();
    expect(refused).toMatchObject({
      exit: 4,
      added: { imported: 0, drift: {} },
      stopped: { message: expect.stringContaining('refused user and password') },
    });
    expect(JSON.stringify(refused)).not.toContain('wr0ng-word');
    vi.stubEnv('PGPASSWORD', 'pass');
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 1, drift: {} } });
  });
});
