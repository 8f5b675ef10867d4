import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The same ten each time, unless somebody wants others. All of them: `npm run mutation`. */
const seed = process.env.CHATFERRY_MUTATION_SEED ?? '1';

it('tests notice what breaks: nine at least of ten faults that were put into a copy of the code', async () => {
  const args = ['test/mutation/main.ts', '--sample', '10', '--seed', seed, '--minutes', '9'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.setEncoding('utf8').on('data', (text: string) => process.stdout.write(text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code, `seed ${seed}: npm run mutation -- --sample 10 --seed ${seed}`).toBe(0);
});
