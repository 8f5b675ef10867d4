import { Decimal128, Long, ObjectId, UUID } from 'bson';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { bsonDocument } from '../scenes/mongodump.ts';
import { inline, number, shared, workbook } from '../scenes/workbook.ts';

/** The binary files of `samples/`, by path. `UPDATE_SAMPLES=1 npx vitest run test/sources/binary-samples.test.ts` writes them. */
export const binarySamples = (): ReadonlyMap<string, Uint8Array> =>
  new Map([...mongodump(), ...dynamoDb(), parquet(), xlsx()]);

const quay = new UUID('7b1f0c52-3a64-4b1e-9a55-0c9d1e2f3a4b');
const office = new UUID('0e4d6a10-9c3b-4f77-8a21-5b6c7d8e9f00');
const [ines, oscar] = [Long.fromString('9223372036854775807'), Long.fromNumber(42)];
const message = (n: number, room: UUID, id: Long, sentAt: string, body: string, more: object = {}) => ({
  _id: objectId(n),
  room,
  from: { id },
  sentAt: new Date(sentAt),
  body,
  ...more,
});
const objectId = (n: number) => new ObjectId(`65e1a0b2c3d4e5f6012345${String(n).padStart(2, '0')}`);

function mongodump(): readonly (readonly [string, Uint8Array])[] {
  const folder = 'samples/json/mongodump/export/harbour';
  const messages = [
    message(1, quay, ines, '2026-03-02T09:15:00.250Z', 'Who has the key to berth 7?', {
      fee: Decimal128.fromString('12345678901234567.10'),
      berth: Long.fromString('9007199254740993'),
    }),
    message(2, quay, oscar, '2026-03-02T09:16:00.000Z', 'I do', { answers: objectId(1) }),
    message(3, quay, ines, '2026-03-02T09:16:00.000Z', 'Thank you'),
    message(4, quay, oscar, '2026-03-02T09:17:00.000Z', 'This document is damaged'),
    message(5, office, oscar, '2001-09-09T01:46:40.000Z', 'Long ago'),
    message(6, office, oscar, '2026-03-02T09:18:00.000Z', '', { removed: true }),
  ].map(bsonDocument);
  // No UTF-8: the document is lost, and the next one is read.
  messages[3]!.writeUInt8(0xff, messages[3]!.indexOf('damaged'));
  return [
    [`${folder}/messages.bson`, Buffer.concat(messages)],
    [
      `${folder}/people.bson`,
      Buffer.concat(
        [
          { _id: ines, name: 'Ines' },
          { _id: oscar, name: 'Oscar' },
        ].map(bsonDocument),
      ),
    ],
    [
      `${folder}/rooms.bson`,
      Buffer.concat(
        [
          { _id: quay, title: 'Quay' },
          { _id: office, title: 'Office' },
        ].map(bsonDocument),
      ),
    ],
  ];
}

/** A table with people and messages in it, and a partition without any. */
function dynamoDb(): readonly (readonly [string, Uint8Array])[] {
  const folder = 'samples/json/dynamodb/export/AWSDynamoDB/01772445600000-7f3c0a1b/data';
  const item = (values: object) => `${JSON.stringify({ Item: values })}\n`;
  const said = (n: number, by: string, at: string, text: string, more: object = {}) =>
    item({
      pk: { S: 'ROOM#quay' },
      sk: { S: `MSG#${n}` },
      id: { N: `1234567890123456789012345678901234${5670 + n}` },
      by: { S: by },
      at: { N: at },
      text: { S: text },
      ...more,
    });
  const person = (id: string, name: string) =>
    item({ pk: { S: `USER#${id}` }, sk: { S: 'PROFILE' }, id: { S: id }, name: { S: name }, age: { NULL: true } });
  const files = {
    a7xk: [
      said(4, 'oscar', '1772443020000', 'See you there'),
      person('ines', 'Ines'),
      said(2, 'oscar', '1772442960000', 'I am', { likes: { N: '0.50' }, seen: { BOOL: true } }),
    ],
    b2mn: [
      said(1, 'ines', '1772442900000', 'Who is there?', { tags: { SS: ['harbour', 'quay'] } }),
      said(3, 'ines', '1772442970000', 'Good', { place: { M: { berth: { L: [{ N: '7' }, { S: 'b' }] } } } }),
      person('oscar', 'Oscar'),
    ],
    c9zz: [],
  };
  return Object.entries(files).map(([name, lines]) => [`${folder}/${name}.json.gz`, gzipSync(lines.join(''))]);
}

