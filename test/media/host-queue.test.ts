import { describe, expect, it } from 'vitest';
import { byHost } from '../../src/media/copy-media.ts';

const never = new AbortController().signal;

/** Begins work and ends it one by one, the oldest first. */
async function runAll(hosts: readonly string[], concurrency: number, perHost: number) {
  const begun: string[] = [];
  const open: { host: string; end: () => void }[] = [];
  let most = 0;
  const mostOf = new Map<string, number>();
  const done = byHost(
    hosts.map((host, index) => ({ host, index })),
    { concurrency, perHost, signal: never },
    async ({ host, index }) => {
      begun.push(`${host}${index}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      open.push({ host, end: resolve });
      most = Math.max(most, open.length);
      mostOf.set(host, Math.max(mostOf.get(host) ?? 0, open.filter((each) => each.host === host).length));
      await promise;
    },
  );
  for (let left = hosts.length; left > 0; left--) {
    while (open.length === 0) await Promise.resolve();
    open.shift()!.end();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
  await done;
  return { begun, most, mostOf };
}

describe('byHost()', () => {
  it('begins in order while every host is free', async () => {
    expect((await runAll(['a', 'b', 'c'], 2, 1)).begun).toEqual(['a0', 'b1', 'c2']);
  });

  it('takes a file of another host if the first is at its limit', async () => {
    const { begun, most, mostOf } = await runAll(['a', 'a', 'a', 'b', 'b'], 3, 2);
    expect(begun.slice(0, 3)).toEqual(['a0', 'a1', 'b3']);
    expect([...begun].sort()).toEqual(['a0', 'a1', 'a2', 'b3', 'b4']);
    expect(most).toBe(3);
    expect(mostOf.get('a')).toBe(2);
  });

  it('counts files of the export for no host', async () => {
    expect((await runAll(['', '', '', ''], 4, 1)).most).toBe(4);
  });

  it('waits for what has begun, begins nothing else, and throws the first fault', async () => {
    const ended: number[] = [];
    const items = [0, 1, 2, 3].map((index) => ({ host: '', index }));
    const running = byHost(items, { concurrency: 2, perHost: 1, signal: never }, async ({ index }) => {
      if (index === 0) throw new Error('first');
      await Promise.resolve();
      await Promise.resolve();
      ended.push(index);
    });
    await expect(running).rejects.toThrow('first');
    expect(ended).toEqual([1]);
  });
});
