import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonOptions } from '../../src/io/json/json-element.ts';
import { readJsonLines } from '../../src/io/json/json-lines.ts';
import { inChunks } from './chunks.ts';

/** `line: value` or `line: code scope: reason`. */
async function read(text: string | Uint8Array, options: JsonOptions = {}, size?: number): Promise<readonly string[]> {
  const values = (await Array.fromAsync(readJsonLines(inChunks(text, size), options))).flat();
  return values.map(({ line, value, error }) =>
    error ? `${line}: ${error.code} ${error.scope}: ${error.reason}` : `${line}: ${JSON.stringify(value)}`,
  );
}

describe('readJsonLines()', () => {
  it('yields each value with its line, and passes over blank ones', async () => {
    const text = '\ufeff{"a":1}\n\r\n \t\n[2]\r\n"three"\n4';
    for (const size of [1, 2, 3, 1000]) {
      expect(await read(text, {}, size)).toEqual(['1: {"a":1}', '4: [2]', '5: "three"', '6: 4']);
    }
  });

  it('yields nothing for an empty file', async () => {
    for (const text of ['', '\n', '\ufeff', ' \r\n\n']) expect(await read(text)).toEqual([]);
  });

  it.each<readonly [what: string, text: string, entries: readonly string[]]>([
    [
      'a word that is none',
      '1\ntru\n3',
      ['1: 1', '2: syntax element: expected "true", found the end (byte 5)', '3: 3'],
    ],
    [
      'an open quotation mark',
      '{"a":"x}\n2',
      ['1: syntax element: expected the end of a string, found the end (byte 8)', '2: 2'],
    ],
    ['brackets that do not match', '{"a":[}\n2', ['1: syntax element: expected a value, found "}" (byte 6)', '2: 2']],
    ['a file cut off in a value', '1\n{"a":', ['1: 1', '2: cut-off rest: the file ends inside this value']],
    ['a broken last line', '1\n{"a" 1}', ['1: 1', '2: syntax element: expected ":", found "1" (byte 7)']],
    ['several values on a line', '{"a":1}{"a":2} {"a":3},\n4', ['1: {"a":1}', '1: {"a":2}', '1: {"a":3}', '2: 4']],
    [
      'several values, one of them broken',
      '{"a":1}{"a":tru}\n4',
      ['1: syntax element: expected the end, found "{" (byte 7)', '2: 4'],
    ],
  ])('reports %s, and yields the rest', async (_what, text, entries) => {
    for (const size of [1, 2, 3, 1000]) expect(await read(text, {}, size)).toEqual(entries);
  });

  it('takes bytes that are not UTF-8 as an error of their line', async () => {
    const text = Buffer.concat([Buffer.from('"ä"\n"'), Buffer.from([0xff]), Buffer.from('"\n"ö"\n')]);
    for (const size of [1, 4, 1000]) {
      expect(await read(text, {}, size)).toEqual(['1: "ä"', '2: encoding element: it is not valid UTF-8', '3: "ö"']);
    }
  });

  it('rejects lines that are too long, and continues after them', async () => {
    const text = `1\n"${'x'.repeat(100)}"\n3`;
    for (const size of [1, 10, 1000]) {
      expect(await read(text, { elementBytesMax: 101 }, size)).toEqual([
        '1: 1',
        '2: too-large element: it has 102 bytes, more than 101',
        '3: 3',
      ]);
    }
  });

  it('refuses lines that are nested too deep', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const tooDeep = 'too-deep element: it is nested deeper than 64 levels';
    expect(await read(`${nested(65)}\n${nested(64)}`)).toEqual([`1: ${tooDeep}`, `2: ${nested(64)}`]);
  });

  it('keeps every digit of numbers that a number cannot hold', async () => {
    expect(await read('{"id":175928847299117063}\n{"id":1e400}')).toEqual([
      '1: {"id":"175928847299117063"}',
      '2: {"id":"1e400"}',
    ]);
  });

  it('reads UTF-16', async () => {
    const bytes = Buffer.from('\ufeff{"a":"ä😀"}\n{"b":1}\n', 'utf16le');
    for (const size of [1, 3, 1000]) expect(await read(bytes, {}, size)).toEqual(['1: {"a":"ä😀"}', '2: {"b":1}']);
  });

  it('throws what its source throws, after everything that came before', async () => {
    const fault = new Error('the checksum is wrong');
    async function* chunks() {
      yield Buffer.from('1\n2\n3');
      throw fault;
    }
    const values: unknown[] = [];
    const reading = (async () => {
      for await (const list of readJsonLines(chunks())) values.push(...list.map(({ value }) => value));
    })();
    await expect(reading).rejects.toBe(fault);
    expect(values).toEqual([1, 2]);
  });

  it('gives any values back, however the bytes are cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 40 }), async (values, size) => {
        const lines = values.map((value) => JSON.stringify(value));
        const entries = lines.map((line, index) => `${index + 1}: ${JSON.stringify(JSON.parse(line))}`);
        expect(await read(lines.join('\n'), { bigIntegersAsStrings: false }, size)).toEqual(entries);
      }),
    );
  });

  it('gives the same for any bytes, however they are cut into chunks', async () => {
    const fragment = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', ' ', '1', '\n', '\r', '{"a":1}', '😀');
    const bytes = fc.oneof(
      fc.array(fragment, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))),
      fc.uint8Array({ maxLength: 50 }).map((array) => Buffer.from(array)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (text) => {
        const whole = await read(text);
        for (let size = 1; size <= Math.min(text.length, 8); size += 1)
          expect(await read(text, {}, size)).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });
});
