import { expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { fetchMock, rowsIn } from './fetched.ts';
import { chatwootDialect } from './mock/chatwoot.ts';
import type { Dialect } from './mock/mock-provider.ts';
import { addMessage, makeWorld, textsOf } from './mock/world.ts';

const home = temporaryFolder();

/** A version that has one order of conversations: what changed last comes first. */
const old: Dialect = {
  ...chatwootDialect,
  answer(request, world) {
    request.query.delete('sort_by');
    return chatwootDialect.answer(request, world);
  },
};

it('a fetch from an old chatwoot brings conversations that move to the front while the list is read', async () => {
  const world = makeWorld(12, 2);
  const first = textsOf(world);
  // Pages have four conversations. Before the second is asked for, the last one moves to the front; before the third, those of the first do.
  const moves: Readonly<Record<number, readonly number[]>> = { 6: [1], 7: [8, 10, 11, 12] };
  const before = (number: number) => {
    for (const id of moves[number] ?? []) addMessage(world, world.conversations[id - 1]!);
    return undefined;
  };
  const { out, fetched } = await fetchMock(home.make(), old, world, { before });
  const ids = chatwootDialect.idsIn(rowsIn(out));
  expect([...first.keys()].filter((id) => !ids.includes(id))).toEqual([]);
  expect(fetched.manifest.gaps).toEqual([]);
});

it('a fetch from chatwoot counts notes of agents, and a plan keeps them back', async () => {
  const { folder, out, fetched } = await fetchMock(home.make(), chatwootDialect, makeWorld(2, 50));
  expect(fetched.manifest.steps.messages).toMatchObject({ rows: 100, private: 20 });
  const { stdout } = await run(['plan', out], { folder });
  expect(stdout).toMatch(/skipped +20 +internal note 20/);
});

it('a fetch from chatwoot passes over conversations in which nothing happened since', async () => {
  const world = makeWorld(6, 40);
  const lastMs = world.conversations[3]!.messages.at(-1)!.at;
  const { fetched } = await fetchMock(home.make(), chatwootDialect, world, { since: lastMs });
  const newer = world.conversations.filter(({ messages }) => messages.at(-1)!.at >= lastMs);
  expect(newer.length).toBeLessThan(6);
  expect(fetched.manifest.steps).toMatchObject({
    conversations: { rows: newer.length },
    messages: { rows: newer.length * 40 },
  });
});
