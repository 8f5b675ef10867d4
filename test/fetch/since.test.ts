import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe, rowsIn } from './fetched.ts';
import { dialects } from './mock/dialects.ts';
import { startMock } from './mock/mock-provider.ts';
import { addMessage, makeWorld } from './mock/world.ts';

const home = temporaryFolder();
const since = '2026-04-01T00:00:00Z';

it.each(dialects)('--since brings what is new at $provider, with fewer requests than everything', async (dialect) => {
  const folder = home.make();
  const world = makeWorld(5, 130);
  const fresh = world.conversations
    .slice(0, 3)
    .flatMap((conversation) =>
      Array.from({ length: 40 }, (_, index) => addMessage(world, conversation, Date.parse(since) + index * 1000)),
    );
  const { url, requests } = await startMock(dialect, world);
  const set = Object.entries(dialect.settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const recipe = localRecipe(dialect.provider, url, folder);
  const fetchInto = async (out: string, ...more: readonly string[]) => {
    const before = requests.length;
    const args = ['fetch', '--recipe', recipe, ...set, ...more, '--out', out, '--quiet', '--rate', '60000'];
    const { code, stderr } = await run(args, {
      folder,
      env: { CHATFERRY_FROM_KEY: '0123456789abcdef0123456789abcdef' },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return { ids: dialect.idsIn(rowsIn(join(folder, out))), asked: requests.length - before };
  };
  const all = await fetchInto('all');
  const some = await fetchInto('some', '--since', since);
  expect(fresh.filter(({ id }) => !some.ids.includes(id))).toEqual([]);
  expect(new Set(some.ids).size).toBe(some.ids.length);
  expect(some.ids.length).toBeLessThan(all.ids.length);
  expect(some.asked).toBeLessThan(all.asked);
});
