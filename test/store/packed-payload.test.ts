import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packPayload, wholePayload } from '../../src/store/base/packed-payload.ts';
import { databaseOf } from '../../src/store/open.ts';
import { anyText } from '../arbitrary-text.ts';
import { addCast, addFiles, openTestStore, rowOf } from './fixture.ts';
import { insertSql, oneRow, valuesOf } from '../../src/store/messages/rows.ts';

const muid = fc.stringMatching(/^m1[a-z2-7]{25}(?:p[1-9]\d?)?$/);

/** Payloads as the mapper makes them, and any other JSON; the key is mostly that of the row. */
const payloadOf = (key: string): fc.Arbitrary<string> => {
  const chatferry = fc.record(
    { v: fc.constant(1), key: fc.constantFrom(key, key, key, 'm1other'), thread: muid, custom: fc.jsonValue() },
    { requiredKeys: ['v', 'key'] },
  );
  const text = fc.oneof(anyText, fc.constant(`,"metadata":{"chatferry":{"v":1,"key":"${key}"}}}}`));
  const data = fc.record(
    { text, attachments: fc.array(fc.record({ url: anyText })), metadata: fc.record({ chatferry }) },
    { requiredKeys: ['text'] },
  );
  const payload = fc.record(
    {
      category: fc.constantFrom('message', 'message', 'custom'),
      type: fc.constantFrom('text', 'text', 'file'),
      data,
      tags: fc.array(anyText),
    },
    { requiredKeys: ['category', 'type', 'data'] },
  );
  return fc.oneof({ weight: 5, arbitrary: payload }, fc.jsonValue()).map((value) => JSON.stringify(value));
};

const given = muid.chain((key) => fc.tuple(fc.constant(key), payloadOf(key)));

describe('a payload in the store', () => {
  it('comes back as it was given, with its size, and what SQL finds in it is the same', () => {
    const db = databaseOf(openTestStore());
    const { people, conversations } = addCast(db);
    const [file] = addFiles(db, 'export', 'a.json');
    const home = { file: file!, path: 'a.json', conversation: conversations.C1!, sender: people.U1! };
    const insert = db.prepare(insertSql(oneRow));
    const back = db.prepare(
      `SELECT ${wholePayload('m')} AS payload, (SELECT bytes FROM message_at_destination) AS bytes,
           payload ->> '$.data.text' AS text, payload ->> '$.data.metadata.chatferry.thread' AS thread FROM message m`,
    );
    const inside = db
      .prepare<[string, string], [unknown, unknown]>(
        `SELECT ? ->> '$.data.text', ? ->> '$.data.metadata.chatferry.thread'`,
      )
      .raw();
    fc.assert(
      fc.property(given, ([key, payload]) => {
        db.exec('DELETE FROM message');
        insert.run(...valuesOf(rowOf(1, '', { muid: key, payload }), home));
        const [text, thread] = inside.get(payload, payload)!;
        const bytes = Buffer.byteLength(payload);
        expect(back.get()).toEqual({ payload, bytes, text, thread });
      }),
      { numRuns: 500 },
    );
  });

  it('takes the less room the more of it all texts share', () => {
    const key = 'm1abcdefghijklmnopqrstuvwxy';
    const savedBy = (type: string, more: object) => {
      const metadata = { chatferry: { v: 1, key, ...more } };
      const payload = JSON.stringify({ category: 'message', type, data: { text: 'Hi', metadata } });
      return payload.length - packPayload(payload, key)!.length;
    };
    expect([savedBy('text', {}), savedBy('text', { edited: 1 }), savedBy('file', {})]).toEqual([103, 75, 0]);
  });
});
