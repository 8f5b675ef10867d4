import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakeService, handOn, isImport } from '../cli/fake-service.ts';
import { runJson, serveSandbox, testKey } from '../cli/in-process.ts';
import { run as runProcess, start as startProcess } from '../cli/process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

const writeMessages = (path: string, count: number) =>
  writeRecords(path, [
    person('ann'),
    channel('general'),
    ...Array.from({ length: count }, (_, index) => says(index + 1, 'general', 'ann', `Message ${index + 1}`)),
  ]);

it('chatferry sync runs on its schedule, shows itself, is alone with its jobs, and ends with 143 on SIGTERM', async () => {
  const folder = home.make();
  const sandbox = await serveSandbox(folder);
  const held = Promise.withResolvers<void>();
  let isHeld = false;
  const service = await fakeService((request, response) => {
    if (isHeld && isImport(request)) held.resolve();
    else void handOn(request, response, sandbox.url);
  });
  mkdirSync(join(folder, 'in'));
  writeMessages(join(folder, 'in', 'export.ndjson'), 3);
  writeFileSync(
    join(folder, 'chatferry.yaml'),
    `jobs: [{ name: app, to: '${service.url}', export: ./in, schedule: '* * * * * *', gracePeriod: 1s }]`,
  );
  const env = { CHATFERRY_API_KEY: testKey };
  const { child, line, ended } = startProcess(['sync', '--config', 'chatferry.yaml'], { folder, env });
  expect(await line('app #1: 3 imported; 0 pending (done')).toBeDefined();
  expect(await line('app #2: nothing new')).toBeDefined();
  const other = await runProcess(['sync', '--once', '--config', 'chatferry.yaml'], { folder, env });
  expect(other).toMatchObject({
    code: 7,
    stderr: expect.stringContaining(`held by "chatferry sync", process ${child.pid} on`),
  });
  isHeld = true;
  writeMessages(join(folder, 'in', 'export.ndjson'), 5);
  await held.promise;
  const { json } = await runJson(['jobs', '--config', 'chatferry.yaml'], { folder });
  expect(json).toMatchObject({ process: { pid: child.pid }, jobs: [{ running: { cause: expect.any(String) } }] });
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  expect({ code, stderr }).toMatchObject({ code: 143 });
  expect(stderr).toContain('Stopping: requests in flight may finish');
  expect(stderr).not.toContain(testKey);

  isHeld = false;
  const again = startProcess(['sync', '--config', 'chatferry.yaml'], { folder, env });
  // Messages in flight arrive once: the run looks for them first, and does not send them twice.
  expect(await again.line('2 imported; 0 pending (done')).toBeDefined();
  again.kill('SIGINT');
  expect((await again.ended).code).toBe(130);
  const verified = await runJson(['verify', '--store', 'chatferry-app.db'], { folder, env });
  expect(verified.json).toMatchObject({ exit: 0, verify: { same: 5, duplicated: 0, missing: 0 } });
  await sandbox.stop();
});
