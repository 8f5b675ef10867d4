import { expect, it } from 'vitest';
import { CopyKeeper } from '../../src/fleet/lease/keep-copies.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';

it('while copies cannot be put anywhere, requests go on until so many have no copy, and wait until there is one', async () => {
  const permits = { uncopied: 0 };
  const waits: number[] = [];
  const clock = {
    ...systemClock,
    async sleep(ms: number) {
      waits.push(ms);
      // The place is back, and a copy was made.
      if (waits.length === 3) permits.uncopied = 0;
    },
  };
  const options = { clock, signal: new AbortController().signal, number: 1, uncopiedMax: 3, measured() {} };
  const keeper = new CopyKeeper({} as never, { ...options, query: undefined as never, copies: undefined as never });
  keeper.permits = permits as never;
  for (const uncopied of [0, 1, 2]) {
    permits.uncopied = uncopied;
    await keeper.mayGo();
  }
  expect(waits).toEqual([]);
  permits.uncopied = 3;
  await keeper.mayGo();
  expect(waits).toHaveLength(3);
});
