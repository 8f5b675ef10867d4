import { describe, expect, it } from 'vitest';
import type { EntryList, ReadEntry } from '../../../src/plan/reading/protocol.ts';
import { Dealer, inTurns } from '../../../src/plan/reading/share.ts';

const problem = (path: string): ReadEntry => ({ type: 'problem', code: 'c', reason: 'r', location: { path } });

/** What one of `count` threads makes of an input with a shared file and some files of rows. */
function* read(index: number, count: number, filesPerTurn: number, inputs: readonly (readonly string[])[]) {
  const dealer = new Dealer({ index, count, filesPerTurn });
  for (const [input, files] of inputs.entries()) {
    const own = files.filter((path) => dealer.isOwn(path));
    yield* dealer.cut({
      input,
      entries: [problem('shared'), ...own.flatMap((path) => [problem(path), problem(path)])],
    });
    yield* dealer.endInput(input);
  }
}

async function* handedOn(lists: Iterable<EntryList>): AsyncGenerator<EntryList> {
  for (const list of lists) if (!list.isKnownOnly) yield list;
}

const places = (lists: readonly EntryList[]) =>
  lists.flatMap(({ input, entries }) =>
    entries.map((entry) => `${input} ${entry.type === 'problem' ? entry.location.path : ''}`),
  );

describe('inTurns()', () => {
  const inputs = [['a', 'b', 'c', 'd', 'e', 'f', 'g'], [], ['h'], ['i', 'j', 'k']];
  const wanted = inputs.flatMap((files, input) =>
    ['shared', ...files.flatMap((path) => [path, path])].map((path) => `${input} ${path}`),
  );

  it.each([
    [1, 1],
    [2, 1],
    [2, 3],
    [3, 2],
    [5, 1],
    [8, 9],
  ])('gets from %i threads with %i files a turn what one reads, in its order', async (count, filesPerTurn) => {
    const threads = Array.from({ length: count }, (_, index) => handedOn(read(index, count, filesPerTurn, inputs)));
    expect(places(await Array.fromAsync(inTurns(threads)))).toEqual(wanted);
  });

  it('tells the fault of a thread when it is its turn, and closes the others', async () => {
    const closed: string[] = [];
    const turns = async function* (name: string): AsyncGenerator<EntryList> {
      try {
        for (let input = 0; ; input++) yield { input, entries: [problem(name)], endsTurn: true };
      } finally {
        closed.push(name);
      }
    };
    const failing = async function* (): AsyncGenerator<EntryList> {
      yield* [];
      throw new Error('the disk is gone');
    };
    const seen: EntryList[] = [];
    const reading = async () => {
      for await (const list of inTurns([turns('first'), failing(), turns('last')])) seen.push(list);
    };
    await expect(reading()).rejects.toThrow('the disk is gone');
    expect(places(seen)).toEqual(['0 first']);
    expect(closed).toEqual(['first', 'last']);
  });
});