function parquet(): readonly [string, Uint8Array] {
  const said = [
    ['Who is there?', '9223372036854775807', 1772442900123456n],
    ['I am', '42', 1772442960000001n],
    ['Good', '9223372036854775807', 1772442960000000n],
  ] as const;
  const columnData = [
    { name: 'id', data: [9007199254740993n, 9007199254740994n, 9007199254740995n] },
    { name: 'room', data: said.map(() => 'quay') },
    { name: 'author', data: said.map(([, by]) => BigInt(by)) },
    { name: 'sent_at', data: said.map(([, , at]) => at) },
    { name: 'body', data: said.map(([text]) => text) },
    { name: 'fee', data: [1234567890123456710n, null, null] },
  ];
  const schema = [
    { name: 'messages', num_children: 6 },
    { name: 'id', type: 'INT64', repetition_type: 'REQUIRED' },
    { name: 'room', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
    { name: 'author', type: 'INT64', repetition_type: 'REQUIRED' },
    { name: 'sent_at', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'REQUIRED' },
    { name: 'body', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
    { name: 'fee', type: 'INT64', converted_type: 'DECIMAL', scale: 2, precision: 19, repetition_type: 'OPTIONAL' },
  ] as const;
  const bytes = parquetWriteBuffer({ columnData, schema: [...schema], rowGroupSize: 2, createdBy: 'chatferry sample' });
  return ['samples/json/parquet/export/messages.parquet', new Uint8Array(bytes)];
}

/** Messages with a damaged row, and people on a hidden sheet. */
function xlsx(): readonly [string, Uint8Array] {
  const names = (...texts: readonly string[]) => ({ cells: texts.map(inline) });
  const messages = [
    names('Id', 'Room', 'Author', 'Sent at', 'Text', 'Fee'),
    {
      cells: [
        inline('9007199254740993'),
        shared(0),
        shared(1),
        number('46083.385416666664', 1),
        shared(3),
        number('0.10'),
      ],
    },
    {
      cells: [
        inline('9007199254740994'),
        shared(0),
        shared(2),
        number('46083.386111111111', 1),
        inline('I am\r\n_x0041_ & B'),
      ],
    },
    { cells: [inline('9007199254740995'), shared(0), shared(99), number('46083.386805555558', 1), inline('Damaged')] },
    {
      number: 6,
      cells: [inline('9007199254740996'), shared(0), shared(1), number('46083.387511574074', 1), shared(4)],
    },
  ];
  const people = [
    names('Login', 'Name'),
    { cells: [shared(1), inline('Inês')] },
    { cells: [shared(2), inline('Oscar')] },
  ];
  const bytes = workbook({
    sheets: [
      { name: 'Messages', rows: messages },
      { name: 'People', state: 'hidden', rows: people },
    ],
    strings: ['quay', 'ines', 'oscar', 'Who is there?', '<r><t>Go</t></r><r><rPr><b/></rPr><t>od</t></r>'].map(
      (text) => (text.startsWith('<') ? text : `<t>${text}</t>`),
    ),
    formats: ['yyyy\\-mm\\-dd\\ hh:mm'],
  });
  return ['samples/json/xlsx/export/chat.xlsx', new Uint8Array(bytes)];
}
