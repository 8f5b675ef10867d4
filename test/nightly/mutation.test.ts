import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { testSeed as seed } from '../seed.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Other ones each night. All of them: `npm run mutation`. */
const sample = 10;

it('the tests notice all but one of ten faults in a copy of the code', async ({ task }) => {
  const args = ['test/mutation/main.ts', '--sample', String(sample), '--seed', String(seed)];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    process.stdout.write(text);
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  task.meta.figures = { caught: printed.match(/(\d+ of \d+) caught/)?.[1] ?? 'none' };
  expect(code, printed).toBe(0);
});
