import { type Kinds, add, inner, put, remove, shared } from '../../contracts/kinds/kind.ts';

const serverFile = '[1477000000000000100] [part 2].json';

const directFile = 'vera [1477000000000000720].json';

const names = ['Mia (IRC)', 'Ole (IRC)', 'Mia (IRC)'];

const relayedRow = (name: string, index: number) => ({
  id: `147700000000000020${index}`,
  type: 'Default',
  timestamp: `2026-03-02T10:00:0${index}+00:00`,
  content: name,
  author: { id: '800000000000000001', name, nickname: name, discriminator: '0000', isBot: true, roles: [] },
});

const table = [
  'AuthorID,Author,Date,Content,Attachments,Reactions',
  ...names.map((name, index) => `"8","${name}","2026-03-02T10:00:0${index}.0000000+00:00","${name}","",""`),
].join('\n');

const otherChannel = (id: string) =>
  JSON.stringify({
    guild: { id: '1477000000000000001', name: 'Harbour' },
    channel: { id, type: 'GuildTextChat', name: shared },
    messages: [
      {
        id: `${id}9`,
        type: 'Default',
        timestamp: '2026-03-02T10:00:00+00:00',
        content: 'tide',
        author: { id: '300000000000000001', name: 'ines' },
      },
    ],
  });

export const kinds: Kinds = {
  ownData: [
    {
      where: 'flags of the API',
      sample: 'fetched',
      mark: [put('messages/1480000000000000100.ndjson', '/0/flags', 64)],
    },
  ],
  nestedRows: [
    {
      where: 'forwardedMessage',
      sample: 'server',
      edits: [
        put(serverFile, '/messages/0/forwardedMessage', {
          content: inner,
          timestamp: '2026-03-01T10:00:00+00:00',
          attachments: [],
          embeds: [],
        }),
      ],
    },
    {
      where: 'embed of a linked message',
      sample: 'server',
      edits: [
        put(serverFile, '/messages/0/embeds/-', {
          title: '',
          url: null,
          timestamp: null,
          description: inner,
          fields: [],
        }),
      ],
    },
  ],
  partialExports: [
    {
      says: 'a range of time',
      sample: 'direct',
      edits: [put(directFile, '/dateRange', { after: '2026-01-01T00:00:00+00:00', before: null })],
    },
    { says: 'more messages', sample: 'direct', edits: [put(directFile, '/messageCount', 70)] },
    { says: 'a thread without a file', sample: 'server', edits: [remove('[1477900000000001003].json')] },
  ],
  messageNames: [
    {
      form: 'JSON',
      files: {
        'general [1477000000000000100].json': {
          guild: { id: '1477000000000000001', name: 'Harbour' },
          channel: { id: '1477000000000000100', type: 'GuildTextChat', name: 'general' },
          messages: names.map(relayedRow),
        },
      },
    },
    { form: 'CSV', files: { 'Harbour - Piers - general [1477000000000000100].csv': `${table}\n` } },
  ],
  sameNames: [
    {
      by: 'the id of the channel',
      sample: 'direct',
      edits: [100, 101].map((id) =>
        add(`Harbour - Piers - ${shared} [1477000000000000${id}].json`, otherChannel(`1477000000000000${id}`)),
      ),
    },
  ],
  overlaps: [
    {
      sample: 'direct',
      changed: 'a pin',
      before: [put(directFile, '/exportedAt', '2026-03-08T10:00:00+00:00')],
      after: [
        put(directFile, '/exportedAt', '2026-03-09T10:00:00+00:00'),
        put(directFile, '/messages/0/isPinned', true),
      ],
    },
    {
      sample: 'direct',
      changed: 'a pin that was taken off',
      before: [
        put(directFile, '/exportedAt', '2026-03-08T10:00:00+00:00'),
        put(directFile, '/messages/0/isPinned', true),
      ],
      after: [
        put(directFile, '/exportedAt', '2026-03-09T10:00:00+00:00'),
        put(directFile, '/messages/0/isPinned', false),
      ],
    },
    {
      sample: 'direct',
      changed: 'a reaction',
      before: [put(directFile, '/exportedAt', '2026-03-08T10:00:00+00:00')],
      after: [
        put(directFile, '/exportedAt', '2026-03-09T10:00:00+00:00'),
        put(directFile, '/messages/0/reactions', [{ emoji: { name: '🌊' }, count: 1 }]),
      ],
    },
  ],
  decisions: [{ sample: 'damaged-fetched', asks: { 'discord-unlisted-channel': 1 } }],
};
