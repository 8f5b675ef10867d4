import { describe, expect, it } from 'vitest';
import { readJsonLines } from '../../src/io/json/json-lines.ts';

async function read(text: string, chunkBytes = 7) {
  async function* chunks() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += chunkBytes) yield Buffer.from(bytes.subarray(at, at + chunkBytes));
  }
  return (await Array.fromAsync(readJsonLines(chunks()))).flat();
}

describe('a line break that is written as it is', () => {
  it.each([
    ['{"a":"one\ntwo"}\n{"b":1}\n', 'one\ntwo'],
    ['{"a":"one\r\ntwo"}\r\n{"b":1}\r\n', 'one\ntwo'],
    ['{"a":"one\n\n{\ntwo"}\n{"b":1}\n', 'one\n\n{\ntwo'],
  ])('belongs to the text: %j', async (text, value) => {
    const rows = await read(text);
    expect(rows[0]).toEqual({ line: 1, value: { a: value } });
    expect(rows[1]).toMatchObject({ value: { b: 1 } });
    expect(rows).toHaveLength(2);
  });

  it('a line that is cut costs itself alone', async () => {
    const rows = await read('{"a":"one\n{"b":1}\n{"c":"x\n5\n{"d":1}\n');
    expect(rows.map(({ line, error }) => [line, error?.code])).toEqual([
      [1, 'syntax'],
      [2, undefined],
      [3, 'syntax'],
      [4, undefined],
      [5, undefined],
    ]);
  });

  it('a file that ends inside a string is cut off there', async () => {
    const rows = await read('{"b":1}\n{"a":"one');
    expect(rows[1]).toMatchObject({ line: 2, error: { code: 'cut-off' } });
  });

  it('is looked for in 64 lines and no more, and each of them is a fault then', async () => {
    const rows = await read(`{"a":"x\n${'y\n'.repeat(200)}{"b":1}\n`, 1000);
    expect(rows.at(-1)).toEqual({ line: 202, value: { b: 1 } });
    expect(rows).toHaveLength(202);
  });
});
