import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { type Progress, silent } from '../../src/lib/flow/progress.ts';
import type { JobResult } from '../../src/sync/job-result.ts';
import { executeRun } from '../../src/sync/run/execute-run.ts';
import type { SyncContext } from '../../src/sync/run-job.ts';
import { runOnce } from '../../src/sync/operate.ts';
import { nextRun } from '../../src/sync/job-state.ts';
import { fakeService, handOn, isImport } from '../cli/fake-service.ts';
import { apiKey } from '../scenes/bench.ts';
import { servedFaulty } from '../scenes/served-sandbox.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { jobsOf, syncScene } from './fixture.ts';

const home = temporaryFolder();
process.env.CHATFERRY_STATE_DIR = home.path;
process.env.CHATFERRY_API_KEY = apiKey;

/** Messages of one group, with these numbers. */
const writeMessages = (path: string, numbers: readonly number[], conversation = 'general') =>
  writeRecords(path, [
    person('ann'),
    channel(conversation),
    ...numbers.map((number) => says(number, conversation, 'ann', `Message ${number}`)),
  ]);

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Jobs of a configuration, run one by one. */
function sceneOf(yaml: string, { folder = home.make(), ...changes }: Partial<SyncContext> & { folder?: string } = {}) {
  const jobs = jobsOf(folder, yaml.replaceAll('HERE', folder));
  const scene = syncScene(folder, changes);
  const run = (name?: string): Promise<JobResult> =>
    executeRun(jobs.find(({ config }) => name === undefined || config.name === name)!, 'once', scene.context);
  return { ...scene, folder, jobs, run };
}

const oneJob = (location: string, rest = '') => `jobs: [{ name: a, to: sandbox, export: ${location}, ${rest} }]`;

