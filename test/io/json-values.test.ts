import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readJsonValues } from '../../src/io/json/json-values.ts';
import { inChunks } from './chunks.ts';

/** `line: value` or `line: code scope: reason`. */
async function read(text: string | Uint8Array, size?: number): Promise<readonly string[]> {
  const values = (await Array.fromAsync(readJsonValues(inChunks(text, size)))).flat();
  return values.map(({ line, value, error }) =>
    error ? `${line}: ${error.code} ${error.scope}: ${error.reason}` : `${line}: ${JSON.stringify(value)}`,
  );
}

describe('readJsonValues()', () => {
  it.each<readonly [what: string, text: string, entries: readonly string[]]>([
    ['nothing', ' \n', []],
    ['values without anything between', '{"a":1}{"b":[2]}[3]"x"', ['1: {"a":1}', '1: {"b":[2]}', '1: [3]', '1: "x"']],
    ['values over several lines', '{\n"a":\n1}\n\n{"b":\n2}\n', ['1: {"a":1}', '5: {"b":2}']],
    ['words and numbers', '1 true\nnull -2.5', ['1: 1', '1: true', '2: null', '2: -2.5']],
    ['commas and record separators', '{"a":1},\n{"a":2},\n\u001e{"a":3}\n', ['1: {"a":1}', '2: {"a":2}', '3: {"a":3}']],
    ['a broken value', '{"a" 1}\n{"a":2}', ['1: syntax element: expected ":", found "1" (byte 5)', '2: {"a":2}']],
    [
      'a bracket too many',
      '{"a":1}}\n2',
      ['1: {"a":1}', '1: syntax element: expected a value, found "}" (byte 7)', '2: 2'],
    ],
    [
      'brackets that do not match',
      '1\n{"a":[}\n2',
      ['1: 1', '2: syntax rest: expected another bracket, found "}" (byte 8)'],
    ],
    ['a file cut off in a value', '1\n{"a":\n', ['1: 1', '2: cut-off rest: the file ends inside this value']],
    ['a file cut off in a string', '"a', ['1: cut-off rest: the file ends inside this value']],
  ])('reads %s', async (_what, text, entries) => {
    for (const size of [1, 2, 3, 1000]) expect(await read(text, size)).toEqual(entries);
  });

  it('reads each byte of a long line only a few times', async () => {
    // One chunk of 21 MB. Going through the rest of it for every value would not end within the test's timeout.
    const value = `{"a":"${'x'.repeat(200)}"}`;
    const text = value.repeat(100_000);
    expect((await read(text, text.length)).length).toBe(100_000);
  });

  it('searches each byte of a long line for line feeds once', async () => {
    let searched = 0;
    const { indexOf } = Buffer.prototype;
    const spy = vi.spyOn(Buffer.prototype, 'indexOf').mockImplementation(function (this: Buffer, value, from) {
      const found = indexOf.call(this, value, from);
      searched += (found === -1 ? this.length : found + 1) - Number(from ?? 0);
      return found;
    });
    onTestFinished(() => spy.mockRestore());
    const text = '{"a":1}'.repeat(2000);
    expect((await read(text, text.length)).length).toBe(2000);
    expect(searched).toBeGreaterThan(text.length / 2);
    expect(searched).toBeLessThanOrEqual(text.length);
  });

  it('gives the same for any bytes, however they are cut into chunks', async () => {
    const fragment = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', ' ', '1', '\n', 'true', '{"a":1}', '😀');
    const bytes = fc.oneof(
      fc.array(fragment, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))),
      fc.uint8Array({ maxLength: 50 }).map((array) => Buffer.from(array)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (text) => {
        const whole = await read(text);
        for (let size = 1; size <= Math.min(text.length, 8); size += 1) expect(await read(text, size)).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });
});
