import { type Kinds, inner, put, replace, shared } from '../../contracts/kinds/kind.ts';

const ownRow = {
  kind: 'message',
  origin: { source: 'harbour-chat', workspace: 'lighthouse', conversation: 'room-2', id: '90' },
  sortKey: '0000000090',
  sentAtMs: 1709251990000,
  author: '1001',
  text: 'Another crew',
};

/** Two conversations with a message each, in lines. */
const twoRooms = (members: readonly string[]) =>
  [
    { kind: 'conversation', id: 'open', type: 'public', name: 'Open', members },
    { kind: 'conversation', id: 'shut', type: 'private', name: 'Shut', members: ['ann'] },
    ...['open', 'shut'].map((conversation) => ({
      kind: 'message',
      origin: { source: 'made', workspace: '', conversation, id: '1' },
      sortKey: '1',
      sentAtMs: 1_772_442_000_000,
      author: 'ann',
      text: conversation,
    })),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

export const kinds: Kinds = {
  ownData: [{ where: 'custom', sample: 'every-field', edits: (data) => [put('export.ndjson', '/9/custom', data)] }],
  nestedRows: [
    {
      where: 'replies of a message',
      sample: 'every-field',
      edits: [
        replace('export.ndjson', '"sortKey":"0000000001"', `"sortKey":"0000000001","replies":[{"text":"${inner}"}]`),
      ],
    },
  ],
  partialExports: 'Who writes our own format decides what is in it',
  messageNames: 'What a message says of its author describes the author with that id',
  sameNames: [
    {
      by: 'the id of the conversation',
      sample: 'every-field',
      edits: [...[5, 6].map((at) => put('export.ndjson', `/${at}/name`, shared)), put('export.ndjson', '/-', ownRow)],
    },
  ],
  overlaps: [
    {
      sample: 'every-field',
      changed: 'the text',
      after: [
        replace('export.ndjson', '"text":"High water at ten"', '"text":"High water at six"'),
        replace('export.ndjson', '"atMs":1709251300000', '"atMs":1709259300000'),
      ],
    },
    {
      sample: 'every-field',
      changed: 'a pin',
      isUndated: true,
      after: [replace('export.ndjson', ',"isPinned":true', '')],
    },
  ],
  decisions: [
    {
      files: { 'chat.ndjson': twoRooms(Array.from({ length: 100_001 }, (_, index) => `p${index}`)) },
      asks: { 'group-too-large': 1 },
    },
    {
      files: { 'chat.ndjson': twoRooms(['ann']) },
      mapping: 'conversations: { merge: [[open, shut]] }',
      asks: { 'merged-into-public': 2 },
    },
  ],
};
