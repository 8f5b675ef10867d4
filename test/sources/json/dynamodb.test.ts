import { describe, expect, it } from 'vitest';
import { dynamoItem } from '../../../src/sources/json/dynamodb.ts';
import { json } from '../../../src/sources/json/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const messages = {
  ...{ id: 'id', conversation: 'room', author: 'by', text: 'text' },
  time: { from: 'at', format: 'unix-ms' },
};
const item = (id: string) => ({
  ...{ id: { S: id }, room: { S: 'quay' }, by: { S: 'ines' }, at: { N: '1772442900000' }, text: { S: `text ${id}` } },
});
const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const read = (files: MemoryFiles, options: object = {}) =>
  readAll(json, memoryInput(files), {}, { messages, ...options });
const idsIn = (entries: Awaited<ReturnType<typeof read>>) => messagesOf(entries).map(({ origin }) => origin.id);
const problemsIn = (entries: Awaited<ReturnType<typeof read>>) =>
  entries.flatMap((entry) =>
    entry.type === 'problem' ? [{ code: entry.code, reason: entry.reason, count: entry.count }] : [],
  );

describe('dynamoItem()', () => {
  it('takes the types away, and keeps numbers that JavaScript would change as text', () => {
    const values = {
      s: { S: '' },
      whole: { N: '42' },
      long: { N: '12345678901234567890123456789012345678' },
      cents: { N: '0.10' },
      half: { N: '-0.5' },
      yes: { BOOL: true },
      none: { NULL: true },
      map: { M: { __proto__: null, inner: { L: [{ N: '1' }, { M: {} }] } } },
      texts: { SS: ['a', 'b'] },
      numbers: { NS: ['1', '9007199254740993'] },
      bytes: { B: 'aGk=' },
    };
    const plain = {
      ...{ s: '', whole: 42, long: '12345678901234567890123456789012345678', cents: '0.10', half: -0.5, yes: true },
      ...{ none: null, map: { inner: [1, {}] }, texts: ['a', 'b'], numbers: [1, '9007199254740993'], bytes: 'aGk=' },
    };
    expect(dynamoItem({ Item: values })).toEqual({ item: plain });
    expect(dynamoItem(values)).toEqual({ item: plain });
    expect(
      dynamoItem({ Metadata: { WriteTimestampMicros: { N: '1' } }, Keys: { s: { S: '' } }, NewImage: values }),
    ).toEqual({
      item: plain,
    });
  });

  it('takes the types of AWS Data Pipeline away, which begin in lower case', () => {
    const values = { id: { s: 'a' }, at: { n: '42' }, ok: { bOOL: true }, no: { null: true } };
    const more = { tags: { sS: ['x'] }, map: { m: { inner: { l: [{ n: '1' }, { nULLValue: true }] } } } };
    const plain = { id: 'a', at: 42, ok: true, no: null, tags: ['x'], map: { inner: [1, null] } };
    expect(dynamoItem({ ...values, ...more })).toEqual({ item: plain });
    expect(dynamoItem({ id: { s: 'a' } })).toBeUndefined();
    expect(dynamoItem({ id: { s: 'a' }, at: { N: '1' } })).toBeUndefined();
  });

  it.each([
    ['an object of another program', { Item: { S: 1 } }],
    ['a value without a type', { id: { S: 'a' }, text: 'b' }],
    ['a value of another type', { id: { N: 'a' } }],
    ['two types of a value', { id: { S: 'a', N: '1' } }],
    ['nothing', {}],
    ['something next to the item', { Item: { id: { S: 'a' } }, more: 1 }],
    ['a type inside a type that it does not have', { id: { M: { inner: 'a' } } }],
  ])('is undefined for %s', (_, value) => {
    expect(dynamoItem(value)).toBeUndefined();
  });
});

describe('an export of DynamoDB', () => {
  it('by AWS Data Pipeline is read as items, a line each', async () => {
    const row = (id: string) => ({
      ...{ id: { s: id }, room: { s: 'quay' }, by: { s: 'ines' } },
      at: { n: '1772442900000' },
      text: { s: 'Hi' },
    });
    expect(idsIn(await read({ 'part-0.json': lines(row('1'), row('2')) }))).toEqual(['1', '2']);
  });

  it('is read as items, whatever other files are there', async () => {
    const entries = await read({
      'data/a.json': lines({ Item: item('1') }),
      'data/b.json': lines({ Item: item('2') }),
    });
    expect(idsIn(entries)).toEqual(['1', '2']);
  });

  it('says how many items of a file are missing, and which files', async () => {
    const manifest = lines(
      { itemCount: 3, dataFileS3Key: 'p/AWSDynamoDB/1-a/data/a.json.gz' },
      { itemCount: 0, dataFileS3Key: 'p/AWSDynamoDB/1-a/data/b.json.gz' },
      { itemCount: 5, dataFileS3Key: 'p/AWSDynamoDB/1-a/data/c.json.gz' },
    );
    const files = {
      '1-a/manifest-files.json': manifest,
      '1-a/manifest-summary.json': { itemCount: 10, outputFormat: 'DYNAMODB_JSON' },
      '1-a/data/a.json': lines({ Item: item('1') }, { Item: item('2') }),
      '1-a/data/b.json': '',
    };
    const entries = await read(files);
    expect(idsIn(entries)).toEqual(['1', '2']);
    expect(entries.filter(({ type }) => type === 'invalid')).toEqual([]);
    expect(problemsIn(entries)).toEqual([
      { code: 'export-is-partial', reason: 'The manifest counts 3 items in this file, and it has 2', count: undefined },
      { code: 'export-is-partial', reason: expect.stringContaining('data/c.json.gz" with 5 items'), count: 5 },
      {
        code: 'export-is-partial',
        reason: 'The summary of the export counts 10 items, and the list of files 8',
        count: 2,
      },
    ]);
  });

  it('of changes is read as the items are now; deletions are counted, and are no messages', async () => {
    const change = { Metadata: { WriteTimestampMicros: { N: '1772442900000000' } } };
    const text = lines(
      { ...change, Keys: { id: { S: '1' } }, OldImage: item('old'), NewImage: item('1') },
      { ...change, Keys: { id: { S: '2' } }, OldImage: item('2') },
      { ...change, Keys: { id: { S: '3' } } },
    );
    const entries = await read({ 'data/a.json': text });
    expect(idsIn(entries)).toEqual(['1']);
    expect(problemsIn(entries)).toEqual([
      {
        code: 'dynamodb-deletion',
        reason: 'The file says of 2 items that they were deleted from the table',
        count: 2,
      },
    ]);
  });

  it('as pages of a scan says that the last one is missing', async () => {
    const page = { Items: [item('1'), item('2')], Count: 2, ScannedCount: 2 };
    const options = { tables: { messages: { list: '/Items' } } };
    const proposed = await json.propose(memoryInput({ 'scan-1.json': page }), {});
    expect(proposed.options).toMatchObject({
      tables: { messages: { list: '/Items' } },
      messages: { text: { from: 'text' } },
    });
    expect(problemsIn(await read({ 'scan-1.json': page }, options))).toEqual([]);
    const entries = await read({ 'scan-1.json': { ...page, LastEvaluatedKey: { id: { S: '2' } } } }, options);
    expect(idsIn(entries)).toEqual(['1', '2']);
    expect(problemsIn(entries)).toMatchObject([{ code: 'export-is-partial' }]);
  });
});
