import { describe, expect, it } from 'vitest';
import { Busy, Runner } from '../../src/desk/runs/runner.ts';
import type { StartedProgram } from '../../src/lib/started-program.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';

const line = { args: ['inspect', 'export.zip'], text: 'chatferry inspect export.zip' };

/** A runner whose program does what the test says. */
function scene({ waits = () => new Promise<void>(() => {}) }: { readonly waits?: () => Promise<void> } = {}) {
  const started: (readonly string[])[] = [];
  const interrupts: number[] = [];
  const listeners: Parameters<StartedProgram['onLine']>[0][] = [];
  const ended = Promise.withResolvers<{ code: number | null }>();
  let changes = 0;
  const runner = new Runner({
    clock: { now: () => 1_000, sleep: waits },
    onChange: () => changes++,
    async startAgain(args) {
      started.push(args);
      return {
        ended: ended.promise,
        onLine: (listener) => void listeners.push(listener),
        interrupt: () => void interrupts.push(1),
      };
    },
  });
  const say = (stream: 'stdout' | 'stderr', ...lines: readonly string[]) => {
    for (const text of lines) for (const listener of listeners) listener(stream, text);
  };
  const end = async (code: number | null) => {
    ended.resolve({ code });
    await settled();
  };
  return { runner, started, interrupts, say, end, changes: () => changes };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const notice = (message: string) => JSON.stringify({ time: '2026-11-21T16:40:41.000Z', level: 'warn', message });
const progress = (stage: string, done: number, more: object = {}) =>
  JSON.stringify({
    ...{
      time: '2026-11-21T16:40:41.000Z',
      level: 'info',
      stage,
      done,
      failed: 0,
      summary: null,
      total: null,
      ratePerSecond: 5,
      etaMs: null,
      waiting: null,
      note: null,
      finished: false,
    },
    ...more,
  });

describe('a Runner', () => {
  it('runs a command as programs run it, and keeps its last line as the result', async () => {
    const { runner, started, say, end, changes } = scene();
    expect(runner.start('inspect', line)).toMatchObject({ kind: 'inspect', text: line.text, endedAtMs: null });
    await settled();
    expect(started).toEqual([['inspect', 'export.zip', '--json', '--progress', 'json']]);
    say('stdout', 'a line of something else', '{"rows":42}');
    await end(0);
    expect(runner.now()).toMatchObject({ endedAtMs: 1_000, outcome: 'Done', exit: 0, error: null });
    expect([runner.result('inspect'), changes()]).toEqual([{ rows: 42 }, 2]);
  });

  it('follows the stages and notices of the command', async () => {
    const { runner, say } = scene();
    runner.start('inspect', line);
    await settled();
    say('stderr', progress('Reading', 1), progress('Reading', 5), notice('A notice'));
    expect(runner.now()).toMatchObject({ stages: [{ name: 'Reading', done: 5, perSecond: 5, summary: null }] });
    say('stderr', progress('Reading', 1_042, { finished: true }), progress('Sending', 2), progress('Reading', 3));
    expect(runner.now()!.stages.map(({ name, done, summary }) => [name, done, summary])).toEqual([
      ['Reading', 1_042, '1,042'],
      ['Sending', 2, null],
      ['Reading', 3, null],
    ]);
    expect(runner.now()!.notices).toEqual(['A notice']);
  });

  it('passes on what a command says of its failure', async () => {
    const { runner, say, end } = scene();
    runner.start('inspect', line);
    await settled();
    say('stderr', progress('Reading', 1), 'Cannot read "x.zip":', 'it is empty', '  Export it again');
    await end(4);
    expect(runner.now()).toMatchObject({
      outcome: 'Failed',
      exit: 4,
      error: { message: 'Cannot read "x.zip":\nit is empty', hint: 'Export it again' },
    });
  });

  it('does not take a command that has a result for one that failed', async () => {
    const { runner, say, end } = scene();
    runner.start('inspect', line);
    await settled();
    say('stdout', '{"open":[{}]}');
    await end(2);
    expect(runner.now()).toMatchObject({ outcome: 'Done', exit: 2, error: null });
  });

  it.each([
    ['was killed', null],
    ['ended in the middle of its result', 7],
  ])('says of a command that %s that it failed, and keeps the result of the one before', async (_, code) => {
    const { runner, say, end } = scene();
    runner.start('inspect', line);
    await settled();
    say('stdout', '{"rows":');
    await end(code);
    expect(runner.now()).toMatchObject({
      outcome: 'Failed',
      exit: code,
      error: { message: 'It ended without a word' },
    });
    expect(runner.result('inspect')).toBeUndefined();
  });

  it('runs one command at a time', async () => {
    const { runner, end } = scene();
    runner.start('inspect', line);
    expect(() => runner.start('inspect', line)).toThrow(Busy);
    await settled();
    await end(0);
    expect(runner.start('inspect', line)).toMatchObject({ endedAtMs: null });
  });

  it('asks a command to stop once, however often it is told to', async () => {
    const { runner, interrupts, end } = scene();
    runner.start('inspect', line);
    await settled();
    runner.stop();
    expect(runner.stop()).toMatchObject({ isStopping: true });
    expect(interrupts.length).toBe(1);
    await end(130);
    expect(runner.stop()).toMatchObject({ outcome: 'Stopped', error: null });
    expect(interrupts.length).toBe(1);
  });

  it('does not even start a command that is told to stop before', async () => {
    const { runner, started } = scene();
    runner.start('inspect', line);
    runner.stop();
    await settled();
    expect([started, runner.now()]).toEqual([[], expect.objectContaining({ outcome: 'Stopped', error: null })]);
  });

  it('does the work that comes before a command as its first stage', async () => {
    const { runner, started } = scene();
    const copying = Promise.withResolvers<void>();
    runner.start('rehearse', line, { stage: 'Copying', work: () => copying.promise });
    await settled();
    expect([started.length, runner.now()?.stages]).toEqual([
      0,
      [expect.objectContaining({ name: 'Copying', summary: null })],
    ]);
    copying.resolve();
    await settled();
    expect([started.length, runner.now()?.stages[0]?.summary]).toEqual([1, '']);
  });

  it('says why that work failed, and starts nothing', async () => {
    const { runner, started } = scene();
    const work = () => Promise.reject(new UsageError('Cannot copy it', { hint: 'Plan first' }));
    runner.start('rehearse', line, { stage: 'Copying', work });
    await settled();
    expect(started).toEqual([]);
    expect(runner.now()).toMatchObject({ outcome: 'Failed', error: { message: 'Cannot copy it', hint: 'Plan first' } });
  });

  it('says why a command stopped that has a result all the same', async () => {
    const { runner, say, end } = scene();
    runner.start('import', line);
    await settled();
    say('stdout', '{"imported":3,"stopped":{"code":"X","message":"It refused","hint":"Ask"},"exit":5}');
    await end(5);
    expect(runner.now()).toMatchObject({ outcome: 'Failed', error: { message: 'It refused', hint: 'Ask' } });
  });

  it('keeps what doctor found, and asks it for no progress', async () => {
    const { runner, started, say, end } = scene();
    runner.start('doctor', { ...line, args: ['doctor'] });
    await settled();
    const key = { name: 'key', level: 'error', says: 'There is none', todo: 'Set it' };
    say(
      'stdout',
      JSON.stringify({
        findings: [
          { name: 'store', level: 'ok', says: 'Fine' },
          { ...key, exit: 2 },
        ],
      }),
    );
    await end(2);
    expect(started).toEqual([['doctor', '--json']]);
    expect(runner.now()?.findings).toEqual([{ name: 'store', level: 'ok', says: 'Fine', todo: null }, key]);
  });

  it('keeps what undo would delete, and what it deleted', async () => {
    const { runner, say, end } = scene();
    runner.start('undo', line);
    await settled();
    const none = { calls: 0, messages: 0 };
    const todo = {
      group: { calls: 2, messages: 9 },
      conversation: { calls: 1, messages: 1 },
      member: { calls: 4, messages: 0 },
      person: none,
    };
    const requests = [{ request: 'DELETE /v3/groups/general', name: 'general', calls: 1, messages: 8 }];
    const left = [{ reason: 'not-ours', explanation: 'Others wrote there', calls: 3, messages: 5, examples: [] }];
    const done = { group: none, conversation: none, member: none, person: none };
    say('stdout', JSON.stringify({ command: 'undo', dryRun: true, todo, done, requests, left, stopped: null }));
    await end(0);
    expect(runner.now()?.undo).toEqual({
      ...{ isDry: true, conversations: 3, messages: 10, members: 4, people: 0 },
      requests: [{ request: 'DELETE /v3/groups/general', name: 'general', messages: 8 }],
      left: [{ count: 3, explanation: 'Others wrote there' }],
    });
  });

  it('waits at its end for the command, and ends it after a while', async () => {
    const waiting = Promise.withResolvers<void>();
    const { runner, interrupts } = scene({ waits: () => waiting.promise });
    runner.start('inspect', line);
    await settled();
    const closed = runner.close();
    await settled();
    expect(interrupts.length).toBe(1);
    waiting.resolve();
    await closed;
    expect(interrupts.length).toBe(2);
  });

  it('says why a command could not be started', async () => {
    const runner = new Runner({
      clock: systemClock,
      onChange() {},
      startAgain: () => Promise.reject(new Error('no more processes')),
    });
    runner.start('inspect', line);
    await settled();
    expect(runner.now()).toMatchObject({ outcome: 'Failed', error: { message: 'Error: no more processes' } });
  });
});

describe('a count that begins by itself', () => {
  const doctor = { args: ['doctor'], text: 'chatferry doctor' };
  const findings = '{"findings":[{"level":"ok","name":"key","says":"it works"}]}';

  /** A runner after a check of the destination, whose count prints a line. */
  async function afterDoctor(counted: string) {
    const runner = new Runner({
      clock: { now: () => 1_000, sleep: () => new Promise<void>(() => {}) },
      onChange() {},
      startAgain: async ([command]) => ({
        ended: Promise.resolve({ code: 0 }),
        onLine: (listener) => listener('stdout', command === 'doctor' ? findings : counted),
        interrupt() {},
      }),
    });
    runner.start('doctor', doctor);
    await settled();
    runner.startByItself(line);
    expect([runner.now()?.kind, runner.before()?.kind]).toEqual(['inspect', 'doctor']);
    await settled();
    return runner;
  }

  it('leaves the run before it to be seen, and is not the last run once it has ended', async () => {
    const runner = await afterDoctor('{"rows":42}');
    expect(runner.now()).toMatchObject({ kind: 'doctor', outcome: 'Done', findings: [{ says: 'it works' }] });
    expect([runner.before(), runner.result('inspect')]).toEqual([null, { rows: 42 }]);
  });

  it('is shown if it failed, next to the run before it, until something else is started', async () => {
    const runner = await afterDoctor('no result');
    expect(runner.now()).toMatchObject({ kind: 'inspect', outcome: 'Failed' });
    expect(runner.before()).toMatchObject({ kind: 'doctor', findings: [{ says: 'it works' }] });
    runner.start('plan', { args: ['plan'], text: 'chatferry plan' });
    expect([runner.now()?.kind, runner.before()]).toEqual(['plan', null]);
  });
});
