import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JobResult } from '../../src/sync/job-result.ts';
import { executeRun } from '../../src/sync/run/execute-run.ts';
import { checkLocation } from '../../src/sync/run-job.ts';
import { redact } from '../../src/lib/secret.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { applicationSchema, applicationMapping } from './application-database.ts';
import { jobsOf, syncScene } from './fixture.ts';

const home = temporaryFolder();
process.env.CHATFERRY_STATE_DIR = home.path;

/** The SQLite file of an application that goes on running, and a job that reads it. */
function sceneOf(journal: 'wal' | 'delete' = 'wal') {
  const folder = home.make();
  const path = join(folder, 'app.sqlite');
  const application = new DatabaseSync(path);
  onTestFinished(() => void application.close());
  application.exec(`PRAGMA journal_mode = ${journal}`);
  application.exec(applicationSchema);
  application.exec(
    "INSERT INTO message (id, author, body, sent_at) VALUES (1, 'ann', 'One', 1750000001), (2, 'bo', 'Two', 1750000002)",
  );
  const mapping = applicationMapping(folder);
  const [job] = jobsOf(folder, `jobs: [{ name: a, to: sandbox, export: ${path}, mapping: ${mapping}, drift: send}]`);
  const { context } = syncScene(folder);
  return {
    application,
    run: (): Promise<JobResult> => executeRun(job!, 'once', context),
    texts: () => [...sandboxContents(join(folder, 'chatferry-a.sandbox.db')).values()].flat(),
  };
}

describe('a job that reads a SQLite file of an application that runs', () => {
  it('migrates rows that are new, edited or deleted since the last run, and sends nothing if there are none', async () => {
    const { application, run, texts } = sceneOf();
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 2 }, stopped: null });
    expect(await run()).toMatchObject({ exit: 0, isChanged: false, requests: { import: 0 } });
    application.exec(`INSERT INTO message (id, author, body, sent_at) VALUES (3, 'ann', 'Three', 1750000003);
      UPDATE message SET body = 'Two, corrected' WHERE id = 2; DELETE FROM message WHERE id = 1`);
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 1, drift: { edited: 1, deleted: 1 } } });
    expect(texts()).toEqual([
      'One',
      'Two',
      'Three',
      expect.stringMatching(/^(?:Edited|Deleted)/),
      expect.stringMatching(/^(?:Edited|Deleted)/),
    ]);
    expect(await run()).toMatchObject({ exit: 0, isChanged: false, requests: { import: 0 } });
  });

  it('finds a row that was committed late, with an older time and a smaller id', async () => {
    const { application, run, texts } = sceneOf();
    application.exec("INSERT INTO message (id, author, body, sent_at) VALUES (9, 'ann', 'Nine', 1750000009)");
    await run();
    application.exec("INSERT INTO message (id, author, body, sent_at) VALUES (5, 'bo', 'Five', 1750000005)");
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 1, late: 1, drift: {} } });
    expect(texts()).toEqual(['One', 'Two', 'Nine', 'Five']);
  });

  it('keeps the order of messages whose rows move, and of follow-ups to other messages after them', async () => {
    const { application, run } = sceneOf();
    await run();
    // A follow-up has the time of the newest message, and comes after it.
    application.exec("UPDATE message SET body = 'One, corrected' WHERE id = 1");
    expect(await run()).toMatchObject({ exit: 0, added: { drift: { edited: 1 } } });
    application.exec("INSERT INTO message (id, author, body, sent_at) VALUES (-1, 'ann', 'Earlier', 1749999999)");
    application.exec("UPDATE message SET body = 'Two, corrected' WHERE id = 2");
    expect(await run()).toMatchObject({ exit: 0, verify: { different: 0 } });
  });

  it('that is locked fails the run, and nothing counts as deleted', async () => {
    const { application, run } = sceneOf('delete');
    await run();
    application.exec("INSERT INTO message (id, author, body, sent_at) VALUES (3, 'bo', 'Three', 1750000003)");
    application.exec('BEGIN EXCLUSIVE');
    expect(await run()).toMatchObject({
      exit: 4,
      added: { imported: 0, drift: {} },
      stopped: { code: 'export-unreadable', message: expect.stringContaining('another program is writing to it') },
    });
    application.exec('COMMIT');
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 1, drift: {} } });
  });
});

describe('a job that reads a server', () => {
  const jobOf = (address: string) =>
    jobsOf(home.make(), `jobs:\n  - name: a\n    to: sandbox\n    export: ${JSON.stringify(address)}\n`)[0]!;

  it.each(['postgres://reader:s3cret@db.example/app', 'mysql://db.example/app?password=s3cret'])(
    'is rejected if its address contains a password, as in %j, with the place but without the password',
    (address) => {
      const refused = () => jobOf(address);
      expect(refused).toThrow(/chatferry\.yaml:4:5: jobs\.0\.export: it holds a password; put it into PGPASSWORD/);
      expect(refused).not.toThrow(/s3cret/);
    },
  );

  it('keeps the password of the variable out of logs', () => {
    const { config } = jobOf('postgres://reader@db.example/app');
    const secrets = checkLocation(config.export, { PGPASSWORD: 'a-long-password' });
    expect(redact('with a-long-password', secrets)).toBe('with [redacted]');
  });
});
