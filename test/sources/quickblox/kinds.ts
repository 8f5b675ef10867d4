import { type Kinds, inner, innerId, put, shared, replace } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    {
      where: 'parameters of the app',
      sample: 'quickblox-answers',
      edits: (data) => [put('harbour.json', '/items/0/app', data)],
    },
  ],
  nestedRows: [
    {
      where: 'parameter of a message',
      sample: 'quickblox-answers',
      edits: [put('harbour.json', '/items/0/reply', { _id: innerId, message: inner, sender_id: 101 })],
    },
  ],
  partialExports: [
    {
      says: 'a last message that is not there',
      sample: 'quickblox-answers',
      edits: [put('dialogs.json', '/items/0/last_message_id', '69a55664000000000000ffff')],
    },
  ],
  messageNames: 'Messages have ids of people alone: one that writes for others has one name',
  sameNames: [
    {
      by: 'the id of the dialog',
      sample: 'quickblox-answers',
      edits: [0, 1].flatMap((at) => [
        put('dialogs.json', `/items/${at}/name`, shared),
        put('dialogs.json', `/items/${at}/type`, 2),
      ]),
    },
  ],
  overlaps: [
    {
      sample: 'quickblox-answers',
      changed: 'the text',
      after: [
        put('harbour.json', '/items/0/message', 'Who still has the key?'),
        put('harbour.json', '/items/0/updated_at', '2026-03-02T10:00:00Z'),
      ],
    },
    {
      sample: 'connectycube-answers',
      changed: 'a reaction',
      after: [
        put('messages.json', '/items/2/reactions', { own: [], total: { '👍': 1 } }),
        put('messages.json', '/items/2/updated_at', '2026-03-02T10:00:00Z'),
      ],
    },
  ],
  fileKinds: [{ kind: 'image', sample: 'quickblox-answers', edits: [replace('harbour.json', /dock\.png/g, 'dock')] }],
  decisions: [{ sample: 'connectycube-answers', asks: { 'quickblox-deleted-for-some': 'note' } }],
};
