import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killedAtStep } from '../../scenes/killed-at-step.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { run } from '../../cli/in-process.ts';
import { start } from '../../cli/process.ts';

const home = temporaryFolder();
const sample = join(import.meta.dirname, '../../../samples/csv/two-people/export.csv');
const answers = [
  'zone=UTC',
  'messages.author=from',
  'messages.conversation=to',
  'messages.time.format=M/d/yyyy h:mm a',
];

describe('init that is killed before it changes a file', () => {
  it.each([0, 1, 2, 3])('goes on when it is said again, and its files count: before change %i', async (step) => {
    for (const isInside of [false, true]) {
      const folder = join(home.make(), 'own');
      mkdirSync(folder);
      copyFileSync(sample, join(folder, 'export.csv'));
      const path = isInside ? '.' : sample;
      const words = ['init', path, '--yes', '--no-count', ...answers.flatMap((set) => ['--set', `source.${set}`])];
      const killed = await start(words, { folder, env: killedAtStep(folder, step) }).ended;
      expect(killed.signal).toBe('SIGKILL');
      expect(await run(words, { folder })).toMatchObject({ code: 0 });
      expect(await run(['plan'], { folder })).toMatchObject({
        code: 2,
        stdout: expect.stringContaining('--confirm-reading'),
        stderr: expect.not.stringContaining('does not count'),
      });
    }
  });
});
