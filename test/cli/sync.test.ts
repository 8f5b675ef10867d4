import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { fakeService, handOn, isImport } from './fake-service.ts';
import { run, runJson, serveSandbox, testKey } from './in-process.ts';
import { run as runProcess, start as startProcess } from './process.ts';

const home = temporaryFolder();

const writeMessages = (path: string, count: number) =>
  writeRecords(path, [
    person('ann'),
    channel('general'),
    ...Array.from({ length: count }, (_, index) => says(index + 1, 'general', 'ann', `Message ${index + 1}`)),
  ]);

/** A folder with a configuration and an export of three messages. */
function folderWith(yaml: string): string {
  const folder = home.make();
  writeFileSync(join(folder, 'chatferry.yaml'), yaml);
  writeMessages(join(folder, 'export.ndjson'), 3);
  return folder;
}

describe('chatferry sync --once', () => {
  it('runs every job once and ends with the worst of their codes; jobs says what there is', async () => {
    const folder = folderWith(`# The options of every job.
report: ./reports
to: sandbox
jobs:
  - { name: good, export: ./export.ndjson, schedule: '0 3 * * *' }
  - { name: gone, export: ./nowhere }
`);
    const first = await runJson(['sync', '--once'], { folder });
    expect(first).toMatchObject({
      code: 4,
      json: {
        command: 'sync',
        jobs: [
          { job: 'good', exit: 0, brought: { imported: 3 }, verify: { same: 3 } },
          { job: 'gone', exit: 4, stopped: { code: 'export-unreadable' } },
        ],
        exit: 4,
      },
    });
    expect(readFileSync(join(folder, 'reports', 'good', 'latest', 'report.html'), 'utf8')).toContain('<!doctype html>');
    const second = await run(['sync', '--once', '--job', 'good'], { folder });
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/good #2: nothing new; 0 pending \(done, /),
    });
    const { code, stdout } = await run(['jobs'], { folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^chatferry sync does not run\n\ngood\n {2}last {5}#2, ended .* UTC: done\n {2}brought {2}nothing new\n/,
    );
    expect(stdout).toMatch(/gone\n {2}last {5}#1, .*: the export cannot be read\n/);
    const { json } = await runJson(['jobs', '--config', 'chatferry.yaml'], { folder });
    expect(json).toMatchObject({
      command: 'jobs',
      process: null,
      jobs: [
        { name: 'good', last: { number: 2 } },
        { name: 'gone', nextAtMs: null },
      ],
    });
    // The store of a job is like any other.
    expect((await runJson(['status', '--store', 'chatferry-good.db'], { folder })).json).toMatchObject({ imported: 3 });
  });

  it.each([
    ['a job that is not there', ['--once', '--job', 'x'], 'there is no such job\n  Jobs: a'],
    ['no schedule where one is needed', [], 'it has none (./chatferry.yaml:1:10)\n  Give it one'],
    ['no destination that it could use', ['--config', 'bad.yaml'], 'it is not an address (job "b" at bad.yaml:1:10)'],
    ['a source that is not there', ['--config', 'slak.yaml'], 'there is no such source (job "b" at slak.yaml:1:10)'],
    ['a file that is not there', ['--config', 'x.yaml'], 'Cannot read the configuration "x.yaml": ENOENT'],
  ])('%s ends with 2', async (_, args, words) => {
    const folder = folderWith('jobs: [{ name: a, to: sandbox, export: ./export.ndjson }]');
    writeFileSync(join(folder, 'bad.yaml'), "jobs: [{ name: b, to: chat.example.com, export: x, schedule: '@daily' }]");
    writeFileSync(
      join(folder, 'slak.yaml'),
      "jobs: [{ name: b, to: sandbox, export: x, source: slak, schedule: '@daily' }]",
    );
    const { code, stderr } = await run(['sync', ...args], { folder });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
  });

  it.each([
    ['url: "https://a.example/x.zip", headersFile: ./headers', 'Cannot read the headers from "./headers": ENOENT'],
    [
      'fetch: { from: "https://a.example", apiKeyVariable: OLD_KEY }',
      'no API key (job "a" at ./chatferry.yaml:1:10)\n  Set the variable OLD_KEY',
    ],
    ['fetch: { from: "https://a.example", apiKeyFile: ./key }', 'Cannot read the API key from "./key": ENOENT'],
  ])('says before anything runs that a secret of { %s } is not there', async (location, words) => {
    const folder = folderWith(`jobs: [{ name: a, to: sandbox, export: { ${location} } }]`);
    expect(await run(['sync', '--once'], { folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words),
    });
  });

  it('sends nowhere without a key, and says so before anything is read', async () => {
    const folder = folderWith('jobs: [{ name: a, to: "https://chat.example.com", export: ./nowhere }]');
    expect(await run(['sync', '--once'], { folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no API key'),
    });
  });
});

describe('chatferry sync', () => {
  it('runs on its schedule, shows itself, is alone with its jobs, and ends with 143 on SIGTERM', async () => {
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
      `jobs: [{ name: app, to: '${service.url}', export: ./in, schedule: '* * * * * *', grace: 1s }]`,
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
    const { json } = await runJson(['jobs'], { folder });
    expect(json).toMatchObject({ process: { pid: child.pid }, jobs: [{ running: { cause: expect.any(String) } }] });
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect({ code, stderr }).toMatchObject({ code: 143 });
    expect(stderr).toContain('Stopping: requests in flight may finish');
    expect(stderr).not.toContain(testKey);

    isHeld = false;
    const again = startProcess(['sync', '--config', 'chatferry.yaml'], { folder, env });
    // What was in flight arrives once: looked for first, and not sent twice.
    expect(await again.line('2 imported; 0 pending (done')).toBeDefined();
    again.kill('SIGINT');
    expect((await again.ended).code).toBe(130);
    const verified = await runJson(['verify', '--store', 'chatferry-app.db'], { folder, env });
    expect(verified.json).toMatchObject({ exit: 0, verify: { same: 5, duplicated: 0, missing: 0 } });
    await sandbox.stop();
  });
});
