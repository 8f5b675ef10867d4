import { type Kinds, inner, put, shared, replace } from '../../contracts/kinds/kind.ts';

const names = ['Mia (IRC)', 'Ole (IRC)', 'Mia (IRC)'];

const aliasedRow = (name: string, index: number) => ({
  _id: `m${index}`,
  rid: 'GENERAL',
  msg: name,
  alias: name,
  ts: { $date: `2026-03-02T09:15:0${index}.000Z` },
  u: { _id: 'hook', username: 'hook' },
});

const changedRow = (row: number, changes: Readonly<Record<string, unknown>>) =>
  Object.entries({ ...changes, _updatedAt: { $date: '2026-03-05T10:00:00.000Z' } }).map(([key, value]) =>
    put('rocketchat_message.json', `/${row}/${key}`, value),
  );

export const kinds: Kinds = {
  ownData: [
    { where: 'customFields', sample: 'collections', edits: (data) => [...changedRow(1, { customFields: data })] },
    { where: 'private', sample: 'collections', mark: changedRow(1, { private: true }) },
  ],
  nestedRows: [
    {
      where: 'attachment that quotes',
      sample: 'rest-answers',
      edits: [
        put('general.json', '/messages/0/attachments', [
          {
            author_name: 'tom',
            text: inner,
            message_link: 'https://chat.example.com/channel/general?msg=msg00000000000009',
            ts: '2026-03-01T09:00:00Z',
          },
        ]),
      ],
    },
    {
      where: 'attachment inside of a quote',
      sample: 'rest-answers',
      edits: [
        put('general.json', '/messages/0/attachments', [
          {
            author_name: 'tom',
            text: 'Outside',
            message_link: 'https://chat.example.com/channel/general?msg=msg00000000000009',
            attachments: [
              {
                author_name: 'ines',
                text: inner,
                message_link: 'https://chat.example.com/channel/general?msg=msg00000000000008',
              },
            ],
          },
        ]),
      ],
    },
  ],
  partialExports: [
    { says: 'an answer that goes on', sample: 'rest-answers', edits: [put('channels.json', '/total', 7)] },
  ],
  messageNames: [
    {
      form: 'aliases',
      files: {
        'rocketchat_message.json': names.map((name, index) => `${JSON.stringify(aliasedRow(name, index))}\n`).join(''),
        'rocketchat_room.json': '{"_id":"GENERAL","t":"c","name":"general"}\n',
      },
    },
  ],
  sameNames: [
    {
      by: 'the id of the room',
      sample: 'collections',
      edits: [0, 1].flatMap((at) => [
        put('rocketchat_room.json', `/${at}/fname`, shared),
        put('rocketchat_room.json', `/${at}/name`, shared),
      ]),
    },
  ],
  overlaps: [
    {
      sample: 'collections',
      changed: 'a reaction',
      after: changedRow(1, { reactions: { ':wave:': { usernames: ['ines'] } } }),
    },
    { sample: 'collections', changed: 'a pin', after: changedRow(2, { pinned: true }) },
    { sample: 'collections', changed: 'a pin that was taken off', after: changedRow(1, { pinned: false }) },
    {
      sample: 'collections',
      changed: 'a deletion',
      after: changedRow(1, { t: 'rm', msg: '', reactions: undefined }),
    },
  ],
  fileKinds: [
    {
      kind: 'image',
      sample: 'extended-json',
      edits: [
        replace('rocketchat_message.json', '"image/png"', '""'),
        replace('rocketchat_message.json', /a( |%20)b\.png/g, 'boat'),
      ],
    },
  ],
};
