import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe, rowsIn } from './fetched.ts';
import { startMock } from './mock/mock-provider.ts';
import { rocketchatDialect } from './mock/rocketchat.ts';
import { makeWorld } from './mock/world.ts';

const home = temporaryFolder();
const refused = (errorType: string) => ({ status: 400, json: { success: false, error: `[${errorType}]`, errorType } });

/** A fetch of three rooms in which one request is refused: 2 lists channels, 7 asks for the messages of one. */
async function fetchWith(errorType: string, number: number) {
  const folder = home.make();
  const { url } = await startMock(rocketchatDialect, makeWorld(3, 20), {
    before: (at) => (at === number ? refused(errorType) : undefined),
  });
  const set = Object.entries(rocketchatDialect.settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const args = ['fetch', '--recipe', localRecipe('rocketchat', url, folder), ...set, '--out', 'out'];
  const ended = await run(args, { folder, env: { CHATFERRY_FROM_KEY: 'key_of_nobody_1234567890' } });
  return { ...ended, folder, out: join(folder, 'out') };
}

it('a room that Rocket.Chat refuses is named, and the others come', async () => {
  const { code, stdout, folder, out } = await fetchWith('error-room-not-found', 7);
  expect(code).toBe(3);
  expect(stdout).toContain('error-room-not-found');
  expect(rocketchatDialect.idsIn(rowsIn(out)).length).toBe(40);
  expect((await run(['plan', out, '--quiet'], { folder })).stdout).toContain('export-is-partial');
});

it.each([
  ['a list', 'error-room-not-found', 2, 5],
  ['everything', 'error-unauthorized', 7, 8],
])('Rocket.Chat that refuses %s stops the fetch', async (_, errorType, number, exit) => {
  const { code, stderr } = await fetchWith(errorType, number);
  expect(code).toBe(exit);
  expect(stderr).toContain(errorType);
});
