import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readJsonLists } from '../../src/io/json/json-lists.ts';
import { testSeed } from '../seed.ts';
import { inChunks } from './chunks.ts';
import { anyCharacter } from '../arbitrary-text.ts';

const read = async (text: string, size?: number) =>
  (await Array.fromAsync(readJsonLists(inChunks(text, size), ['rows']))).flat();

/** One by one: no chunk holds two. */
const oneByOne = (text: string) => read(text, 5);

it('elements that are read by the many are those that are read one by one, whatever is wrong with some', async () => {
  const row = fc.oneof(
    { weight: 6, arbitrary: fc.record({ id: fc.nat(), text: fc.string({ unit: anyCharacter }), in: fc.jsonValue() }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom({ id: 1, in: [{ id: 1 }, { id: 2 }] }, [], {}, null, 'a', { x: '},{"id"' }),
    },
  );
  const piece = fc.oneof(
    { weight: 8, arbitrary: row.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('{"id":9007199254740993}', '{"id" 1}', '{"id":1}}', '', '{"id":"\ud800"}'),
    },
  );
  const between = fc.constantFrom(',', ',\n  ', ' ', '\n, ');
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 12 }),
      between,
      fc.integer({ min: 20, max: 400 }),
      async (pieces, sep, size) => {
        const text = `{"name":"x","rows":[${pieces.join(sep)}],"after":[{"id":1},{"id":2}]}`;
        const expected = await oneByOne(text);
        expect(await read(text)).toEqual(expected);
        expect(await read(text, size)).toEqual(expected);
      },
    ),
    { seed: testSeed, numRuns: 12 },
  );
});

it('a list whose row ends cannot be guessed takes linear time', async () => {
  // One chunk of 4 MB. Parsing the rest of it for every row would not end within the test's timeout.
  const rows = Array.from({ length: 80_000 }, (_, id) => ({ id, in: [{ id }, { id: id + 1 }] }));
  const text = JSON.stringify({ rows });
  const found = await read(text, text.length);
  expect(JSON.stringify({ rows: found.map(({ value }) => value) }) === text).toBe(true);
});
