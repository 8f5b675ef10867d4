import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createProgress, type ProgressOptions } from '../../src/cli/terminal/progress.ts';

/** A stream that remembers, and a clock that is moved by hand. */
function setUp(options: Partial<ProgressOptions> = {}) {
  const written: string[] = [];
  let nowMs = 1_000;
  const stream = { write: (text: string) => written.push(text) > 0, on: () => undefined };
  const clock = { now: () => nowMs, monotonic: () => nowMs };
  const progress = createProgress({ stream, style: 'plain', columns: 80, clock, color: false, ...options });
  return {
    progress,
    written,
    /** Returns the output since the last call, without control sequences. */
    take: () => stripVTControlCharacters(written.splice(0).join('')),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('progress in a pipe', () => {
  test('progress writes a plain line at the start, every ten seconds and at the end', () => {
    const { progress, take, pass } = setUp();
    const stage = progress.stage('Sending', { total: 10_310 });
    expect(take()).toBe('Sending     started, 10,310 to do\n');
    for (let second = 1; second <= 25; second++) {
      pass(1_000);
      stage.update({ done: second * 50 });
    }
    expect(take()).toBe(
      'Sending     500 of 10,310  4.8%  50/s  3 min 17 s left\nSending     1,000 of 10,310  9.7%  50/s  3 min 7 s left\n',
    );
    pass(2_000);
    stage.finish();
    expect(take()).toBe('Sending     1,250 in 27 s\n');
  });

  test('progress reports immediately that a wait begins if it is longer than the interval between lines', () => {
    const { progress, take, pass } = setUp();
    const stage = progress.stage('Sending', { total: 100 });
    pass(10_000);
    stage.update({ done: 10 });
    take();
    pass(1_000);
    stage.update({ done: 10, waiting: 'no answer yet', waitMs: 80_000 });
    expect(take()).toMatch(/^Sending +10 of 100 +10\.0% +waiting 1 min 20 s: no answer yet\n$/);
    pass(1_000);
    stage.update({ done: 10, waiting: 'no answer yet', waitMs: 79_000 });
    stage.update({ done: 11, waiting: 'the pace', waitMs: 900 });
    expect(take()).toBe('');
  });

  test('progress prints how many messages failed, once there are any', () => {
    const { progress, take, pass } = setUp();
    const stage = progress.stage('Sending', { total: 100 });
    take();
    for (const [done, failed] of [
      [10, 0],
      [20, 3],
    ] as const) {
      pass(10_000);
      stage.update({ done, failed });
    }
    expect(take()).toMatch(/^Sending +10 of 100 +10\.0%.*\nSending +20 of 100 +20\.0% +3 failed .* left\n$/);
  });

  test('progress reports a jump by thousands within a second, and ten million in about twenty lines', () => {
    const { progress, take, pass } = setUp();
    const stage = progress.stage('Reading');
    take();
    pass(1_000);
    stage.update({ done: 5_000 });
    expect(take()).toMatch(/^Reading +5,000/);
    pass(500);
    stage.update({ done: 60_000 });
    expect(take()).toBe('');
    for (let second = 1; second <= 9; second++) {
      pass(1_000);
      stage.update({ done: 60_000 + second * 10_000 });
    }
    expect(take().match(/^Reading .*$/gm)).toHaveLength(2);
  });

  test('progress writes no control sequence and starts no timer', () => {
    const { progress, written, pass } = setUp();
    const stage = progress.stage('Reading');
    pass(20_000);
    stage.update({ done: 3, note: '\u001b[2Jgeneral\nforged' });
    stage.finish('3 messages');
    expect(written.join('')).toBe('Reading     started\nReading     3  general forged\nReading     3 messages\n');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('progress says why it waits', () => {
    const { progress, take } = setUp({ intervalMs: 0 });
    const stage = progress.stage('Sending', { total: 100 });
    take();
    stage.update({ done: 50, waiting: 'the service asks us to (429)', waitMs: 34_000 });
    expect(take()).toBe('Sending     50 of 100  50.0%  waiting 34 s: the service asks us to (429)\n');
    stage.update({ done: 50, waiting: 'until the service is up again' });
    expect(take()).toBe('Sending     50 of 100  50.0%  waiting until the service is up again\n');
  });

  test('progress continues after the reader has closed the pipe', async () => {
    vi.useRealTimers();
    const stream = new PassThrough();
    const { progress } = setUp({ stream, intervalMs: 0 });
    const stage = progress.stage('Sending');
    stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await new Promise((resolve) => stream.once('close', resolve));
    stage.update({ done: 1 });
    stage.finish();
    progress.close();
  });

  test('progress continues when writing throws', () => {
    const stream = {
      on: () => undefined,
      write: () => {
        throw new Error('gone');
      },
    };
    const { progress } = setUp({ stream });
    progress.stage('Sending').finish();
  });
});

describe('progress on a terminal', () => {
  test('progress redraws one line in place, at most ten times a second', () => {
    const { progress, written, pass } = setUp({ style: 'live' });
    const stage = progress.stage('Reading');
    for (let count = 1; count <= 1_000; count++) {
      pass(1);
      stage.update({ done: count });
    }
    expect(written.length).toBeLessThanOrEqual(11);
    expect(written.at(-1)).toBe('\r\u001b[KReading     1,000  1,000/s');
    stage.finish('1,000 messages');
    expect(written.at(-1)).toBe('\r\u001b[KReading     1,000 messages\n');
  });

  test('progress cuts its line below the width of the terminal, the note first', () => {
    const { progress, take, pass } = setUp({ style: 'live', columns: () => 60 });
    const stage = progress.stage('Sending', { total: 1_000 });
    pass(1_000);
    stage.update({ done: 100, rate: 12, etaMs: 75_000, note: 'x'.repeat(100) });
    const line = take().split('\r').at(-1) ?? '';
    expect(line).toBe('Sending     100 of 1,000  10.0%  12/s  1 min 15 s left  xx…');
    progress.close();
  });

  test('progress lets times run on between updates, and stops its timer at the end', () => {
    const { progress, take, pass } = setUp({ style: 'live' });
    const stage = progress.stage('Sending', { total: 100 });
    stage.update({ done: 10, waiting: 'the service asks us to (429)', waitMs: 34_000 });
    pass(4_000);
    vi.advanceTimersByTime(100);
    expect(take()).toMatch(/waiting 30 s: the service asks us to \(429\)$/);
    stage.finish();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('progress draws two stages under each other and keeps log lines above them', () => {
    const { progress, written, pass } = setUp({ style: 'live' });
    const reading = progress.stage('Reading');
    pass(100);
    const sending = progress.stage('Sending');
    progress.log('Retrying batch 7');
    expect(written.at(-1)).toBe('\r\u001b[K\u001b[1A\u001b[KRetrying batch 7\nReading     0\nSending     0');
    reading.finish('done');
    expect(written.at(-1)).toBe('\r\u001b[K\u001b[1A\u001b[KReading     done\nSending     0');
    sending.finish('done');
    expect(written.at(-1)).toBe('\r\u001b[KSending     done\n');
  });

  test('progress leaves the last state on the screen when it is closed early, and ignores what comes later', () => {
    const { progress, written, pass } = setUp({ style: 'live' });
    const stage = progress.stage('Sending', { total: 100 });
    pass(100);
    stage.update({ done: 40 });
    progress.close();
    expect(written.at(-1)).toBe('\r\u001b[KSending     40 of 100  40.0%\n');
    const count = written.length;
    pass(1_000);
    stage.update({ done: 41 });
    stage.finish();
    expect(written.length).toBe(count);
  });

  test('progress never hides the cursor', () => {
    const { progress, written } = setUp({ style: 'live', color: true });
    progress.stage('Sending').finish();
    expect(written.join('')).not.toContain('\u001b[?25l');
  });
});

test('the measured rate follows a change within five seconds', () => {
  const { progress, take, pass } = setUp({ intervalMs: 0 });
  const stage = progress.stage('Sending');
  for (let step = 1; step <= 100; step++) {
    pass(100);
    stage.update({ done: 10 * step });
  }
  expect(take()).toMatch(/1,000 {2}100\/s\n$/);
  for (let step = 1; step <= 52; step++) {
    pass(100);
    stage.update({ done: 1_000 + 2 * step });
  }
  expect(take()).toMatch(/ 20\/s\n$/);
});

test('a resumed stage does not count what earlier runs have done as speed', () => {
  const { progress, take, pass } = setUp({ intervalMs: 0 });
  const stage = progress.stage('Sending', { total: 1_000_000 });
  stage.update({ done: 900_000 });
  pass(1_000);
  stage.update({ done: 900_050 });
  expect(take()).toMatch(/900,050 of 1,000,000 {2}90.0% {2}50\/s {2}33 min 19 s left\n$/);
});
