import { describe, expect, it } from 'vitest';
import type { FromThread, ToThread } from '../../src/desk/engine/calls.ts';
import { Closed, Engine, type EngineOptions } from '../../src/desk/engine/engine.ts';

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
  const ask = (path: string) => engine.call('recognise', { exports: [path] });
  const asked = () => posted.map(({ request }) => request);
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

  it('begins another thread when one has died: its question is lost, those that wait are not', async () => {
    const { threads, say, ask, asked } = scene();
    const [lost, kept] = [ask('a'), ask('b')];
    threads[0]!.onEnd(new Error('out of memory'));
    await expect(lost).rejects.toThrow('out of memory');
    say({ answer: 2 });
    expect([await kept, threads.length, asked()]).toEqual([2, 2, [of('a'), of('b')]]);
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
    const ended = answers.map((answer) => expect(answer).rejects.toThrow(Closed));
    await engine.close();
    await Promise.all(ended);
    await expect(ask('c')).rejects.toThrow(Closed);
    expect(stops()).toBe(1);
  });
});