describe('a run of a job', () => {
  it('imports new messages, reports what it added, and sends nothing if there are none', async () => {
    const { folder, run } = sceneOf(oneJob('HERE/export.ndjson'));
    const path = join(folder, 'export.ndjson');
    writeMessages(path, upTo(3));
    expect(await run()).toMatchObject({
      number: 1,
      exit: 0,
      isChanged: true,
      added: { read: 3, imported: 3 },
      remaining: { pending: 0, unconfirmed: 0 },
      verify: { same: 3, missing: 0 },
      stopped: null,
      report: join(folder, 'reports', 'a', '1'),
    });
    expect(await run()).toMatchObject({
      number: 2,
      exit: 0,
      isChanged: false,
      added: { read: 0, imported: 0 },
      report: null,
      verify: null,
      requests: { import: 0, list: 0 },
    });
    writeMessages(path, upTo(5));
    expect(await run()).toMatchObject({ number: 3, exit: 0, isChanged: true, added: { read: 2, imported: 2 } });
  });

  it('names a broken archive of a drop folder, and imports the others in their order', async () => {
    const { folder, run } = sceneOf(oneJob('{ dropFolder: HERE/in, settledFor: 0s }'));
    mkdirSync(join(folder, 'in'));
    writeMessages(join(folder, 'in', '1.ndjson'), [1, 2]);
    writeFileSync(join(folder, 'in', '2.zip'), 'PK\x03\x04 cut off');
    writeMessages(join(folder, 'in', '3.ndjson'), [3, 4]);
    expect(await run()).toMatchObject({
      exit: 4,
      added: { imported: 4 },
      stopped: { code: 'export-unreadable', message: expect.stringContaining('2.zip') },
    });
    // A broken archive that stays is reported again; a repaired one is not.
    expect(await run()).toMatchObject({ exit: 4, added: { imported: 0 }, requests: { import: 0 } });
    rmSync(join(folder, 'in', '2.zip'));
    writeMessages(join(folder, 'in', '2.ndjson'), [5]);
    expect(await run()).toMatchObject({ exit: 0, added: { imported: 1 } });
  });

  it('does not keep silent about messages that wait for the rest of an archive that was taken away', async () => {
    const folder = home.make();
    let stop = () => {};
    const update: ReturnType<Progress['stage']>['update'] = ({ done }) =>
      void (done !== undefined && done >= 5000 && stop());
    const progress: Progress = { stage: () => ({ update, finish() {} }) };
    const scene = sceneOf(oneJob('{ dropFolder: HERE/in, settledFor: 0s }'), { folder, progress });
    stop = scene.stop;
    mkdirSync(join(folder, 'in'));
    writeMessages(join(folder, 'in', 'a.ndjson'), upTo(5_600));
    const first = await scene.run();
    expect(first).toMatchObject({ exit: 143, added: { imported: 0 } });
    rmSync(join(folder, 'in', 'a.ndjson'));
    const again = { ...scene.context, progress: silent, stopping: new AbortController().signal };
    expect(await executeRun(scene.jobs[0]!, 'resumed', again)).toMatchObject({
      exit: 4,
      remaining: { pending: first.remaining.pending },
      stopped: {
        code: 'export-unreadable',
        message: expect.stringContaining('was cut off'),
        hint: expect.stringContaining('a.ndjson'),
      },
    });
  });

  it('takes an empty file for a fault, and not for an export from which everything was deleted', async () => {
    const { folder, run } = sceneOf(oneJob('HERE/export.ndjson', 'drift: send'));
    writeMessages(join(folder, 'export.ndjson'), upTo(3));
    await run();
    writeFileSync(join(folder, 'export.ndjson'), '');
    expect(await run()).toMatchObject({
      exit: 4,
      added: { drift: {} },
      requests: { import: 0 },
      stopped: { message: expect.stringMatching(/export\.ndjson": it is empty/) },
    });
  });

  it('that is stopped while its location does not answer continues with the files it has', async () => {
    const folder = home.make();
    const path = writeMessages(join(folder, 'export.ndjson'), upTo(4));
    let isGone = false;
    const source = await fakeService((_, response) => {
      if (isGone) response.writeHead(404).end();
      else response.end(readFileSync(path));
    });
    let stopAt = 1;
    let stop = () => {};
    const progress: Progress = {
      stage: (name) => ({
        update: ({ done }) => void (name.endsWith('Sending') && done !== undefined && done >= stopAt && stop()),
        finish() {},
      }),
    };
    const yaml = oneJob(`{ url: '${source.url}/x.ndjson' }`, 'rate: 120, batchItems: 1');
    const scene = sceneOf(yaml, { folder, progress });
    stop = scene.stop;
    expect(await scene.run()).toMatchObject({ exit: 143 });
    isGone = true;
    stopAt = 1;
    const stopping = new AbortController();
    stop = () => stopping.abort(new Error('stopped by SIGTERM'));
    const second = await executeRun(scene.jobs[0]!, 'resumed', { ...scene.context, stopping: stopping.signal });
    expect(second).toMatchObject({ exit: 143, stopped: { code: 'interrupted' } });
    expect(second.remaining.pending).toBeGreaterThan(0);
    expect(nextRun(scene.state.db, 'a')).toMatchObject({ isCut: true });
  });

  it('reads every archive again under other rules', async () => {
    const folder = home.make();
    const yaml = (rest: string) => oneJob('{ dropFolder: HERE/in, settledFor: 0s }', rest);
    mkdirSync(join(folder, 'in'));
    writeMessages(join(folder, 'in', '1.ndjson'), [1, 2], 'general');
    writeMessages(join(folder, 'in', '2.ndjson'), [3, 4, 5], 'random');
    const pilot = sceneOf(yaml("only: 'in:general'"), { folder });
    expect(await pilot.run()).toMatchObject({ added: { imported: 2, skipped: 3 } });
    const [whole] = jobsOf(folder, yaml('').replaceAll('HERE', folder));
    expect(await executeRun(whole!, 'once', pilot.context)).toMatchObject({ exit: 0, added: { imported: 3 } });
  });

  it('sends pending messages even if its location does not answer', async () => {
    const folder = home.make();
    const { url, sandbox } = await servedFaulty(folder, { duplicates: 'refused' });
    let isClosed = true;
    const destination = await fakeService((request, response) => {
      if (isClosed && isImport(request))
        response.writeHead(402).end('{"error":{"code":"ERR_PLAN_EXPIRED","message":"x"}}');
      else void handOn(request, response, url);
    });
    writeMessages(join(folder, 'export.ndjson'), upTo(3));
    let isGone = false;
    const source = await fakeService((_, response) => {
      if (isGone) response.writeHead(404).end();
      else response.end(readFileSync(join(folder, 'export.ndjson')));
    });
    const { run } = sceneOf(
      `jobs: [{ name: a, to: '${destination.url}', export: { url: '${source.url}/x.ndjson?t=s3cret' } }]`,
      { folder },
    );
    expect(await run()).toMatchObject({ exit: 8, added: { read: 3, imported: 0 }, remaining: { pending: 3 } });
    [isClosed, isGone] = [false, true];
    const second = await run();
    expect(second).toMatchObject({
      exit: 5,
      added: { imported: 3 },
      remaining: { pending: 0 },
      stopped: { code: 'download-failed', message: expect.stringContaining('the server answered 404') },
    });
    expect(JSON.stringify(second)).not.toContain('s3cret');
    expect(sandbox).toBeDefined();
  });

  it('that is stopped leaves the rest pending, and the next one sends it', async () => {
    const folder = home.make();
    writeMessages(join(folder, 'export.ndjson'), upTo(4));
    const yaml = oneJob('HERE/export.ndjson', 'rate: 120, batchItems: 1');
    let stop = () => {};
    const progress: Progress = {
      stage: (name) => ({
        update: ({ done }) => void (name.endsWith('Sending') && done >= 1 && stop()),
        finish() {},
      }),
    };
    const scene = sceneOf(yaml, { folder, progress });
    stop = scene.stop;
    const first = await scene.run();
    expect(first).toMatchObject({ exit: 143, stopped: { code: 'interrupted' }, verify: null });
    expect(first.remaining.pending).toBeGreaterThan(0);
    expect(nextRun(scene.state.db, 'a')).toMatchObject({ isCut: true });
    const again = { ...scene.context, progress: silent, stopping: new AbortController().signal };
    const second = await executeRun(scene.jobs[0]!, 'resumed', again);
    expect(second).toMatchObject({
      exit: 0,
      remaining: { pending: 0 },
      verify: { same: 4, missing: 0, duplicated: 0 },
    });
    expect(first.added.imported + second.added.imported).toBe(4);
    expect(nextRun(scene.state.db, 'a')).toMatchObject({ isCut: false });
  });

  it('that is stopped when everything was sent is not over before it was read back', async () => {
    const folder = home.make();
    writeMessages(join(folder, 'export.ndjson'), upTo(4));
    let stop = () => {};
    const progress: Progress = {
      stage: (name) => ({
        update: ({ done }) => void (name.endsWith('Sending') && done === 4 && stop()),
        finish() {},
      }),
    };
    const scene = sceneOf(oneJob('HERE/export.ndjson'), { folder, progress });
    stop = scene.stop;
    const first = await scene.run();
    expect(first).toMatchObject({ exit: 143, remaining: { pending: 0, unconfirmed: 0 }, verify: null });
    expect(nextRun(scene.state.db, 'a')).toMatchObject({ isCut: true });
    const again = { ...scene.context, progress: silent, stopping: new AbortController().signal };
    const second = await executeRun(scene.jobs[0]!, 'resumed', again);
    expect(second).toMatchObject({ exit: 0, verify: { same: 4, missing: 0 } });
  });

  it('imports another app, and then its new messages', async () => {
    const folder = home.make();
    const old = await servedFaulty(folder);
    const yaml = `jobs:
  - { name: fill, to: '${old.url}', export: HERE/export.ndjson }
  - { name: move, to: sandbox, export: { fetch: { from: '${old.url}', apiKeyVariable: CHATFERRY_API_KEY } } }`;
    const { run } = sceneOf(yaml, { folder });
    writeMessages(join(folder, 'export.ndjson'), upTo(3));
    await run('fill');
    expect(await run('move')).toMatchObject({ exit: 0, added: { read: 3, imported: 3 } });
    expect(await run('move')).toMatchObject({ exit: 0, isChanged: false, added: { read: 0, imported: 0 } });
    writeMessages(join(folder, 'export.ndjson'), upTo(5));
    await run('fill');
    expect(await run('move')).toMatchObject({ exit: 0, added: { read: 2, imported: 2 } });
  });

  it('keeps as many reports as are wanted, and a link to the latest', async () => {
    const { folder, run, state } = sceneOf(oneJob('HERE/export.ndjson', 'keepReports: { count: 2 }, format: json'));
    const reports = join(folder, 'reports', 'a');
    mkdirSync(join(reports, '77'), { recursive: true });
    for (const count of [1, 2, 2, 3, 4]) {
      writeMessages(join(folder, 'export.ndjson'), upTo(count));
      await run();
    }
    // The third run added nothing. A folder that the state does not know belongs to someone else.
    expect(readdirSync(reports).sort()).toEqual(['4', '5', '77', 'latest']);
    expect(readlinkSync(join(reports, 'latest'))).toBe('5');
    expect(JSON.parse(readFileSync(join(reports, 'latest', 'report.json'), 'utf8'))).toMatchObject({
      totals: { read: 4 },
    });
    const days = jobsOf(folder, oneJob('HERE/export.ndjson', 'keepReports: { days: 1 }').replaceAll('HERE', folder));
    const later = { ...syncContextAt(Date.now() + 3 * 86_400_000), state };
    await executeRun(days[0]!, 'once', later);
    expect(readdirSync(reports).sort()).toEqual(['5', '77', 'latest']);

    function syncContextAt(nowMs: number): SyncContext {
      const { context } = sceneOf(oneJob('x'));
      return { ...context, clock: { ...context.clock, now: () => nowMs } };
    }
  });

  it('removes no report because its state alone says that it is one', async () => {
    const { folder, run, state } = sceneOf(oneJob('HERE/export.ndjson', 'keepReports: { count: 1 }'));
    const elsewhere = home.make();
    for (const count of [1, 2, 3]) {
      writeMessages(join(folder, 'export.ndjson'), upTo(count));
      await run();
      state.db.prepare('UPDATE job_run SET report = ?').run(elsewhere);
    }
    expect(existsSync(elsewhere)).toBe(true);
  });
});

describe('several jobs', () => {
  it('one that cannot be run does not keep the others back', async () => {
    const { folder, jobs, context } = sceneOf(`jobs:
  - { name: missing, to: sandbox, export: HERE/nowhere }
  - { name: held, to: sandbox, export: HERE/export.ndjson }
  - { name: unmapped, to: sandbox, export: HERE/export.ndjson, mapping: HERE/nowhere.yaml }
  - { name: good, to: sandbox, export: HERE/export.ndjson }`);
    writeMessages(join(folder, 'export.ndjson'), upTo(2));
    const held = openStore(join(folder, 'chatferry-held.db'), { command: 'import', nowMs: Date.now() });
    const results = await runOnce(jobs, { ...context, onClosed() {} });
    held.close();
    expect(results.map(({ job, exit }) => [job, exit])).toEqual([
      ['missing', 4],
      ['held', 7],
      ['unmapped', 2],
      ['good', 0],
    ]);
    expect(results.map(({ stopped }) => stopped?.message)).toEqual([
      expect.stringContaining('it does not exist'),
      expect.stringContaining('held by "chatferry import"'),
      expect.stringContaining('Cannot read the mapping'),
      undefined,
    ]);
  });

  it('an internal error in one job is reported, and fails only that run', async () => {
    const faults: unknown[] = [];
    const { folder, jobs, context } = sceneOf(
      'jobs: [{ name: a, to: sandbox, export: HERE/x }, { name: b, to: sandbox, export: HERE/export.ndjson }]',
      { onFault: (error) => faults.push(error) },
    );
    writeMessages(join(folder, 'export.ndjson'), upTo(1));
    const broken = { ...jobs[0]!, request: () => Promise.reject(new TypeError('private words')) };
    const results = await runOnce([broken, jobs[1]!], { ...context, onClosed() {} });
    expect(results).toMatchObject([
      { exit: 1, stopped: { code: 'fault', message: 'An internal error of Chatferry' } },
      { exit: 0 },
    ]);
    expect(faults).toMatchObject([{ message: 'private words' }]);
  });

  it('that may not run at this hour are passed over', async () => {
    const { folder, jobs, context } = sceneOf(
      'jobs: [{ name: a, to: sandbox, export: HERE/x, hours: 22:00-06:00 }, { name: b, to: sandbox, export: HERE/export.ndjson }]',
    );
    writeMessages(join(folder, 'export.ndjson'), upTo(1));
    const closed: unknown[] = [];
    const clock = { ...context.clock, now: () => Date.parse('2026-11-21T12:00:00Z') };
    const onClosed = (job: string, opensAtMs: number) => closed.push([job, new Date(opensAtMs).toISOString()]);
    expect(await runOnce(jobs, { ...context, clock, onClosed })).toMatchObject([{ job: 'b', exit: 0 }]);
    expect(closed).toEqual([['a', '2026-11-21T22:00:00.000Z']]);
  });

  it('on one app share its rate', async () => {
    const folder = home.make();
    const { url } = await servedFaulty(folder, { duplicates: 'refused' });
    const clock = new VirtualClock();
    onTestFinished(() => clock.stop());
    const importedAtMs: number[] = [];
    const service = await fakeService((request, response) => {
      if (isImport(request)) importedAtMs.push(clock.monotonic());
      void clock.busy(() => handOn(request, response, url));
    });
    for (const name of ['a', 'b']) writeMessages(join(folder, `${name}.ndjson`), upTo(3), name);
    const { jobs, context } = sceneOf(
      `rate: 240\nbatchItems: 1\nto: '${service.url}'\njobs: [{ name: a, export: HERE/a.ndjson }, { name: b, export: HERE/b.ndjson }]`,
      { folder, clock },
    );
    const begunMs = clock.monotonic();
    const results = await Promise.all(jobs.map((job) => executeRun(job, 'once', context)));
    expect(results).toMatchObject([
      { exit: 0, added: { imported: 3 } },
      { exit: 0, added: { imported: 3 } },
    ]);
    expect(importedAtMs).toHaveLength(6);
    // Six slots 252.5 ms apart. With a rate of its own, each job would be done after 505 ms.
    expect(importedAtMs.at(-1)! - begunMs).toBeGreaterThan(1200);
  });
});

it('a job keeps its downloads next to its store, readable only by its owner', async () => {
  const source = join(home.make(), 'export.ndjson');
  writeMessages(source, upTo(2));
  const service = await fakeService((_, response) => response.end(readFileSync(source)));
  const { folder, run } = sceneOf(oneJob(`{ url: '${service.url}/export.ndjson' }`));
  expect(await run()).toMatchObject({ exit: 0, added: { imported: 2 } });
  expect(statSync(join(folder, 'chatferry-a.downloads', 'export.ndjson')).mode & 0o777).toBe(0o600);
  expect(await run()).toMatchObject({ exit: 0, isChanged: false, requests: { import: 0 } });
});
