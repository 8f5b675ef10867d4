import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { run, runJson, serveSandbox, start, testKey } from '../cli/process.ts';
import { makeExport, seeded } from '../scenes/make-export.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { testSeed as seed } from '../seed.ts';

/** A failure prints the seed; `CHATFERRY_TEST_SEED` runs it again. */
const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

it('chatferry undo survives SIGKILLs at random instants, and lets the next import bring everything again', async () => {
  const folder = home.make();
  const made = makeExport(`${folder}/export`, { seed: 8, messages: 200, people: 8, channels: 8, directs: 8 });
  const { url, data, stop } = await serveSandbox(folder);
  onTestFinished(stop);
  const importing = ['import', 'export', '--to', url, '--yes', '--grace-period', '0s'];
  expect((await run(importing, { folder, env })).code).toBe(0);

  const random = seeded(seed);
  for (let kills = 0; kills < 8; kills++) {
    const { child, line, ended } = start(
      ['undo', '--yes', '--grace-period', '0s', '--concurrency', '1', '--progress', 'json'],
      {
        folder,
        env,
      },
    );
    await line('Taking back');
    await Promise.race([wait(random() * 60), ended]);
    child.kill('SIGKILL');
    await ended;
  }
  const { json, code } = await runJson(['undo', '--yes', '--grace-period', '0s'], { folder, env });
  expect({ code, left: json.left }, `seed ${seed}`).toEqual({ code: 0, left: [] });
  expect(sandboxContents(data).size).toBe(0);

  const again = await runJson(importing, { folder, env });
  expect(again).toMatchObject({
    code: 0,
    json: { imported: made.planned, verify: { same: made.planned, extra: 0 } },
  });
  expect(byName(sandboxContents(data))).toEqual(byName(made.conversations));
});
