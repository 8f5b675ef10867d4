import { describe, expect, it } from 'vitest';
import { readJsonLists } from '../../src/io/json/json-lists.ts';
import { parsePointer } from '../../src/io/json/json-pointer.ts';
import { UnreadLists } from '../../src/io/json/unread-lists.ts';
import { inChunks } from './chunks.ts';

const row = { user: 'ines', text: 'a "}" and a \\', ts: 1 };

/** Returns the counts if the first of the patterns is scanned and all are read, for chunks of any size. */
async function unreadIn(value: unknown, ...patterns: readonly string[]) {
  const [first, ...others] = await Promise.all(
    [1, 5, 10_000].map(async (size) => {
      const unread = new UnreadLists(patterns.map((pattern) => parsePointer(pattern)!));
      const chunks = inChunks(JSON.stringify(value), size);
      await Array.fromAsync(readJsonLists(chunks, parsePointer(patterns[0]!)!, { unread }));
      return Object.fromEntries(unread.list().map(({ place, count }) => [place, count]));
    }),
  );
  for (const other of others) expect(other).toEqual(first);
  return first;
}

describe('UnreadLists', () => {
  it.each<readonly [what: string, value: object, patterns: readonly string[], counts: object]>([
    ['nothing where everything is read', { m: [row], page: 1 }, ['/m'], {}],
    ['another list', { m: [row], old: [row, row] }, ['/m'], { '/old': 2 }],
    ['a branch of rooms', { m: { a: [row] }, old: { a: { k: row, l: row }, b: [null, row] } }, ['/m/*'], { '/old': 3 }],
    ['a room beside the one that is named', { m: { a: [row], b: [row] } }, ['/m/a'], { '/m/b': 1 }],
    [
      'many rooms beside the one that is named, together',
      { m: { a: [row], b: [row], c: [row], d: [row], e: [row] } },
      ['/m/a'],
      { '/m/*': 4 },
    ],
    ['no list of another table', { users: [row], m: [row] }, ['/m', '/users'], {}],
    [
      'what stands beside such a list',
      { data: { users: [row], groups: [row] }, m: [row] },
      ['/m', '/data/users'],
      { '/data/groups': 1 },
    ],
    [
      'lists inside rooms, of all together',
      {
        r: [
          { m: [row], who: [row] },
          { m: [], who: [row] },
        ],
      },
      ['/r/*/m'],
      { '/r/*/who': 2 },
    ],
    [
      'lists beside one whose key is a path',
      { r: { a: { s: { 'r/a/m': [row], 'r/a/who': [row] } }, b: { s: { 'r/b/who': [row] } } } },
      ['/r/*/s/r~1*~1m'],
      { '/r/*/s/r~1*~1who': 2 },
    ],
    ['nothing inside rows that are read', { r: [{ m: [row], who: [row] }] }, ['/r/*/m', '/r'], {}],
    ['no rows inside of rows', { m: [row], old: [{ ...row, files: [row, row] }] }, ['/m'], { '/old': 1 }],
    ['no single objects and links', { m: [row], meta: { page: 1, size: 2, next: { href: 'x' } } }, ['/m'], {}],
  ])('counts %s', async (_what, value, patterns, counts) => {
    expect(await unreadIn(value, ...patterns)).toEqual(counts);
  });

  it('counts lists that are in a row, but no part of it', async () => {
    const patterns = [['r', '*', 'm'], ['r']];
    const unread = new UnreadLists(patterns, (inRow) => inRow.includes('who'));
    const chunks = inChunks(JSON.stringify({ r: [{ m: [row], who: [row], tags: [row] }] }), 5);
    await Array.fromAsync(readJsonLists(chunks, patterns[0]!, { unread }));
    expect(unread.list()).toEqual([{ place: '/r/*/who', count: 1 }]);
  });

  it('distinguishes a limited number of places', async () => {
    const branch = (name: string) => [`${name}`, [row]] as const;
    const value = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => branch(`b${index}`)));
    expect(await unreadIn({ m: [row], ...value }, '/m')).toEqual({ '/*': 5000 });
  });

  it('counts the lists found in a truncated file', async () => {
    const unread = new UnreadLists([['m']]);
    const text = JSON.stringify({ m: [row], old: [row, row] }).slice(0, -3);
    await Array.fromAsync(readJsonLists(inChunks(text, 7), ['m'], { unread }));
    expect(unread.list()).toEqual([{ place: '/old', count: 2 }]);
  });
});
