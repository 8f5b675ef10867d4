import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LoggedDecision, readDecisions } from '../../src/report/decision-log.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const decision = { key: 'people.bots', before: null, atMs: Date.UTC(2026, 2, 1, 11) };
const answers = Array.from({ length: 10 }, (_, index) => `answer ${index}`);

/** Another process, which adds decisions one by one as soon as it is told to. */
function adding(store: string, decision: Omit<LoggedDecision, 'answer'>) {
  const module = new URL('../../src/report/decision-log.ts', import.meta.url).href;
  const code = `
    import { addDecisions } from ${JSON.stringify(module)};
    console.log('ready');
    process.stdin.once('data', () => {
      for (const answer of ${JSON.stringify(answers)})
        addDecisions(${JSON.stringify(store)}, [{ ...${JSON.stringify(decision)}, answer }]);
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('addDecisions()', () => {
  it('loses nothing when two processes add decisions at the same instant', async () => {
    const store = join(home.make(), 'chatferry.db');
    const writers = ['Ana', 'Ben'].map((by) => adding(store, { ...decision, by }));
    for (const { stdout } of writers) await once(stdout, 'data');
    for (const { stdin } of writers) stdin.end('now');
    expect((await Promise.all(writers.map((writer) => once(writer, 'exit')))).map(([code]) => code)).toEqual([0, 0]);
    const added = readDecisions(store);
    for (const by of ['Ana', 'Ben'])
      expect(added.filter((one) => one.by === by).map(({ answer }) => answer)).toEqual(answers);
    expect(added).toHaveLength(2 * answers.length);
  });
});
