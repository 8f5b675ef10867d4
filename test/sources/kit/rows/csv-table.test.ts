import { expect, it } from 'vitest';
import { readCsvTable } from '../../../../src/sources/kit/rows/csv-table.ts';
import { memoryInput } from '../../../contracts/memory-input.ts';

const read = async (text: string) =>
  (await Array.fromAsync(readCsvTable(memoryInput({ 'a.csv': text }), 'a.csv', (name) => name !== 'internal')))
    .flat()
    .map(({ location, cell, fault }) => [location.line, fault ?? ['id', 'text', 'none'].map(cell)]);

it('readCsvTable() gives the cells of each row by the names of the header', async () => {
  expect(await read('\ufeffid,text\r\n1,"a ""b"",\nc"\r\n2,\r\n')).toEqual([
    [2, ['1', 'a "b",\nc', undefined]],
    [4, ['2', undefined, undefined]],
  ]);
});

it('readCsvTable() reports rows that it cannot read, and continues', async () => {
  expect(await read('id,text\n1,a\n2\n3,"b" c\n4,d\n')).toEqual([
    [2, ['1', 'a', undefined]],
    [3, 'Cannot read the row: expected 2 fields as in the header, found 1'],
    [4, expect.stringContaining('quote')],
    [5, ['4', 'd', undefined]],
  ]);
});

it('readCsvTable() reads no row with a value in a column that the format does not have', async () => {
  expect(await read('id,text,internal\n1,a,\n2,b,true\n')).toEqual([
    [2, ['1', 'a', undefined]],
    [3, 'The format has no column "internal", and the row has a value there'],
  ]);
});
