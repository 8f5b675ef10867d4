import { expect, it } from 'vitest';
import { inChunks } from '../../../../src/sources/kit/files/file-bytes.ts';
import { type JsonRowsAt, readJsonRows } from '../../../../src/sources/kit/rows/json-rows.ts';

const rowsOf = async (text: string, at: JsonRowsAt) =>
  (await Array.fromAsync(readJsonRows(inChunks(Buffer.from(text), 7), 'a', at))).flat();

it('readJsonRows() gives rows with their places, and keeps every digit of an id', async () => {
  expect(await rowsOf('{"id":1091011121314151617}\n{"id":2}', { layout: 'lines' })).toEqual([
    { location: { path: 'a', line: 1 }, value: { id: '1091011121314151617' } },
    { location: { path: 'a', line: 2 }, value: { id: 2 } },
  ]);
  const [row] = await rowsOf('{"rooms":{"x":{"messages":[{"id":1}]}}}', {
    layout: 'list',
    pattern: ['rooms', '*', 'messages'],
  });
  expect(row).toMatchObject({
    location: { path: 'a', pointer: '/rooms/x/messages/0' },
    value: { id: 1 },
    parentKey: 'x',
  });
});

it('readJsonRows() has a fault in the place of what cannot be read', async () => {
  const faults = (await rowsOf('[{"a":1},{"a":},{"a":2},{"a"', { layout: 'list', pattern: [] })).map(
    ({ fault, location }) => fault && `${location.pointer} ${fault.code} ${fault.scope} ${fault.reason.slice(0, 36)}`,
  );
  expect(faults).toEqual([
    undefined,
    '/1 json-syntax row Cannot read this row: expected a val',
    undefined,
    '/3 json-cut-off rest Cannot read the file from here on: t',
  ]);
  expect(await rowsOf('5', { layout: 'list', pattern: [] })).toMatchObject([{ location: { path: 'a' } }]);
});

it('readJsonRows() finds rows in the lists of each line, and takes a line without one as a row', async () => {
  const text = '{"data":{"rows":[{"id":1},2],"more":null}}\n{"id":3}\nx\n';
  expect(await rowsOf(text, { layout: 'lists-on-lines', pattern: ['data', '*'] })).toMatchObject([
    { location: { path: 'a', line: 1, pointer: '/data/rows/0' }, value: { id: 1 }, parentKey: 'rows' },
    { location: { path: 'a', line: 1, pointer: '/data/rows/1' }, value: 2, parentKey: 'rows' },
    { location: { path: 'a', line: 2 }, value: { id: 3 } },
    { location: { path: 'a', line: 3 }, fault: { scope: 'row' } },
  ]);
});

it('readJsonRows() takes a line with other lists than those with a key as a row, and one with empty lists as none', async () => {
  const text = '{"rows":[{"id":1}],"old":[{"id":2}]}\n{"rows":[]}\n{"id":3,"parts":[{"id":4}]}';
  const rows = await rowsOf(text, { layout: 'lists-on-lines', pattern: ['*'], keys: ['rows'] });
  expect(rows.map(({ value }) => (value as { id: number }).id)).toEqual([1, 2, 3]);
});
