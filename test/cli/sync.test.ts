import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JobResult } from '../../src/sync/job-result.ts';
import { doctorKey, servedSandbox } from '../scenes/doctor-fixture.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();
const named = ['--config', './chatferry.yaml'];

/** A folder with a configuration and an export of three messages. */
function folderWith(yaml: string): string {
  const folder = home.make();
  writeFileSync(join(folder, 'chatferry.yaml'), yaml);
  writeRecords(join(folder, 'export.ndjson'), [
    person('ann'),
    channel('general'),
    ...[1, 2, 3].map((id) => says(id, 'general', 'ann', `Message ${id}`)),
  ]);
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
    const first = await runJson(['sync', '--once', ...named], { folder });
    expect(first).toMatchObject({
      code: 4,
      json: {
        command: 'sync',
        jobs: [
          { job: 'good', exit: 0, added: { imported: 3 }, verify: { same: 3 } },
          { job: 'gone', exit: 4, stopped: { code: 'export-unreadable' } },
        ],
        exit: 4,
      },
    });
    expect(readFileSync(join(folder, 'reports', 'good', 'latest', 'report.html'), 'utf8')).toContain('<!doctype html>');
    const second = await run(['sync', '--once', '--job', 'good', ...named], { folder });
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/good #2: nothing new; 0 pending \(done, /),
    });
    const { code, stdout } = await run(['jobs', ...named], { folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^chatferry sync does not run\n\ngood\n {2}last {6}#2, ended .* UTC: done\n {2}added {5}nothing new\n/,
    );
    expect(stdout).toMatch(/gone\n {2}last {6}#1, .*: the export cannot be read\n/);
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
    ['a job that is not there', ['--once', '--job', 'x', ...named], 'there is no such job\n  Jobs: a'],
    ['no schedule where one is needed', named, 'it has none (./chatferry.yaml:1:10)\n  Give it one'],
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
    expect(await run(['sync', '--once', ...named], { folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words),
    });
  });

  it('sends nowhere without a key, and says so before anything is read', async () => {
    const folder = folderWith('jobs: [{ name: a, to: "https://chat.example.com", export: ./nowhere }]');
    expect(await run(['sync', '--once', ...named], { folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no API key'),
    });
  });
});

describe('the key of a job that has nothing to send', () => {
  const right = { CHATFERRY_API_KEY: doctorKey };
  const wrong = { CHATFERRY_API_KEY: 'withdrawn-key-7d1e' };

  /** A job whose messages have all arrived, and its runs. */
  async function scene(location = './export.ndjson') {
    const { url, close } = await servedSandbox();
    const folder = folderWith(`jobs: [{ name: a, to: '${url}', export: ${location} }]`);
    const sync = (env: Record<string, string>) =>
      run(['sync', '--once', '--json', ...named], { folder, env, clock: fastClock() }).then((ended) => ({
        ...ended,
        json: JSON.parse(ended.stdout.trim().split('\n').at(-1)!) as { readonly jobs: readonly JobResult[] },
      }));
    return { folder, close, sync, jobs: () => run(['jobs', ...named], { folder }) };
  }

  it('is asked about: one that is refused needs a person, in sync, jobs and the report', async () => {
    const { folder, sync, jobs } = await scene();
    expect(await sync(right)).toMatchObject({ code: 0, json: { jobs: [{ exit: 0, added: { imported: 3 } }] } });
    expect(await sync(right)).toMatchObject({ code: 0, json: { jobs: [{ requests: { import: 0, list: 1 } }] } });
    const stopped = {
      code: 'AUTH_ERR_APIKEY_NOT_FOUND',
      message: expect.stringContaining('does not know this API key'),
    };
    const refused = await sync(wrong);
    expect(refused).toMatchObject({ code: 8, json: { exit: 8, jobs: [{ exit: 8, isChanged: false, stopped }] } });
    expect(refused.stdout + refused.stderr).not.toContain(wrong.CHATFERRY_API_KEY);
    expect((await jobs()).stdout).toMatch(
      /last +#3, .*: needs a person[^\n]*\n +Cannot read messages .*\n +Set CHATFERRY_API_KEY/,
    );
    const report = readFileSync(join(folder, 'chatferry.report', 'a', 'latest', 'report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({ stopped: { ...stopped, needsPerson: true } });
    expect(await sync(right)).toMatchObject({ code: 0, json: { jobs: [{ exit: 0, stopped: null, notes: [] }] } });
  });

  it('is asked about before anything was ever planned', async () => {
    const { folder, sync } = await scene('{ dropFolder: ./in }');
    mkdirSync(join(folder, 'in'));
    expect(await sync(wrong)).toMatchObject({ code: 8, json: { jobs: [{ exit: 8 }] } });
    expect(await sync(right)).toMatchObject({ code: 0, json: { jobs: [{ exit: 0, notes: [] }] } });
  });

  it('is not known where the destination does not answer: the run says so, and ends as before', async () => {
    const { sync, close, jobs } = await scene();
    await sync(right);
    await close();
    const note = {
      code: expect.stringMatching(/ECONNREFUSED/),
      hint: expect.stringContaining('when the service answers'),
    };
    expect(await sync(right)).toMatchObject({ code: 0, json: { jobs: [{ exit: 0, stopped: null, notes: [note] }] } });
    expect((await jobs()).stdout).toMatch(
      /last +#2, .*: done\n +Cannot read messages of the destination: ECONNREFUSED/,
    );
  });
});
