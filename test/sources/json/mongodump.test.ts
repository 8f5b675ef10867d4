import { describe, expect, it } from 'vitest';
import { tablesInput } from '../../../src/io/input/tables-input.ts';
import { json } from '../../../src/sources/json/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';
import { bsonDocument } from '../../scenes/mongodump.ts';

const messages = { id: '_id', conversation: 'room', author: 'by', time: { from: 'at', format: 'iso' }, text: 'text' };
const at = new Date('2026-03-02T09:15:00Z');
const documents = [1, 2, 3].map((_id) => bsonDocument({ _id, room: 'quay', by: 'ines', at, text: `text ${_id}` }));
const about = { indexes: [{ v: { $numberInt: '2' }, name: '_id_' }], collectionName: 'messages', type: 'collection' };

const dump = (bson: Buffer) =>
  tablesInput(memoryInput({ 'chat/messages.bson': bson, 'chat/messages.metadata.json': about, 'prelude.json': {} }));

describe('a mongodump', () => {
  it('is tables of its collections, and never of what it says of their indexes', async () => {
    const input = await dump(Buffer.concat(documents));
    expect(await json.probe(input)).toEqual({
      match: 'likely',
      because: '"chat/messages.bson": one document behind another',
    });
    const entries = await readAll(json, input, {}, { messages });
    expect(messagesOf(entries)).toHaveLength(3);
    expect(entries.filter(({ type }) => type === 'invalid')).toEqual([]);
  });

  it('that is cut off loses the last document, with its byte', async () => {
    const whole = Buffer.concat(documents);
    const entries = await readAll(json, await dump(whole.subarray(0, -10)), {}, { messages });
    expect(messagesOf(entries)).toHaveLength(2);
    const start = documents[0]!.length * 2;
    expect(entries.filter(({ type }) => type === 'invalid')).toEqual([
      {
        type: 'invalid',
        code: 'unreadable-file',
        reason: expect.stringContaining(
          `Cannot read the BSON from byte ${start} on: it ends inside a document, 10 bytes early`,
        ),
        location: { path: 'chat/messages.bson' },
      },
    ]);
  });
});
