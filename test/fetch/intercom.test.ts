import { expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { fetchMock, rowsIn } from './fetched.ts';
import { intercomDialect } from './mock/intercom.ts';
import { addMessage, makeWorld } from './mock/world.ts';

const home = temporaryFolder();

it('a fetch from intercom says how many parts of a conversation Intercom keeps back, which gives 500 at most', async () => {
  const { folder, out } = await fetchMock(home.make(), intercomDialect, makeWorld(2, 620));
  const { stdout } = await run(['plan', out], { folder });
  expect(stdout).toContain('the conversation has 619 parts, and 500 are given');
  expect(stdout).toContain('the conversation has 619 parts, and 500 are given');
});

it('a fetch from intercom asks for the conversations that changed since', async () => {
  const world = makeWorld(6, 40);
  const lastMs = world.conversations[3]!.messages.at(-1)!.at;
  const { fetched } = await fetchMock(home.make(), intercomDialect, world, { since: lastMs });
  const newer = world.conversations.filter(({ messages }) => messages.at(-1)!.at > lastMs);
  expect(newer.length).toBeGreaterThan(0);
  expect(fetched.manifest.steps.conversations!.rows).toBe(newer.length);
});

it('a fetch from intercom brings conversations that get an answer between two pages of the list', async () => {
  const world = makeWorld(9, 2);
  const lastMs = (one: (typeof world.conversations)[number]) => one.messages.at(-1)!.at;
  const before = () => {
    const [quietest] = world.conversations.toSorted((one, other) => lastMs(one) - lastMs(other));
    addMessage(world, quietest!);
    return undefined;
  };
  const { out } = await fetchMock(home.make(), intercomDialect, world, { before });
  const firsts = world.conversations.map(({ messages }) => messages.find(({ isPrivate }) => !isPrivate)!.id);
  expect(intercomDialect.idsIn(rowsIn(out))).toEqual(expect.arrayContaining(firsts));
});

it('a fetch from intercom brings notes of agents, and a plan keeps them back', async () => {
  const { folder, out } = await fetchMock(home.make(), intercomDialect, makeWorld(2, 50));
  const { stdout } = await run(['plan', out], { folder });
  expect(stdout).toMatch(/skipped +20 +internal note 20/);
});
