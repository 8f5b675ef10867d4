import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonElement, parseJsonArrayFile, readJsonArray } from '../../src/io/json/json-array.ts';
import type { JsonOptions } from '../../src/io/json/json-element.ts';

/** The bytes in chunks of `size`. */
async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array, options: JsonOptions = {}, size = 1 << 16): Promise<JsonElement[]> {
  const elements: JsonElement[] = [];
  for await (const element of readJsonArray(inChunks(Buffer.from(text), size), options)) elements.push(element);
  return elements;
}

/** Values as JSON, errors as `code scope: reason`. */
function inShort(elements: readonly JsonElement[]): string[] {
  return elements.map(({ value, error }) =>
    error ? `${error.code} ${error.scope}: ${error.reason}` : JSON.stringify(value),
  );
}

/** Reads the whole file at once, with the result in the same form. */
function readWhole(text: string | Uint8Array, options: JsonOptions = {}): readonly JsonElement[] | readonly unknown[] {
  const result = parseJsonArrayFile(Buffer.from(text), options);
  return result.ok ? result.value : result.elements;
}

describe('readJsonArray()', () => {
  it('yields each element with its index', async () => {
    expect(await read(' [ {"a": [1, "]"]} ,\n "x\\"," , -1.5e3,true,null ]\r\n')).toEqual([
      { index: 0, value: { a: [1, ']'] } },
      { index: 1, value: 'x",' },
      { index: 2, value: -1500 },
      { index: 3, value: true },
      { index: 4, value: null },
    ]);
  });

  it('yields nothing for an empty array', async () => {
    for (const text of ['[]', ' [ ] ', '\ufeff[]', '[\n]\n']) expect(await read(text)).toEqual([]);
  });

  it.each<readonly [what: string, text: string, entries: readonly string[]]>([
    ['a word that is none', '[1,tru,3]', ['1', 'syntax element: expected "true", found the end (byte 6)', '3']],
    ['a missing colon', '[{"a" 1},2]', ['syntax element: expected ":", found "1" (byte 6)', '2']],
    ['a comma before a brace', '[{"a":1,},2]', ['syntax element: expected a key, found "}" (byte 8)', '2']],
    ['a number with a zero in front', '[01,2]', ['syntax element: expected the end, found "1" (byte 2)', '2']],
    [
      'a line break inside a string',
      '["a\nb",2]',
      ['syntax element: expected the end of a string, found byte 0x0a (byte 3)', '2'],
    ],
    ['an unknown escape', '["a\\x",2]', ['syntax element: expected an escape, found "x" (byte 4)', '2']],
    ['nothing between commas', '[1,,2]', ['1', 'syntax element: expected a value, found "," (byte 3)', '2']],
    ['a comma at the end', '[1,]', ['1', 'syntax element: expected a value, found "]" (byte 3)']],
    [
      'a missing comma',
      '[{"a":1} {"b":2},3]',
      ['{"a":1}', 'syntax element: expected "," before it, found "{" (byte 9)', '3'],
    ],
    [
      'brackets that do not match',
      '[1,{"a":[2}],3]',
      ['1', 'syntax rest: expected another bracket, found "}" (byte 10)'],
    ],
    ['a brace too many', '[{"a":1}},2]', ['{"a":1}', 'syntax rest: expected another bracket, found "}" (byte 8)']],
    ['an object', '{"a":1}', ['not-an-array rest: expected an array, found an object']],
    ['a string', '"a"', ['not-an-array rest: expected an array, found a string']],
    ['a number', '-1', ['not-an-array rest: expected an array, found a number']],
    ['a web page', '<html>', ['not-an-array rest: expected an array, found "<" (an HTML page?)']],
    ['nothing', '', ['not-an-array rest: expected an array, found nothing']],
    ['white space', ' \n', ['not-an-array rest: expected an array, found nothing']],
    ['two arrays', '[1][2]', ['1', 'trailing rest: expected the end of the file behind its array, found "["']],
    ['a file cut off in an element', '[1,{"a":', ['1', 'cut-off rest: the file ends inside this element']],
    ['a file cut off in a string', '[1,"a\\', ['1', 'cut-off rest: the file ends inside this element']],
    [
      'a file cut off in a number, which may have gone on',
      '[1,12',
      ['1', 'cut-off rest: the file ends inside this element'],
    ],
    ['a file cut off behind an element', '[1,{}', ['1', '{}', 'cut-off rest: the file ends before its array does']],
    ['a file cut off behind a comma', '[1,', ['1', 'cut-off rest: the file ends before its array does']],
    ['a file cut off at its beginning', '[', ['cut-off rest: the file ends before its array does']],
    ['a missing quotation mark', '[{"a":"x},{"b":"y"}]', ['cut-off rest: the file ends inside this element']],
  ])('reports %s, and yields the rest', async (_what, text, entries) => {
    expect(inShort(await read(text))).toEqual(entries);
    expect(inShort(readWhole(text) as JsonElement[])).toEqual(entries);
    for (const size of [1, 2, 3]) expect(await read(text, {}, size)).toEqual(await read(text));
  });

  it('never shows more than one character of the text', async () => {
    for (const text of ['[{"secret": hunter2}]', '[hunter2 hunter2]', '{"hunter2":1}', 'hunter2', '[{"a":"hunter2]']) {
      for (const entry of inShort(await read(text))) expect(entry).not.toContain('hunter');
    }
  });

  it('gives errors the index of their element', async () => {
    expect(await read('[1, tru, {"a":')).toMatchObject([
      { index: 0 },
      { index: 1, error: { scope: 'element' } },
      { index: 2, error: { scope: 'rest' } },
    ]);
  });

  it('takes bytes that are not UTF-8 as an error of their element', async () => {
    for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0x80]]) {
      const text = Buffer.concat([Buffer.from('["ä","'), Buffer.from(bad), Buffer.from('","ö"]')]);
      expect(inShort(await read(text))).toEqual(['"ä"', 'encoding element: it is not valid UTF-8', '"ö"']);
    }
  });

  it('keeps escapes of half a surrogate pair, which JSON allows', async () => {
    expect(await read('["\\ud800"]')).toMatchObject([{ value: '\ud800' }]);
  });

  it('counts a byte order mark in offsets, and does not read it', async () => {
    for (const size of [1, 2, 3, 100]) {
      expect(await read('\ufeff[1]', {}, size)).toEqual([{ index: 0, value: 1 }]);
    }
  });

  it('reads UTF-16 with a byte order mark', async () => {
    const text = '\ufeff[{"a":"ä東😀"},"\\u0000"]';
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big]) {
      expect(readWhole(bytes)).toEqual([{ a: 'ä東😀' }, '\0']);
      for (const size of [1, 2, 3, 5, 100])
        expect(inShort(await read(bytes, {}, size))).toEqual(['{"a":"ä東😀"}', '"\\u0000"']);
    }
  });

  it('takes half a surrogate pair in UTF-16 as an error of its element', async () => {
    const bytes = Buffer.from('\ufeff["a\ud800","\udc00b","😀"]', 'utf16le');
    const wrong = 'encoding element: it is not valid UTF-8';
    for (const size of [1, 2, 7, 100]) expect(inShort(await read(bytes, {}, size))).toEqual([wrong, wrong, '"😀"']);
    const torn = Buffer.from('\ufeff["a"]', 'utf16le').subarray(0, -1);
    expect(inShort(await read(torn))).toEqual(['"a"', 'cut-off rest: the file ends inside this element']);
  });

  it('rejects elements that are nested too deep, and continues after them', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const text = `[${nested(64)},${nested(65)},${'{"a":'.repeat(100)}1${'}'.repeat(100)},2]`;
    const tooDeep = 'too-deep element: it is nested deeper than 64 levels';
    const expected = [nested(64), tooDeep, tooDeep, '2'];
    expect(inShort(await read(text))).toEqual(expected);
    expect(inShort(readWhole(text) as JsonElement[])).toEqual(expected);
    expect(inShort(await read(`[[1],[[1]]]`, { depthMax: 1 }))).toEqual([
      '[1]',
      'too-deep element: it is nested deeper than 1 levels',
    ]);
    expect(readWhole(`[${nested(64)}]`)).toEqual([JSON.parse(nested(64))]);
  });

  it('rejects elements that are too large, and continues after them', async () => {
    const text = `[1,"${'x'.repeat(1000)}",2]`;
    const expected = ['1', 'too-large element: it has more than 1,001 bytes', '2'];
    for (const size of [1, 100, 10_000])
      expect(inShort(await read(text, { elementBytesMax: 1001 }, size))).toEqual(expected);
    expect(inShort(readWhole(text, { elementBytesMax: 1001 }) as JsonElement[])).toEqual(expected);
    expect((await read(text, { elementBytesMax: 1002 })).length).toBe(3);
  });

  it('keeps every digit of integers that a number cannot hold', async () => {
    const text =
      '[9007199254740991,9007199254740992,-1234567890123456789,{"id":[1234567890123456789]},1e20,0.1,12345678901234567.5]';
    const expected = [
      9007199254740991,
      '9007199254740992',
      '-1234567890123456789',
      { id: ['1234567890123456789'] },
      1e20,
      0.1,
      12345678901234568,
    ];
    expect((await read(text)).map(({ value }) => value)).toEqual(expected);
    expect(readWhole(text)).toEqual(expected);
    expect((await read(text, { bigIntegersAsStrings: false }))[2]?.value).toBe(-1234567890123456800);
  });

  it('takes __proto__ as a key like any other', async () => {
    for (const text of ['[{"__proto__":{"isAdmin":true}}]', '[{"__proto__":{"id":1234567890123456789}}]']) {
      const [value] = readWhole(text) as [object];
      expect(Object.keys(value)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });

  it('throws what its source throws, after everything that came before', async () => {
    const fault = new Error('the checksum is wrong');
    async function* chunks() {
      yield Buffer.from('[1,2,{"a"');
      throw fault;
    }
    const values: unknown[] = [];
    const reading = (async () => {
      for await (const { value } of readJsonArray(chunks())) values.push(value);
    })();
    await expect(reading).rejects.toBe(fault);
    expect(values).toEqual([1, 2]);
  });

  it('closes its source when it is left early, and when nothing more can be read', async () => {
    let closed = 0;
    async function* chunks(text: string) {
      try {
        for (;;) yield Buffer.from(text);
      } finally {
        closed += 1;
      }
    }
    for await (const _element of readJsonArray(chunks('[1,'))) break;
    expect(closed).toBe(1);
    expect((await Array.fromAsync(readJsonArray(chunks('[}')))).length).toBe(1);
    expect(closed).toBe(2);
  });

  it('gives the same elements however the bytes are cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 40 }), async (values, size) => {
        const plain = JSON.parse(JSON.stringify(values)) as unknown[];
        for (const text of [JSON.stringify(values), JSON.stringify(values, null, 2)]) {
          const elements = await read(text, { bigIntegersAsStrings: false }, size);
          expect(elements.map(({ value, error }) => error ?? value)).toEqual(plain);
          expect(readWhole(text, { bigIntegersAsStrings: false })).toEqual(plain);
        }
      }),
    );
  });

  it('gives the same elements and errors for any bytes, however they are cut into chunks', async () => {
    const fragment = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      '\\',
      ' ',
      '1',
      'true',
      '"a"',
      '{"a":1}',
      '😀',
      '\n',
    );
    const bytes = fc.oneof(
      fc.array(fragment, { maxLength: 30 }).map((parts) => Buffer.from(`[${parts.join('')}`)),
      fc.uint8Array({ maxLength: 50 }).map((array) => Buffer.from(array)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (text) => {
        const whole = await read(text);
        for (let size = 1; size <= Math.min(text.length, 8); size += 1)
          expect(await read(text, {}, size)).toEqual(whole);
        expect(whole.filter(({ error }) => error?.scope === 'rest').length).toBeLessThanOrEqual(1);
        expect(whole.map(({ index }) => index)).toEqual(whole.map((_, index) => index));
      }),
      { numRuns: 500 },
    );
  });

  it('reads a file as a whole as it reads it in chunks', async () => {
    const fragment = fc.constantFrom('[', ']', ',', '"', '1', 'nul', '"a"', '{"a":1}', '{"a":', '}', ' ');
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { maxLength: 12 }), async (parts) => {
        const text = `[${parts.join('')}]`;
        const result = parseJsonArrayFile(Buffer.from(text));
        const elements = await read(text);
        if (result.ok) expect(elements.map(({ value, error }) => error ?? value)).toEqual(result.value);
        else expect(elements).toEqual(result.elements);
        expect(result.ok).toBe(elements.every(({ error }) => error === undefined));
      }),
      { numRuns: 1000 },
    );
  });
});
