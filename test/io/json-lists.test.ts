import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonArray } from '../../src/io/json/json-array.ts';
import { readJsonLists } from '../../src/io/json/json-lists.ts';
import { parsePointer } from '../../src/io/json/json-pointer.ts';
import { inChunks } from './chunks.ts';

const elements = async (text: string | Uint8Array, pattern: string, size?: number) =>
  (await Array.fromAsync(readJsonLists(inChunks(text, size), parsePointer(pattern)!))).flat();

/** `pointer: value` or `pointer: code scope: reason`. */
async function read(text: string | Uint8Array, pattern: string, size?: number): Promise<readonly string[]> {
  return (await elements(text, pattern, size)).map(({ pointer, value, error }) =>
    error ? `${pointer}: ${error.code} ${error.scope}: ${error.reason}` : `${pointer}: ${JSON.stringify(value)}`,
  );
}

describe('readJsonLists()', () => {
  it.each<readonly [what: string, pattern: string, text: string, entries: readonly string[]]>([
    ['a list at the top', '', '[1,{"a":2}]', ['/0: 1', '/1: {"a":2}']],
    ['an object of rows at the top', '', '{"-Na":{"a":1},"b/~":2}', ['/-Na: {"a":1}', '/b~1~0: 2']],
    [
      'a list inside',
      '/data/rows',
      '{"x":[1],"data":{"y":{},"rows":[1,2]},"rows":[3]}',
      ['/data/rows/0: 1', '/data/rows/1: 2'],
    ],
    ['a list behind an index', '/1/rows', '[{"rows":[1]},{"rows":[2]}]', ['/1/rows/0: 2']],
    ['every list', '/*/m', '[{"m":[1]},{"n":[0]},{"m":{"k":2}}]', ['/0/m/0: 1', '/2/m/k: 2']],
    ['lists of every key', '/rooms/*', '{"rooms":{"a":[1],"b":{"k":2}}}', ['/rooms/a/0: 1', '/rooms/b/k: 2']],
    [
      'lists whose keys are paths',
      '/r/*/s/r~1*~1m',
      '{"r":{"a":{"s":{"r/a/m":{"k":1},"r/a/n":[0],"r/b/c/m":[0]}}}}',
      ['/r/a/s/r~1a~1m/k: 1'],
    ],
    ['a list that is there twice', '/m', '{"m":[1],"m":[2]}', ['/m/0: 1', '/m/0: 2']],
    ['empty lists', '/*', '{"a":[],"b":{},"c":null}', []],
    ['an object without lists where any would do', '/*', '{}', []],
    ['a list behind hostile keys', '/__proto__/m', '{"constructor":1,"__proto__":{"m":[1]}}', ['/__proto__/m/0: 1']],
  ])('reads %s', async (_what, pattern, text, entries) => {
    for (const size of [1, 2, 3, 1000]) expect(await read(text, pattern, size)).toEqual(entries);
  });

  it('returns the place of a list and the values around it', async () => {
    const text = '{"page":1,"rooms":{"r7":{"name":"Lobby","open":null,"tags":["x"],"m":{"k":5},"later":1}}}';
    for (const size of [1, 7, 1000]) {
      const [element] = await elements(text, '/rooms/*/m', size);
      expect(element).toMatchObject({ key: 'k', list: { pointer: '/rooms/r7/m', wildcardKey: 'r7' } });
      const maps = element?.error ? [] : (element?.list.surroundings ?? []);
      expect(maps.map((map) => Object.fromEntries(map))).toEqual([{ name: 'Lobby', open: null }, {}, { page: 1 }]);
    }
  });

  it.each<readonly [what: string, pattern: string, text: string, entries: readonly string[]]>([
    [
      'a broken element',
      '/m',
      '{"m":[1,tru,3]}',
      ['/m/0: 1', '/m/1: syntax element: expected "true", found the end (byte 11)', '/m/2: 3'],
    ],
    [
      'a broken row of an object',
      '',
      '{"a":{"x" 1},"b":2}',
      ['/a: syntax element: expected ":", found "1" (byte 10)', '/b: 2'],
    ],
    [
      'nothing between commas',
      '',
      '[1,,2]',
      ['/0: 1', '/1: syntax element: expected a value, found "," (byte 3)', '/2: 2'],
    ],
    ['a comma at the end', '', '{"a":1,}', ['/a: 1', '/a: syntax element: expected a key, found "}" (byte 7)']],
    [
      'a missing comma',
      '',
      '[{} {},3]',
      ['/0: {}', '/1: syntax element: expected "," before it, found "{" (byte 4)', '/2: 3'],
    ],
    ['a missing value', '', '{"a":,"b":2}', ['/a: syntax element: expected a value, found "," (byte 5)', '/b: 2']],
    ['a broken key', '', '{"\\x":1,"b":2}', [': syntax element: expected an escape, found "x" (byte 3)', '/b: 2']],
    ['a missing colon', '', '{"a" 1,"b":2}', ['/a: syntax rest: expected ":", found "1" (byte 5)']],
    [
      'a missing comma in an object',
      '',
      '{"a":1 "b":2}',
      ['/a: 1', '/a: syntax rest: expected "," before it, found a quotation mark (byte 7)'],
    ],
    [
      'brackets that do not match',
      '/m',
      '{"m":[1,{"a":[}]}',
      ['/m/0: 1', '/m/1: syntax rest: expected another bracket, found "}" (byte 14)'],
    ],
    [
      'a wrong bracket between elements',
      '',
      '[1}',
      ['/0: 1', '/1: syntax rest: expected another bracket, found "}" (byte 2)'],
    ],
    [
      'a text instead of a list',
      '/m',
      '{"m":"x"}',
      [
        '/m: no-list element: expected an array or an object, found a string',
        ': no-list rest: there is no array and no object at "/m"',
      ],
    ],
    [
      'no list at all',
      '/data/m',
      '{"data":{"n":[]}}',
      [': no-list rest: there is no array and no object at "/data/m"'],
    ],
    ['no JSON', '', '<html>', [': no-list rest: expected an array or an object, found "<" (byte 0)']],
    ['an empty file', '', ' ', [': no-list rest: expected an array or an object, found nothing']],
    ['a second value', '', '[1] [2]', ['/0: 1', ': trailing rest: expected the end of the file, found "[" (byte 4)']],
    [
      'a file cut off in a row',
      '/m',
      '{"m":[1,{"a":',
      ['/m/0: 1', '/m/1: cut-off rest: the file ends inside this value'],
    ],
    ['a file cut off behind a row', '/m', '{"m":[1', ['/m/0: cut-off rest: the file ends inside this value']],
    [
      'a file cut off behind a list',
      '/m',
      '{"m":[1],"n"',
      ['/m/0: 1', '/n: cut-off rest: the file ends before its brackets are closed'],
    ],
  ])('reports %s, and yields the rest', async (_what, pattern, text, entries) => {
    for (const size of [1, 2, 3, 1000]) expect(await read(text, pattern, size)).toEqual(entries);
  });

  it('reads an array at the top as readJsonArray() does', async () => {
    const fragment = fc.constantFrom('[', ']', ',', '"', '1', 'nul', '"a"', '{"a":1}', '{"a":', '}', ' ');
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { maxLength: 12 }), async (parts) => {
        const text = `[${parts.join('')}]`;
        const outcome = ({ value, error }: { value?: unknown; error?: { code: string; scope: string } }) =>
          error ? `${error.code} ${error.scope}` : value;
        const expected = await Array.fromAsync(readJsonArray(inChunks(text)));
        expect((await elements(text, '')).map(outcome)).toEqual(expected.map(outcome));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the same for any bytes, however they are cut into chunks', async () => {
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
      '"m":',
      '"m"',
      '{"m":[1]}',
      '😀',
      '\n',
    );
    const bytes = fc.oneof(
      fc.array(fragment, { maxLength: 30 }).map((parts) => Buffer.from(`{"m":[${parts.join('')}`)),
      fc.uint8Array({ maxLength: 50 }).map((array) => Buffer.from(array)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom('', '/m', '/*', '/*/m'), async (text, pattern) => {
        const whole = await read(text, pattern);
        for (let size = 1; size <= Math.min(text.length, 8); size += 1) {
          expect(await read(text, pattern, size)).toEqual(whole);
        }
        expect(whole.filter((entry) => / rest: /.test(entry)).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });
});

it('readJsonLists() reads consecutive arrays as one, if asked to', async () => {
  const read = async (text: string, pattern: readonly string[] = []) => {
    const found: string[] = [];
    for await (const elements of readJsonLists([Buffer.from(text)] as never, pattern, { takesArraysBehind: true }))
      found.push(...elements.map(({ pointer, value, error }) => `${pointer} ${error?.code ?? String(value)}`));
    return found;
  };
  expect(await read('[1] [2,3]\n[]')).toEqual(['/0 1', '/1 2', '/2 3']);
  expect(await read('[1]{}')).toEqual(['/0 1', ' trailing']);
  expect(await read('{"a":1}[2]')).toEqual(['/a 1', ' trailing']);
  expect(await read('[1][2')).toEqual(['/0 1', '/1 cut-off']);
});

it('readJsonLists() reports empty lists, if asked to', async () => {
  const text = '{"rooms":[{"id":1,"m":[]},{"id":2,"m":[7]},{"id":3,"m":[ ]}]}';
  for (const [tellsEmptyLists, wanted] of [
    [true, ['/rooms/0/m empty 1', '/rooms/1/m/0 7 2', '/rooms/2/m empty 3']],
    [false, ['/rooms/1/m/0 7 2']],
  ] as const) {
    const told: string[] = [];
    for await (const elements of readJsonLists([Buffer.from(text)] as never, ['rooms', '*', 'm'], {
      tellsEmptyLists,
    })) {
      for (const one of elements) {
        if (one.error) throw new Error(one.error.reason);
        told.push(
          `${one.pointer} ${one.isEmptyList ? 'empty' : String(one.value)} ${String(one.list.surroundings[0]!.get('id'))}`,
        );
      }
    }
    expect(told).toEqual(wanted);
  }
});
