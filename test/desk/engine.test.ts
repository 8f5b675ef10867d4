import { describe, expect, it } from 'vitest';
import type { FromThread, ToThread } from '../../src/desk/engine/calls.ts';
import { Engine, type EngineOptions, Overtaken } from '../../src/desk/engine/engine.ts';

type Listener = Parameters<EngineOptions['startThread']>[0];

/** An engine whose thread does what the test says. */
function scene() {
  const posted: ToThread[] = [];
  const threads: Listener[] = [];
  let [nowMs, stops] = [0, 0];
  const engine = new Engine({
    clock: { now: () => nowMs },
    startThread(listener) {
      threads.push(listener);
      return { post: (message) => posted.push(message), stop: async () => stops++ };
    },
  });
  const say = (message: FromThread) => threads.at(-1)!.onMessage(message);
  const ask = (path: string, options?: Parameters<Engine['call']>[2]) =>
    engine.call('recognise', { exports: [path] }, options);
  const asked = () => posted.flatMap((message) => ('name' in message ? message.request : 'abort'));
  return { engine, threads, say, ask, asked, wait: (ms: number) => (nowMs += ms), stops: () => stops };
}

const of = (path: string) => ({ exports: [path] });

describe('an Engine', () => {
  it('asks one question after another, and starts its thread with the first', async () => {
    const { threads, say, ask, asked } = scene();
    expect(threads.length).toBe(0);
    const answers = [ask('a'), ask('b')];
    expect(asked()).toEqual([of('a')]);
    say({ answer: 1 });
    expect(asked()).toEqual([of('a'), of('b')]);
    say({ answer: 2 });
    expect([await Promise.all(answers), threads.length]).toEqual([[1, 2], 1]);
  });

  it('passes on what the program says of a question, and goes on', async () => {
    const { say, ask } = scene();
    const [first, second] = [ask('a'), ask('b')];
    say({ refused: { message: 'Cannot read it', hint: 'Export it again' } });
    say({ fault: new TypeError('x is not a function') });
    await expect(first).rejects.toMatchObject({
      name: 'ChatferryError',
      message: 'Cannot read it',
      hint: 'Export it again',
    });
    await expect(second).rejects.toThrow('not a function');
  });

  it('drops what waits for a newer question of the same name, and nothing that runs', async () => {
    const { say, ask, asked } = scene();
    const [running, older, newer] = ['a', 'b', 'c'].map((path) => ask(path, { isLatest: true }));
    await expect(older).rejects.toThrow(Overtaken);
    say({ answer: 1 });
    say({ answer: 3 });
    expect([await running, await newer, asked()]).toEqual([1, 3, [of('a'), of('c')]]);
  });

  it('begins another thread when one has died: its question is lost, those that wait are not', async () => {
    const { threads, say, ask, asked } = scene();
    const [lost, kept] = [ask('a'), ask('b')];
    threads[0]!.onEnd(new Error('out of memory'));
    await expect(lost).rejects.toThrow('out of memory');
    say({ answer: 2 });
    expect([await kept, threads.length, asked()]).toEqual([2, 2, [of('a'), of('b')]]);
  });

  it('tells the thread when nobody waits for its answer, and forgets questions that nobody waits for', async () => {
    const { say, ask, asked } = scene();
    const leaving = new AbortController();
    const answers = [ask('a', leaving), ask('b', leaving), ask('c')];
    const reason = new Error('another export');
    leaving.abort(reason);
    for (const answer of answers.slice(0, 2)) await expect(answer).rejects.toBe(reason);
    await expect(ask('d', leaving)).rejects.toBe(reason);
    say({ fault: new Error('aborted') });
    say({ answer: 3 });
    expect([await answers[2], asked()]).toEqual([3, [of('a'), 'abort', of('c')]]);
  });

  it('says what takes a while and how far it is', async () => {
    const { engine, say, ask, wait } = scene();
    const answer = ask('a');
    wait(99);
    expect(engine.asking).toBeNull();
    say({ done: 3, total: 10 });
    wait(1);
    expect(engine.asking).toEqual({ what: 'Looking at the export', ms: 100, done: 3, total: 10 });
    say({ answer: 1 });
    await answer;
    expect(engine.asking).toBeNull();
  });

  it('ends with every question that is open', async () => {
    const { engine, ask, stops } = scene();
    const answers = [ask('a'), ask('b')];
    const ended = answers.map((answer) => expect(answer).rejects.toThrow('closed'));
    await engine.close();
    await Promise.all(ended);
    await expect(ask('c')).rejects.toThrow('closed');
    expect(stops()).toBe(1);
  });
});
