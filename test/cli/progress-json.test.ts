import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { createProgress } from '../../src/cli/terminal/progress.ts';
import { everyFeature } from './samples.ts';
import { run } from './in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const schema = new URL('../../docs/reference/schemas/progress-line.schema.json', import.meta.url);
const isLine = new Ajv2020().compile(JSON.parse(readFileSync(schema, 'utf8')));

/** A stream that remembers, and a clock that is moved by hand. Every line is held against the published schema. */
function setUp() {
  const written: string[] = [];
  let nowMs = 1_000;
  const stream = { write: (text: string) => written.push(text) > 0, on: () => undefined };
  const clock = { now: () => nowMs, monotonic: () => nowMs };
  const progress = createProgress({ stream, style: 'json', columns: 80, clock, color: true });
  return {
    progress,
    pass: (ms: number) => {
      nowMs += ms;
    },
    take: () =>
      written.splice(0).map((line) => {
        expect(line.endsWith('\n')).toBe(true);
        const value = JSON.parse(line);
        expect(isLine(value), JSON.stringify(isLine.errors)).toBe(true);
        return value;
      }),
  };
}

const sending = { level: 'info', stage: 'Sending', total: 1_000, failed: 0, note: null, summary: null };

describe('progress as JSON', () => {
  it('is an object at the start, every second and at the end', () => {
    const { progress, pass, take } = setUp();
    const stage = progress.stage('Sending', { total: 1_000 });
    const time = '1970-01-01T00:00:01.000Z';
    const unknown = { ratePerSecond: null, etaMs: null, waiting: null };
    expect(take()).toEqual([{ ...sending, ...unknown, time, done: 0, finished: false }]);
    for (let tenth = 1; tenth <= 25; tenth++) {
      pass(100);
      stage.update({ done: tenth * 10 });
    }
    expect(take()).toMatchObject([
      { ...sending, done: 100, ratePerSecond: 100, etaMs: 9_000, waiting: null, finished: false },
      { ...sending, done: 200, ratePerSecond: 100, etaMs: 8_000, waiting: null, finished: false },
    ]);
    stage.finish();
    expect(take()).toMatchObject([{ done: 250, finished: true, summary: null, time: '1970-01-01T00:00:03.500Z' }]);
  });

  it('reports immediately when a wait begins and ends', () => {
    const { progress, pass, take } = setUp();
    const stage = progress.stage('Sending', { total: 1_000 });
    take();
    pass(10);
    stage.update({ done: 5, etaMs: 60_000, waiting: 'the service asks us to (429)', waitMs: 34_000 });
    expect(take()).toMatchObject([
      { done: 5, etaMs: 60_000, waiting: { reason: 'the service asks us to (429)', ms: 34_000 } },
    ]);
    pass(10);
    stage.update({ done: 5 });
    expect(take()).toMatchObject([{ done: 5, waiting: null }]);
  });

  it('names the job and its run, and what a row threw', () => {
    const { progress, take } = setUp();
    const of = { job: 'support', run: 'support-3' };
    progress.stage('Sending', { of }).finish('nothing to send');
    progress.unforeseen?.({ of, place: 'a.json#/1', error: 'TypeError', stack: 'at x' });
    expect(take()).toMatchObject([
      { ...of, stage: 'Sending', finished: false },
      { ...of, stage: 'Sending', finished: true, summary: 'nothing to send' },
      { ...of, level: 'warn', place: 'a.json#/1', error: 'TypeError', stack: 'at x' },
    ]);
  });

  it('prints notices as messages, and keeps hostile text on one line', () => {
    const { progress, take } = setUp();
    progress.log('Stopping: requests\nin flight may finish');
    const stage = progress.stage('Reading');
    stage.finish();
    stage.update({ done: 1, note: 'too late' });
    expect(take()).toMatchObject([
      { message: 'Stopping: requests in flight may finish' },
      { stage: 'Reading', total: null, finished: false },
      { finished: true },
    ]);
  });
});

describe('chatferry --progress', () => {
  it('json writes nothing but such lines on standard error, and the result on standard output', async () => {
    const { code, stderr, stdout } = await run(['import', everyFeature, '--progress', 'json', '--json'], {
      folder: home.make(),
    });
    expect(code).toBe(0);
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const line of lines) expect(isLine(line), JSON.stringify([line, isLine.errors])).toBe(true);
    const finished = lines.filter((line) => line.finished);
    expect(finished.map(({ stage, done }) => [stage, done])).toEqual([
      ['Reading', 42],
      ['Sending', 33],
      ['Verifying', 33],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ imported: 33 });
  });

  it('says the same of the jobs of sync', async () => {
    const folder = home.make();
    writeFileSync(
      join(folder, 'jobs.yaml'),
      `jobs: [{ name: a, to: sandbox, export: ${JSON.stringify(everyFeature)} }]`,
    );
    const { stderr } = await run(['sync', '--once', '--config', 'jobs.yaml', '--progress', 'json'], { folder });
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const line of lines) expect(isLine(line), JSON.stringify([line, isLine.errors])).toBe(true);
    const finished = lines.filter((line) => line.finished);
    expect(finished.map(({ job, run, stage, done }) => [job, run, stage, done])).toEqual([
      ['a', 'a-1', 'Reading', 42],
      ['a', 'a-1', 'Sending', 33],
      ['a', 'a-1', 'Verifying', 33],
    ]);
  });

  it('none says nothing, and a form beats --quiet', async () => {
    const folder = home.make();
    expect((await run(['plan', everyFeature, '--progress', 'none'], { folder })).stderr).toBe('');
    expect((await run(['plan', everyFeature, '--progress', 'plain', '--quiet'], { folder })).stderr).toContain(
      'Reading',
    );
    expect(await run(['plan', everyFeature, '--progress', 'loud'], { folder })).toMatchObject({ code: 2 });
  });
});
