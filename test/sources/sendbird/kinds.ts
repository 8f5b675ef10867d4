import { type Kinds, inner, innerId, put, replace, shared } from '../../contracts/kinds/kind.ts';

const otherRow = {
  type: 'MESG',
  message_id: 70001,
  message: 'Another crew',
  created_at: 1772442009000,
  channel_url: 'sendbird_open_channel_3_tides',
  user: { user_id: 'ines', nickname: 'Ines Bruun' },
};

const file = 'harbour_2026-03_1.json';

export const kinds: Kinds = {
  ownData: [
    { where: 'data', sample: 'data-export', edits: (data) => [put(file, '/messages/1/data', JSON.stringify(data))] },
    {
      where: 'custom_type',
      sample: 'data-export',
      isWord: true,
      edits: (data) => [put(file, '/messages/1/custom_type', data)],
    },
    {
      where: 'sorted_metaarray',
      sample: 'data-export',
      edits: (data) => [put(file, '/messages/1/sorted_metaarray', [{ key: 'app', value: [JSON.stringify(data)] }])],
    },
    {
      where: 'extended_message_payload',
      sample: 'data-export',
      edits: (data) => [put(file, '/messages/1/extended_message_payload', data)],
    },
  ],
  nestedRows: [
    {
      where: 'parent_message_info',
      sample: 'data-export',
      edits: [
        put('harbour_2026-03_2.json', '/messages/0/parent_message_id', innerId),
        put('harbour_2026-03_2.json', '/messages/0/parent_message_info', {
          type: 'MESG',
          message: inner,
          ts: 1772442000000,
          user: { user_id: 'ines', nickname: 'Ines Bruun' },
        }),
      ],
    },
  ],
  partialExports: [
    {
      says: 'a page of channels that goes on',
      sample: 'data-export',
      edits: [put('channels_1.json', '/next', 'ansYQFFVQ1AIEUBXX1RcE2d0FUZSUlkJ')],
    },
    {
      says: 'a page of people that goes on',
      sample: 'data-export',
      edits: [replace('users_1.json', '{', '{"next": "ansYQFFVQ1AIEUBX",')],
    },
  ],
  messageNames: 'The nickname beside an id is that of the person or bot',
  sameNames: [
    {
      by: 'the address of the channel',
      sample: 'data-export',
      edits: [
        put('channels_1.json', '/group_channels/0/name', shared),
        put('channels_1.json', '/open_channels/0/name', shared),
        put('pair_2026-03.json', '/messages/-', otherRow),
      ],
    },
  ],
  overlaps: [
    {
      sample: 'data-export',
      changed: 'a reaction',
      after: [put(file, '/messages/1/reactions', [{ key: 'wave', user_ids: ['ines'], updated_at: 1772442901000 }])],
    },
    {
      sample: 'data-export',
      changed: 'the text',
      after: [put(file, '/messages/1/message', 'I have it'), put(file, '/messages/1/updated_at', 1772442902000)],
    },
    {
      sample: 'data-export',
      changed: 'a deletion',
      after: [put(file, '/messages/1/is_removed', true)],
    },
  ],
};
