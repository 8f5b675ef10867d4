import { expect, it } from 'vitest';
import { drawPicture } from '../../src/decisions/reading/picture.ts';
import { nothingBeside, type ReadingResult } from '../../src/model/reading-result.ts';

const result: ReadingResult = {
  ...{ messages: 1000, invalid: 4, skipped: [{ name: 'only: kind', count: 196 }] },
  people: {
    ...{ described: 60, wrote: 50, top: [{ name: 'Ann Berg', count: 90 }], once: 2, unknown: 7, nobody: 0, twice: 0 },
    names: { name: 50, id: 0, hash: 0, mail: 0, local: 0 },
  },
  conversations: { count: 100, ofTwo: 90, top: [], oneMessage: 10, oneWriter: 12, voice: null },
  times: { firstMs: 0, lastMs: 60_000, outside: 0, againstIds: 0, ordered: 999 },
  texts: { looked: 1000, cipher: 0 },
  copies: { count: 0, isExact: true },
};

it('drawPicture() shows numbers also where a long query is bound', () => {
  const query = `SELECT ${'a_long_name, '.repeat(20)} id FROM messages`;
  const options = { tables: { messages: { query }, users: { query }, conversations: { query } } };
  const tables = { read: {}, others: {} };
  const lines = Object.fromEntries(drawPicture({ options, tables, words: {} }, result, nothingBeside));
  expect(lines.Messages).toContain(': 1,200 rows → 1,000 messages; 196 left out, 4 cannot be');
  expect(lines['Written by']).toContain('50 people; 7');
  expect(lines.In).toContain('100 conversations; 90 of two people, 10 with one message, 12 ');
});
