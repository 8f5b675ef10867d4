import { type Kinds, inner, innerId, put, shared, replace } from '../../contracts/kinds/kind.ts';

const innerRow = {
  id: innerId,
  text: inner,
  type: 'regular',
  user: { id: 'kay', name: 'Kay' },
  created_at: '2026-03-02T09:00:30Z',
};

export const kinds: Kinds = {
  ownData: [
    {
      where: 'fields of the app',
      sample: 'channels-v2',
      edits: (data) => [put('export.jsonl', '/3/message/app', data)],
    },
    {
      where: 'restricted_visibility',
      sample: 'channels-v2',
      mark: [put('export.jsonl', '/3/message/restricted_visibility', ['ines'])],
    },
    { where: 'shadowed', sample: 'channels-v2', mark: [put('export.jsonl', '/3/message/shadowed', true)] },
  ],
  nestedRows: [
    {
      where: 'quoted_message',
      sample: 'channels-v2',
      edits: [put('export.jsonl', '/2/message/quoted_message', innerRow)],
    },
    {
      where: 'pinned_messages of a channel',
      sample: 'channels-v1',
      edits: [put('others.json', '/0/pinned_messages', [innerRow])],
    },
  ],
  partialExports: [
    {
      says: 'more messages of a channel',
      sample: 'channels-v1',
      edits: [put('others.json', '/0/channel/message_count', 70)],
    },
  ],
  messageNames: 'The name beside an id is that of the person or bot',
  sameNames: [
    {
      by: 'the id of the channel',
      sample: 'import-v2',
      edits: [5, 6].map((at) => put('import.jsonl', `/${at}/data/name`, shared)),
    },
  ],
  overlaps: [
    {
      sample: 'channels-v2',
      changed: 'a reaction',
      before: [put('export.jsonl', '/3/message/updated_at', '2026-03-02T09:00:00Z')],
      after: [
        put('export.jsonl', '/3/message/updated_at', '2026-03-02T10:00:00Z'),
        put('export.jsonl', '/3/message/reaction_counts', { wow: 2 }),
      ],
    },
    {
      sample: 'channels-v2',
      changed: 'a pin',
      before: [put('export.jsonl', '/3/message/updated_at', '2026-03-02T09:00:00Z')],
      after: [
        put('export.jsonl', '/3/message/updated_at', '2026-03-02T10:00:00Z'),
        put('export.jsonl', '/3/message/pinned', true),
      ],
    },
  ],
  fileKinds: [{ kind: 'image', sample: 'channels-v1', edits: [replace('harbour.json', 'gull.gif', 'gull')] }],
};
