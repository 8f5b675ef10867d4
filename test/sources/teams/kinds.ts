import { type Kinds, add, inner, put, replace, shared } from '../../contracts/kinds/kind.ts';

const graphRow = {
  id: '1772445699000',
  messageType: 'message',
  createdDateTime: '2026-03-02T10:01:39.000Z',
  chatId: '19:group0001@thread.v2',
  from: { user: { id: 'aaaaaaaa-0000-4000-8000-000000000001', displayName: 'Ines Bruun' } },
  body: { contentType: 'text', content: inner },
};

const teamsRow = {
  id: '1772445699000',
  messageType: 'message',
  createdDateTime: '2026-03-02T10:01:39.000Z',
  chatId: '19:group0002@thread.v2',
  from: { user: { id: 'aaaaaaaa-0000-4000-8000-000000000001', displayName: 'Ines Bruun' } },
  body: { contentType: 'text', content: 'More?' },
};

const tenantRow = {
  Id: '1772445700000',
  MessageType: 'message',
  CreatedDateTime: '2026-03-02T10:01:40.000Z',
  ChannelIdentity: { TeamId: 'bbbbbbbb-0000-4000-8000-000000000001', ChannelId: '19:private0001@thread.tacv2' },
  From: { User: { Id: 'aaaaaaaa-0000-4000-8000-000000000002', DisplayName: 'Tomasz Krol' } },
  Body: { ContentType: 'text', Content: 'Another crew' },
};

export const kinds: Kinds = {
  ownData: [
    {
      where: 'policyViolation',
      sample: 'graph',
      mark: [put('messages.json', '/0/value/0/policyViolation', { dlpAction: 'notifySender,blockAccess' })],
    },
  ],
  nestedRows: [
    {
      where: 'replies of a message',
      sample: 'graph',
      edits: [put('messages.json', '/0/value/0/replies/-', graphRow)],
    },
    { where: 'messages of a chat', sample: 'graph', edits: [put('chats.json', '/value/0/messages/-', graphRow)] },
  ],
  partialExports: [
    {
      says: 'a last page that goes on',
      sample: 'graph',
      edits: [
        put('messages.json', '/-', { '@odata.nextLink': 'https://graph.microsoft.com/y' }),
        put('messages.json', '/2/value', [teamsRow]),
      ],
    },
    {
      says: 'a page that goes on',
      sample: 'graph',
      edits: [
        add('page.json', JSON.stringify({ '@odata.nextLink': 'https://graph.microsoft.com/z', value: [teamsRow] })),
      ],
    },
    {
      says: 'a page of chats that goes on',
      sample: 'graph',
      edits: [
        replace(
          'chats.json',
          '"@odata.context": "x",',
          '"@odata.context": "x", "@odata.nextLink": "https://graph.microsoft.com/c",',
        ),
      ],
    },
    {
      says: 'replies behind an address',
      sample: 'graph',
      codes: ['teams-more-rows'],
      edits: [put('messages.json', '/0/value/0/replies@odata.nextLink', 'https://graph.microsoft.com/r')],
    },
  ],
  messageNames: 'The name beside an id is that of the person or app',
  sameNames: [
    {
      by: 'the id of the channel',
      sample: 'tenant',
      edits: [
        ...[0, 1].map((at) => put('channels_bbbbbbbb-0000-4000-8000-000000000001.json', `/${at}/DisplayName`, shared)),
        put('messages_bbbbbbbb-0000-4000-8000-000000000001.json', '/-', tenantRow),
      ],
    },
  ],
  overlaps: [
    {
      sample: 'graph',
      changed: 'a reaction',
      after: [
        put('messages.json', '/0/value/0/reactions', [
          {
            reactionType: 'like',
            createdDateTime: '2026-03-02T11:00:00Z',
            user: { user: { id: 'aaaaaaaa-0000-4000-8000-000000000001' } },
          },
        ]),
        put('messages.json', '/0/value/0/lastModifiedDateTime', '2026-03-02T11:00:00.000Z'),
      ],
    },
    {
      sample: 'graph',
      changed: 'a deletion',
      after: [
        put('messages.json', '/0/value/0/deletedDateTime', '2026-03-02T11:00:00Z'),
        put('messages.json', '/0/value/0/lastModifiedDateTime', '2026-03-02T11:00:00.000Z'),
        put('messages.json', '/0/value/0/body/content', ''),
      ],
    },
  ],
  decisions: [
    { sample: 'damaged-rows', asks: { 'teams-bad-attachment': 'note' } },
    {
      sample: 'graph',
      edits: [put('messages.json', '/0/value/0/replies@odata.nextLink', 'https://graph.microsoft.com/v1.0/next')],
      asks: { 'teams-more-rows': 1 },
    },
  ],
};
