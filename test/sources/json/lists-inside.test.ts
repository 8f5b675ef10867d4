import { serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { tablesInput } from '../../../src/io/input/tables-input.ts';
import { json } from '../../../src/sources/json/index.ts';
import { JsonRow } from '../../../src/sources/json/json-row.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { faultsIn, messagesIn } from '../tables/export-of.ts';

const messages = {
  id: 'id',
  conversation: '$outer._id',
  author: 'by.$id',
  time: { from: 'at', format: 'unix-s' },
  text: 'text',
};

async function read(files: MemoryFiles, list: string, more: object = {}) {
  const [file] = Object.keys(files);
  const options = { messages: { ...messages, ...more }, tables: { messages: { file, list } } };
  return readAll(json, await tablesInput(memoryInput(files)), {}, options);
}

const room = (id: string, texts: readonly string[]) => ({
  messages: texts.map((text, index) => ({ id: `${id}${index}`, by: 'ann', at: 1_700_000_000 + index, text })),
  _id: id,
});

describe('lists inside documents', () => {
  it('are read of each line, with the fields behind the list', async () => {
    const lines = [room('r', ['one', 'two']), { _id: 'empty', messages: null }, room('s', ['three'])];
    const entries = await read({ 'a.json': lines.map((line) => JSON.stringify(line)).join('\n') }, '/*/messages');
    expect(messagesIn(entries).map(({ origin: { conversation }, text }) => [conversation, text])).toEqual([
      ['r', 'one'],
      ['r', 'two'],
      ['s', 'three'],
    ]);
    expect(faultsIn(entries).filter((fault) => fault.includes('json-'))).toEqual([]);
  });

  it('are read in maps two levels deep, in the room around them', async () => {
    const team = { _id: 't', rooms: { a: room('a', ['one']), b: { messages: { k: room('b', ['two']).messages[0] } } } };
    const entries = await read({ 'a.ndjson': JSON.stringify(team) }, '/*/rooms/*/messages', {
      conversation: '$parentKey',
    });
    expect(messagesIn(entries).map(({ origin: { conversation }, text }) => [conversation, text])).toEqual([
      ['a', 'one'],
      ['b', 'two'],
    ]);
  });

  it('lose nothing next to a document that is damaged, and name its byte', async () => {
    const [first, damaged, last] = [room('r', ['one']), { text: 'broken' }, room('s', ['two'])].map((one) =>
      Buffer.from(serialize(one)),
    );
    // The type of its first element.
    damaged![4] = 0x7a;
    const entries = await read({ 'a.bson': Buffer.concat([first!, damaged!, last!]) }, '/*/messages');
    expect(messagesIn(entries).map(({ text }) => text)).toEqual(['one', 'two']);
    expect(faultsIn(entries).filter((fault) => fault.startsWith('json-'))).toEqual([
      expect.stringContaining(
        `json-damaged-record a.bson:2 Cannot read this row: the BSON document at byte ${first!.length} is damaged`,
      ),
    ]);
  });

  it('that no table reads are counted, and what is no list is a problem', async () => {
    const lines = [
      { ...room('r', ['one']), notes: [{ by: 'ann', text: 'aside' }] },
      { _id: 's', messages: 2 },
    ];
    const entries = await read({ 'a.ndjson': lines.map((line) => JSON.stringify(line)).join('\n') }, '/*/messages');
    expect(faultsIn(entries).filter((fault) => fault.startsWith('json-'))).toEqual([
      'json-no-list a.ndjson:2 Cannot read a list here: expected an array or an object, found a number',
      'json-list-not-read a.ndjson: The file has 1 object below "/*/notes" that the mapping does not read',
    ]);
  });

  it('may be so long that the text of a document has more than 16 MiB', async () => {
    const many = {
      _id: 'r',
      messages: Array.from({ length: 3 }, (_, id) => ({ id, by: 'a', at: 1, text: '\u0001'.repeat(2 ** 20) })),
    };
    const entries = await read({ 'a.bson': Buffer.from(serialize(many)) }, '/*/messages');
    expect(messagesIn(entries)).toHaveLength(3);
  });

  it('are proposed if the first document is longer than the beginning that is looked at', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${index} ${'many words '.repeat(12_000)}`);
    const long = await tablesInput(memoryInput({ 'chats.bson': Buffer.from(serialize(room('r', texts))) }));
    const { findings } = await json.propose(long, {});
    expect(findings.find(({ key }) => key === 'tables.messages')).toMatchObject({
      value: { file: 'chats.bson', list: '/*/messages' },
    });
  });
});

describe('a reference', () => {
  const idOf = (by: unknown) => new JsonRow({ by }, { path: 'a' }, {}).get('by.$id');

  it.each([
    ['a path of Firestore', 'users/abc'],
    ['its whole name', { referenceValue: 'projects/p/databases/(default)/documents/users/abc' }],
    ['one of the client library', { _firestore: {}, _path: { segments: ['users', 'abc'] } }],
    ['one of an export tool', { __datatype__: 'documentReference', value: 'users/abc' }],
    ['a pointer of Parse Server', '_User$abc'],
    ['a DBRef', { $ref: 'users', $id: 'abc' }],
    ['a copy', { _id: 'abc', name: 'Ann' }],
    ['an id alone', 'abc'],
  ])('has an id: %s', (_, by) => {
    expect(idOf(by)).toBe('abc');
  });

  it('in a list is one id for each element', () => {
    expect(idOf(['users/abc', { _id: { $oid: '65e1a0b2c3d4e5f601234501' } }, 'def'])).toEqual([
      'abc',
      '65e1a0b2c3d4e5f601234501',
      'def',
    ]);
  });

  it('says its collection', () => {
    expect(new JsonRow({ by: 'users/abc' }, { path: 'a' }, {}).get('by.$ref')).toBe('users');
  });
});
