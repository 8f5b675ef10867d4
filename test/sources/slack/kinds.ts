import { type Kinds, inner, put } from '../../contracts/kinds/kind.ts';

const day = 'design/2026-03-03.json';

const innerRow = { type: 'message', user: 'U05HLPRIY3', text: inner, ts: '1772529300.000100' };

const lists = {
  'channels.json': [{ id: 'C1', name: 'general', created: 1, members: ['U1'] }],
  'users.json': [
    { id: 'U1', team_id: 'T1', name: 'relay', is_bot: true, profile: { display_name: 'Relay', bot_id: 'B1' } },
  ],
};

const names = ['Mia (IRC)', 'Ole (IRC)', 'Mia (IRC)'];

const botRow = (name: string, index: number) => ({
  type: 'message',
  subtype: 'bot_message',
  bot_id: 'B1',
  username: name,
  text: name,
  ts: `177244290${index}.000100`,
});

export const kinds: Kinds = {
  ownData: [
    {
      where: 'metadata',
      sample: 'every-feature',
      edits: (data) => [put(day, '/0/metadata', { event_type: 'app', event_payload: data })],
    },
    { where: 'is_ephemeral', sample: 'every-feature', mark: [put(day, '/0/is_ephemeral', true)] },
  ],
  nestedRows: [
    {
      where: 'message of a changed one',
      sample: 'every-feature',
      edits: [
        put(day, '/-', {
          ...innerRow,
          text: undefined,
          subtype: 'message_changed',
          hidden: true,
          message: innerRow,
        }),
      ],
    },
    {
      where: 'message of a reply',
      sample: 'every-feature',
      edits: [
        put(day, '/-', {
          type: 'message',
          subtype: 'message_replied',
          ts: '1772529301.000100',
          hidden: true,
          message: innerRow,
        }),
      ],
    },
    {
      where: 'replies of a message, as slackdump writes them',
      sample: 'every-feature',
      edits: [put(day, '/0/slackdump_thread_replies', [innerRow])],
    },
    {
      where: 'attachment that shares a message',
      sample: 'every-feature',
      edits: [
        put(day, '/0/attachments/-', {
          is_share: true,
          is_msg_unfurl: true,
          author_id: 'U05HLPRIY3',
          channel_id: 'C05GENERAL',
          ts: innerRow.ts,
          fallback: inner,
          text: inner,
        }),
      ],
    },
    {
      where: 'blocks of a shared message',
      sample: 'every-feature',
      edits: [
        put(day, '/0/attachments/-', {
          is_share: true,
          is_msg_unfurl: true,
          author_id: 'U05HLPRIY3',
          ts: innerRow.ts,
          message_blocks: [
            {
              team: 'T05HARBOR1',
              channel: 'C05GENERAL',
              ts: innerRow.ts,
              message: {
                blocks: [
                  {
                    type: 'rich_text',
                    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: inner }] }],
                  },
                ],
              },
            },
          ],
        }),
      ],
    },
  ],
  partialExports: [
    {
      says: 'more answers than are in the row, of slackdump',
      sample: 'every-feature',
      edits: [
        put('design/2026-03-03.json', '/0/reply_count', 2),
        put('design/2026-03-03.json', '/0/slackdump_thread_replies', [
          { type: 'message', user: 'U05HLPRIY3', text: 'Yes', ts: '1772529300.000100' },
        ]),
      ],
    },
  ],
  messageNames: [{ form: 'names of bots', files: { ...lists, 'general/2026-03-02.json': names.map(botRow) } }],
  sameNames: [{ by: 'the id of the channel', sample: 'enterprise-grid', name: 'general', edits: [] }],
  overlaps: [
    {
      sample: 'every-feature',
      changed: 'the text',
      after: [
        put(day, '/0/text', 'New colours'),
        put(day, '/0/edited', { user: 'U05HLPRIY3', ts: '1772529999.000000' }),
      ],
    },
    {
      sample: 'every-feature',
      changed: 'a reaction',
      isUndated: true,
      after: [put(day, '/0/reactions', [{ name: 'wave', users: ['U05HLPRIY3'], count: 1 }])],
    },
    {
      sample: 'every-feature',
      changed: 'a deletion',
      after: Object.entries({
        subtype: 'tombstone',
        user: 'USLACKBOT',
        text: 'This message was deleted.',
        hidden: true,
        files: undefined,
      }).map(([key, value]) => put(day, `/0/${key}`, value)),
    },
  ],
  decisions: [
    { sample: 'damaged-rows', asks: { 'second-direct-conversation': 1, 'unlisted-folder': 1 } },
    {
      files: {
        'users.json': '[{ "id": "U1", "team_id": "T1", "name": "ines", "profile": { "display_name": "Ines" } }]',
        'channels.json': '[]',
        'dms.json': '[{ "id": "D1", "members": ["U1", "U2"] }, { "id": "D2", "members": ["U1", "U2"] }]',
        'D2/2026-03-02.json': '[{ "type": "message", "user": "U1", "text": "No.", "ts": "1772442900.000100" }]',
      },
      asks: { 'second-direct-conversation': 1 },
    },
    {
      files: {
        'users.json': '[{ "id": "U1", "team_id": "T1", "name": "ines", "profile": { "display_name": "Ines" } }]',
        'channels.json': '[{ "id": "C1", "name": "hiring", "created": 1, "members": ["U1", "U2"] }]',
        'groups.json': '[{ "id": "G1", "name": "hiring", "created": 1, "members": ["U1"] }]',
        'hiring/2026-03-02.json': '[{ "type": "message", "user": "U1", "text": "No.", "ts": "1772442900.000100" }]',
      },
      asks: { 'shared-folder': 'note' },
    },
  ],
};
