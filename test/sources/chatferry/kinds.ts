import { type Kinds, inner, put, replace, shared } from '../../contracts/kinds/kind.ts';

const ownRow = {
  kind: 'message',
  origin: { source: 'harbour-chat', workspace: 'lighthouse', conversation: 'room-2', id: '90' },
  sortKey: '0000000090',
  sentAtMs: 1709251990000,
  author: '1001',
  text: 'Another crew',
};

export const kinds: Kinds = {
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
};
