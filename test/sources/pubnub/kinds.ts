import { type Kinds, inner, put, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    { where: 'meta', sample: 'chat-sdk', edits: (data) => [put('direct.json', '/channels/direct.7/0/meta', data)] },
    {
      where: 'the message',
      sample: 'chat-sdk',
      edits: (data) => [put('direct.json', '/channels/direct.7/0/message/app', data)],
    },
  ],
  nestedRows: [
    {
      where: 'quoted message',
      sample: 'chat-sdk',
      edits: [
        put('direct.json', '/channels/direct.7/0/meta', {
          original: { message: { text: inner }, timetoken: '17724428000000000' },
        }),
      ],
    },
  ],
  partialExports: [
    {
      says: 'an answer of messages that goes on',
      sample: 'chat-sdk',
      edits: [put('harbour-2.json', '/more', { url: '/v3', start: '17724429000000001', max: 25 })],
    },
    {
      says: 'an answer of people that goes on',
      sample: 'chat-sdk',
      edits: [put('people.json', '/next', 'Mg')],
    },
  ],
  messageNames: 'Messages have ids of people alone: one that writes for others has one name',
  sameNames: [
    {
      by: 'the id of the channel',
      sample: 'chat-sdk',
      edits: [0, 1].flatMap((at) => [
        put('channels.json', `/data/${at}/name`, shared),
        put('channels.json', `/data/${at}/type`, 'group'),
      ]),
    },
  ],
  overlaps: [
    {
      sample: 'chat-sdk',
      changed: 'a reaction',
      after: [
        put('direct.json', '/channels/direct.7/0/actions', {
          reactions: { wave: [{ uuid: 'bo', actionTimetoken: '17724429990000000' }] },
        }),
      ],
    },
    {
      sample: 'chat-sdk',
      changed: 'the text',
      after: [
        put('direct.json', '/channels/direct.7/0/actions', {
          edited: { 'Are you still there?': [{ uuid: 'ines', actionTimetoken: '17724429990000000' }] },
        }),
      ],
    },
    {
      sample: 'chat-sdk',
      changed: 'a deletion',
      after: [
        put('direct.json', '/channels/direct.7/0/actions', {
          deleted: { deleted: [{ uuid: 'ines', actionTimetoken: '17724429990000000' }] },
        }),
      ],
    },
  ],
};
