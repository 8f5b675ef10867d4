import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ListedMessage } from '../../src/service/outcome.ts';
import { noRequests } from '../../src/delivery/destination.ts';
import { unpaced } from '../../src/delivery/pace.ts';
import { createReader, readConversation, type ReaderOptions } from '../../src/delivery/read-back.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { testSeed } from '../seed.ts';

const never = new AbortController().signal;

/** Lists messages of these sizes, and reports that an answer is too long if a page is longer than `bytesMax`. */
function reading(sizes: readonly number[], bytesMax: number) {
  const list: ReaderOptions['list'] = async ({ id, limit }) => {
    const from = id === undefined ? 0 : Number(id) + 1;
    const page = sizes.slice(from, from + Number(limit));
    if (page.reduce((sum, size) => sum + size, 0) > bytesMax)
      return { kind: 'failed', why: 'too-long', code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE', detail: '', hints: {} };
    const messages = page.map((_, index) => ({ id: String(from + index) }) as ListedMessage);
    return { kind: 'answered', value: { messages }, hints: {} };
  };
  const counts = noRequests();
  const asking = { pace: unpaced, clock: systemClock, random: () => 0, counts };
  const readPage = createReader({ ...asking, list });
  const read = async () => {
    const ids: string[] = [];
    for await (const page of readConversation(readPage, { conversationId: 'group_harbour' }, never))
      ids.push(...page.map((message) => message.id));
    return ids;
  };
  return { read, counts };
}

it('reads every message once and in order, however long pages of them are', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 200 });
  const property = fc.asyncProperty(sizes, fc.integer({ min: 100, max: 5000 }), async (given, bytesMax) => {
    expect(await reading(given, bytesMax).read()).toEqual(given.map((_, index) => String(index)));
  });
  await fc.assert(property, { seed: testSeed });
});

it('remembers how many messages of a conversation an answer may hold', async () => {
  const { read, counts } = reading(Array(1000).fill(40), 10_000);
  expect(await read()).toHaveLength(1000);
  // 1,000 and 500 were too many; four pages of 250, and one to see that nothing follows.
  expect(counts.list).toBe(7);
});

it('reports the error if a single message is too long', async () => {
  await expect(reading([11], 10).read()).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
});
