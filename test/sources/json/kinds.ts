import { inline, number, workbook } from '../../scenes/workbook.ts';
import { type Kinds, add, inner, put, replace, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'Fields of rows are asked about when their reading is proposed: see test/sources/tables/visibility.test.ts',
  nestedRows: [
    {
      where: 'list that the mapping does not name',
      sample: 'mapping-mongo-chat',
      edits: [put('messages.json', '/0/replies', [{ _id: 7, text: inner }])],
    },
    {
      where: 'list inside of a mapped list',
      sample: 'nested-list',
      edits: [
        put('export.json', '/data/rooms/0/messages/0/replies', [{ id: '9', by: 'u2', at: 1772442900500, text: inner }]),
      ],
    },
    {
      where: 'list of a room',
      sample: 'nested-list',
      edits: [put('export.json', '/data/rooms/0/archived', [{ id: '9', by: 'u2', at: 1772442900500, text: inner }])],
    },
  ],
  partialExports: [
    { says: 'more', sample: 'nested-list', edits: [replace('export.json', '{', '{"has_more": true,')] },
    {
      says: 'a cursor behind its list',
      sample: 'nested-list',
      edits: [put('export.json', '/paging', { next_cursor: 'bmV4dDo5' })],
    },
  ],
  messageNames: 'A mapping says what the author is: a name of each message is bound as the author',
  sameNames: [
    {
      by: 'the field with the id',
      sample: 'nested-list',
      edits: [0, 1].map((at) => put('export.json', `/data/rooms/${at}/title`, shared)),
    },
  ],
  overlaps: [
    {
      sample: 'mapping-mongo-chat',
      changed: 'the text',
      after: [
        put('messages.json', '/1/text', 'Yes, with rice'),
        put('messages.json', '/1/updatedAt', { $date: '2026-02-03T17:05:00Z' }),
      ],
    },
    {
      sample: 'nested-list',
      changed: 'the text',
      isUndated: true,
      after: [put('export.json', '/data/rooms/0/messages/0/text', 'Good evening')],
    },
  ],
  decisions: [
    { sample: 'firechat', asks: { 'json-list-not-read': 2 } },
    { sample: 'xlsx', asks: { 'hidden-cells': 1 } },
    {
      files: {
        'chat.xlsx': workbook({
          sheets: [
            {
              name: 'chat',
              rows: [
                { cells: ['id', 'room', 'who', 'at', 'text'].map(inline) },
                { cells: [number('123456789012345000'), ...['r', 'ann', '2026-03-02T09:00:00Z', 'hi'].map(inline)] },
              ],
            },
          ],
        }),
      },
      mapping:
        'source: { messages: { id: id, conversation: room, author: who, time: { from: at, format: iso }, text: text } }',
      asks: { 'rounded-numbers': 'note' },
    },
    {
      sample: 'dynamodb',
      edits: [
        add(
          'AWSDynamoDB/01772445600000-7f3c0a1b/data/d1.json.gz',
          '{"Keys":{"sk":{"S":"MSG#9"}},"Metadata":{"WriteTimestampMicros":{"N":"1772442900000000"}}}\n',
        ),
      ],
      asks: { 'dynamodb-deletion': 'note' },
    },
  ],
};
