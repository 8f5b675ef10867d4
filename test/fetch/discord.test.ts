import { expect, it } from 'vitest';
import { fetchHistory } from '../../src/commands/move.ts';
import { loadRecipeFile } from '../../src/fetch/load-recipe.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { run } from '../cli/in-process.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe, rowsIn } from './fetched.ts';
import { discordDialect } from './mock/discord.ts';
import { type Dialect, type MockRequest, startMock } from './mock/mock-provider.ts';
import { addMessage, makeWorld, type World } from './mock/world.ts';

const home = temporaryFolder();

/** Discord, which refuses some requests. */
async function discordWith(world: World, isRefused: (request: MockRequest) => boolean = () => false) {
  const answer: Dialect['answer'] = (request) =>
    isRefused(request)
      ? { status: 403, json: { message: 'Missing Access', code: 50_001 } }
      : discordDialect.answer(request, world);
  const mock = await startMock({ ...discordDialect, answer }, world);
  const folder = home.make();
  return { mock, folder, recipe: localRecipe('discord', mock.url, folder) };
}

async function fetched(recipe: string, folder: string, more: object = {}) {
  const out = `${folder}/out`;
  const { manifest } = await fetchHistory({
    recipe: loadRecipeFile(recipe),
    ...{ settings: {}, key: 'made-up-0123456789', out },
    ...{ clock: fastClock(), random: () => 0.5, progress: silent },
    ...{ stopping: new AbortController().signal, signal: new AbortController().signal },
    ...more,
  });
  return { manifest, ids: discordDialect.idsIn(rowsIn(out)).toSorted((a, b) => a - b) };
}

it('a channel that the bot may not view is a gap, and the others and the threads come', async () => {
  const { recipe, folder } = await discordWith(
    makeWorld(5, 2),
    ({ parts }) => parts[3] === '1480000000000001005' && parts[4] === 'messages',
  );
  const { manifest, ids } = await fetched(recipe, folder);
  expect(manifest.gaps).toMatchObject([{ step: 'messages', of: { channel: '1480000000000001005' } }]);
  expect(ids.length).toBe(8);
});

it('what changed since a time is new messages of channels and of active threads', async () => {
  const world = makeWorld(4, 3);
  const sinceMs = Date.parse('2026-06-01T00:00:00Z');
  const added = world.conversations.slice(0, 2).map((one) => addMessage(world, one, sinceMs + 60_000).id);
  const { recipe, folder } = await discordWith(world);
  expect((await fetched(recipe, folder, { sinceMs })).ids).toEqual(added);
});

it('doctor counts the messages of channels and of threads', async () => {
  const { recipe, folder } = await discordWith(makeWorld(4, 3));
  const env = { CHATFERRY_FROM_KEY: 'made-up-0123456789' };
  const { stdout, code } = await run(['doctor', '--recipe', recipe], { folder, env });
  expect(stdout).toMatch(/ok +estimate +.*1 activeThreads, 1 publicThreads, 1 privateThreads, 12 messages/);
  expect(code).toBe(0);
});
