import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type JobResult, type JobsRequest, runJobs } from '../../src/index.ts';
import { runJob } from '../../src/sync/run-job.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

const records = [person('ann'), channel('room', { members: ['ann'] }), says(1, 'room', 'ann', 'one')];

/** A folder with a job, and what the library runs it with. */
function jobScene(schedule: string) {
  const folder = home.make();
  const path = join(folder, 'export.ndjson');
  const [configPath, store] = [join(folder, 'chatferry.yaml'), join(folder, 'chat.db')];
  writeRecords(path, records);
  writeFileSync(
    configPath,
    `sync: { state: ${join(folder, 'jobs.db')} }
jobs:
  - { name: chat, export: ${path}, to: sandbox, store: ${store}, report: ${join(folder, 'report')}, schedule: "${schedule}" }
`,
  );
  const stopping = new AbortController();
  const faults: unknown[] = [];
  const request: JobsRequest = {
    configPath,
    env: {},
    stopping: stopping.signal,
    onFault: (error) => faults.push(error),
  };
  const texts = () => [...sandboxContents(join(folder, 'chat.sandbox.db')).values()].flat();
  const write = (more: readonly string[]) =>
    writeRecords(path, [...records, ...more.map((text, index) => says(index + 2, 'room', 'ann', text))]);
  return { request, stopping, texts, write, faults };
}

it('the library runs the jobs of a file once, as sync --once does', async () => {
  const { request, texts, write, faults } = jobScene('0 * * * *');
  expect(await runJobs({ ...request, isOnce: true })).toMatchObject([
    { job: 'chat', number: 1, exit: 0, added: { imported: 1 } },
  ]);
  write(['two', 'three']);
  expect(await runJobs({ ...request, isOnce: true })).toMatchObject([
    { job: 'chat', number: 2, exit: 0, added: { imported: 2 } },
  ]);
  expect(texts()).toEqual(['one', 'two', 'three']);
  expect(faults).toEqual([]);
});

it('the library runs them on their schedules until it is stopped', async () => {
  const { request, stopping, texts, faults } = jobScene('30 3 * * *');
  const clock = new VirtualClock();
  const results: JobResult[] = [];
  const runEnded = (result: JobResult) => {
    results.push(result);
    stopping.abort(new Error('enough'));
  };
  await runJobs({
    ...request,
    clock,
    listener: { runEnded },
    run: (job, run) => clock.busy(() => runJob(job, run)),
  });
  clock.stop();
  expect(faults).toEqual([]);
  expect(results).toMatchObject([{ job: 'chat', number: 1, exit: 0, added: { imported: 1 } }]);
  expect(new Date(results[0]!.startedAtMs).toISOString()).toBe('2026-11-22T03:30:00.000Z');
  expect(texts()).toEqual(['one']);
});
