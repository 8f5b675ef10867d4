import { expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe } from './fetched.ts';
import { dialects } from './mock/dialects.ts';
import { startMock } from './mock/mock-provider.ts';
import { makeWorld } from './mock/world.ts';

const home = temporaryFolder();

it.each(dialects)('doctor may read every list of $provider', async (dialect) => {
  const folder = home.make();
  const { url } = await startMock(dialect, makeWorld(6, 20));
  const set = Object.entries(dialect.settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const args = ['doctor', '--recipe', localRecipe(dialect.provider, url, folder), ...set, '--rate', '60000'];
  const { code, stdout } = await run(args, { folder, env: { CHATFERRY_FROM_KEY: '0123456789abcdef0123456789abcdef' } });
  expect({ code, faults: stdout.split('\n').filter((line) => /^error/.test(line.trim())) }).toEqual({
    code: 0,
    faults: [],
  });
  expect(stdout).toMatch(/ok +estimate/);
});
