import { describe, expect, it } from 'vitest';
import { memoryInput } from '../contracts/memory-input.ts';
import { readEdited, sourceNamed } from '../contracts/kinds/edited-samples.ts';
import { put } from '../contracts/kinds/kind.ts';
import { readAll } from '../contracts/source.ts';
import { messagesOf } from '../contracts/source/check.ts';

/** Messages whose words are in a structure: what is in the file of the row besides, by source. */
const places: Readonly<Record<string, (row: object) => Parameters<typeof memoryInput>[0]>> = {
  chatwoot: (row) => ({
    '12.json': {
      payload: [
        {
          ...{ id: 2, content: '', conversation_id: 12, message_type: 1, content_type: 'text', private: false },
          ...{ status: 'sent', content_attributes: {}, created_at: 1772442120 },
          ...{ sender: { id: 3, name: 'Mei', type: 'user' }, ...row },
        },
      ],
    },
  }),
  quickblox: (row) => ({
    'messages.json': {
      items: [
        {
          ...{ _id: '5f0000000000000000000001', chat_dialog_id: '5e0000000000000000000001', sender_id: 101 },
          ...{ message: '', date_sent: 1772442060, attachments: [], ...row },
        },
      ],
    },
  }),
  sendbird: (row) => ({
    'messages.json': {
      messages: [
        {
          ...{ type: 'MESG', message_id: 1002, message: '', data: '', custom_type: '', created_at: 1772442120000 },
          ...{ user: { user_id: 'mei', nickname: 'Mei' }, channel_url: 'sendbird_group_channel_1', ...row },
        },
      ],
    },
  }),
  slack: (row) => ({
    'channels.json': [{ id: 'C1', name: 'general', members: ['U1'] }],
    'users.json': [{ id: 'U1', name: 'ann', profile: {} }],
    'general/2026-03-02.json': [{ type: 'message', ts: '1772442003.000100', user: 'U1', text: '', ...row }],
  }),
  zendesk: (row) => ({
    'chats.json': {
      chats: [
        {
          ...{
            id: '2603.1.AbC',
            type: 'chat',
            timestamp: '2026-03-02T09:00:00Z',
            visitor: { id: '1.aa', name: 'Ann' },
          },
          history: [
            {
              ...{ type: 'chat.msg', timestamp: '2026-03-02T09:00:02Z', name: 'Mei', sender_type: 'Agent' },
              ...{ nick: 'agent:44', msg: '', msg_id: '2', ...row },
            },
          ],
        },
      ],
    },
  }),
};

const read = async (source: string, row: object) => {
  const entries = await readAll(sourceNamed(source), memoryInput(places[source]!(row)));
  return messagesOf(entries)[0];
};

const plain = (text: string) => ({ type: 'plain_text', text });
const card = {
  ...{ type: 'card', hero_image: { type: 'image', image_url: 'https://files.example.com/b.png', alt_text: 'Quay' } },
  ...{ title: plain('Berth 6'), body: { type: 'mrkdwn', text: '*deep*' } },
  actions: [{ type: 'button', text: plain('Look'), url: 'https://example.com/6' }],
};
const task = {
  ...{ type: 'task_card', task_id: 't1', title: 'Look at the gate', status: 'complete' },
  details: {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'rusty hinge' }] }],
  },
  sources: [{ type: 'url', url: 'https://example.com/gate', text: 'Gate' }],
};
const panel = { heading: 'Berth 6', paragraph: 'deep', image_url: 'https://files.example.com/b.png' };
const button = { text: 'Look', action: { type: 'LINK_ACTION', value: 'https://example.com/6' } };
const shownCard = 'Berth 6\ndeep\n[image](https://files.example.com/b.png)\n[Look](https://example.com/6)';
const original = {
  ...{ _id: '5f0000000000000000000099', message: 'High water at six', sender_id: 102 },
  chat_dialog_id: '5e0000000000000000000002',
};

const cases: readonly (readonly [source: string, kind: string, row: object, text: string])[] = [
  [
    'chatwoot',
    'cards',
    {
      content_type: 'cards',
      content_attributes: {
        items: [
          {
            ...{ title: 'Berth 6', description: 'deep', media_url: 'https://files.example.com/b.png' },
            actions: [{ type: 'link', text: 'Look', uri: 'https://example.com/6' }],
          },
        ],
      },
    },
    shownCard,
  ],
  [
    'chatwoot',
    'choices',
    { content_type: 'input_select', content_attributes: { items: [{ title: 'North', value: 'n' }] } },
    'North',
  ],
  [
    'chatwoot',
    'articles below a text',
    {
      ...{ content: 'See', content_type: 'article' },
      content_attributes: { items: [{ title: 'Tides', description: 'of March', link: 'https://example.com/t' }] },
    },
    'See\n\n[Tides](https://example.com/t)\nof March',
  ],
  [
    'sendbird',
    'a template',
    {
      extended_message_payload: {
        template: { key: 'tide', variables: { headline: 'High water', where: 'north berth' } },
      },
    },
    'High water\nnorth berth',
  ],
  [
    'slack',
    'a card',
    { blocks: [card] },
    '[Quay](https://files.example.com/b.png)\nBerth 6\n**deep**\n[Look](https://example.com/6)',
  ],
  [
    'slack',
    'a carousel',
    { blocks: [{ type: 'carousel', elements: [{ type: 'card', title: plain('Berth 6') }] }] },
    'Berth 6',
  ],
  [
    'slack',
    'a plan of tasks',
    { blocks: [{ type: 'plan', title: 'Today', tasks: [task] }] },
    'Today\nLook at the gate\nrusty hinge\n[Gate](https://example.com/gate)',
  ],
  [
    'slack',
    'a block that is not known',
    { blocks: [{ type: 'tide_board', rows: [[plain('North'), plain('4 m')]] }] },
    'North 4 m',
  ],
  [
    'zendesk',
    'quick replies',
    { structured_msg: { type: 'QUICK_REPLIES', msg: 'Which berth?', quick_replies: [{ text: 'North' }] } },
    'Which berth?\nNorth',
  ],
  [
    'zendesk',
    'quick replies with a text',
    { msg: 'Which berth?', structured_msg: { msg: 'Which berth?', quick_replies: [{ text: 'North' }] } },
    'Which berth?\nNorth',
  ],
  ['zendesk', 'a panel', { structured_msg: { type: 'PANEL_TEMPLATE', panel, buttons: [button] } }, shownCard],
  [
    'zendesk',
    'panels',
    { structured_msg: { type: 'PANEL_TEMPLATE_CAROUSEL', items: [{ panel, buttons: [button] }] } },
    shownCard,
  ],
  ['zendesk', 'a trigger', { type: 'chat.triggermsg', msg: 'Can we help?' }, 'Can we help?'],
  [
    'quickblox',
    'a forward',
    {
      message: '[Forwarded_Message]',
      qb_message_action: 'forward',
      origin_sender_name: 'Bo',
      qb_original_messages: JSON.stringify([original]),
    },
    '> **Bo**\n> High water at six',
  ],
  [
    'quickblox',
    'a reply to another dialog',
    { message: 'From six on', qb_message_action: 'reply', qb_original_messages: [original] },
    '> High water at six\n\nFrom six on',
  ],
];

describe('words of a message in a structure', () => {
  it.each(cases)('are its text (%s: %s)', async (source, _, row, text) => {
    expect(await read(source, row)).toMatchObject({ text, unread: undefined });
  });

  it('of a reply in the same dialog are those of the message that it quotes (quickblox)', async () => {
    const inner = { ...original, chat_dialog_id: '5e0000000000000000000001' };
    const row = { message: 'From six on', qb_message_action: 'reply', qb_original_messages: JSON.stringify([inner]) };
    expect(await read('quickblox', row)).toMatchObject({ text: 'From six on', quoteOf: original._id });
  });

  it('are the name of a file, where an app writes it so (quickblox)', async () => {
    const message = 'MediaContentEntity|quay.png|edae218c|image/png';
    const files = [{ name: 'quay.png', mimeType: 'image/png', unavailable: 'not-in-export' }];
    expect(await read('quickblox', { message })).toMatchObject({ text: '', attachments: files });
  });

  it('that cannot be read are named (quickblox)', async () => {
    const row = { message: '[Forwarded_Message]', qb_message_action: 'forward', qb_original_messages: '[{"mess' };
    expect(await read('quickblox', row)).toMatchObject({ text: '', unread: ['qb_original_messages'] });
  });

  it('of the system are a line of it (zendesk)', async () => {
    const row = { type: 'chat.systemmsg', msg: 'Transferred' };
    expect(await read('zendesk', row)).toMatchObject({ text: 'systemmsg: Transferred', systemEvent: 'chat.systemmsg' });
  });
});

/** A message of a sample, in place of whose text a structure is put: the file, the pointer of the row, what is put there. */
const edited: readonly (readonly [
  source: string,
  sample: string,
  kind: string,
  file: string,
  pointer: string,
  row: object,
  text: string,
])[] = [
  [
    ...(['discord', 'fetched', 'buttons', '1480000000000000100.ndjson', '/3'] as const),
    { content: '', components: [{ type: 1, components: [{ type: 2, label: 'Look', url: 'https://example.com/6' }] }] },
    '[Look](https://example.com/6)',
  ],
  [
    ...(['hubspot', 'answers', 'quick replies', '8243595014.json', '/results/3'] as const),
    {
      text: '',
      richText: '',
      attachments: [{ type: 'QUICK_REPLIES', quickReplies: [{ value: 'n', label: 'North' }] }],
    },
    'North',
  ],
  [
    ...(['intercom', 'answers', 'quick replies', '123.json', '/conversation_parts/conversation_parts/4'] as const),
    { body: null, metadata: { quick_reply_options: [{ text: 'North', uuid: 'x' }] } },
    'North',
  ],
  [
    ...(['livechat', 'answers', 'buttons', 'archives-1.json', '/chats/0/thread/events/0'] as const),
    { type: 'rich_message', text: undefined, elements: [{ buttons: [{ type: 'message', text: 'North' }] }] },
    'North',
  ],
  [
    ...(['mattermost', 'every-feature', 'buttons', 'import.jsonl', '/14/post'] as const),
    { message: '', props: { attachments: [{ actions: [{ id: 'x', name: 'Look' }] }] } },
    'Look',
  ],
  [
    ...(['rocketchat', 'collections', 'a block that is not known', 'rocketchat_message.json', '/3'] as const),
    { msg: '', blocks: [{ type: 'info_card', rows: [{ elements: [{ type: 'plain_text', text: 'North quay' }] }] }] },
    'North quay',
  ],
];

describe('a message that has nothing but a structure', () => {
  it.each(edited)('says its words (%s, %s: %s)', async (source, sample, _kind, file, pointer, row, text) => {
    const edits = Object.entries(row).map(([key, value]) => put(file, `${pointer}/${key}`, value));
    const before = messagesOf(await readEdited(sourceNamed(source), { sample, edits: [] })).map(
      (message) => message.text,
    );
    const after = messagesOf(await readEdited(sourceNamed(source), { sample, edits }));
    const changed = after.filter((message, at) => message.text !== before[at]);
    expect(changed).toMatchObject([{ text, unread: undefined }]);
  });

  it('has its pictures as files (discord)', async () => {
    const components = [{ type: 12, items: [{ media: { url: 'https://files.example.com/b.png' } }] }];
    const edits = [
      put('1480000000000000100.ndjson', '/3/content', ''),
      put('1480000000000000100.ndjson', '/3/components', components),
    ];
    const after = messagesOf(await readEdited(sourceNamed('discord'), { sample: 'fetched', edits }));
    const files = after.flatMap(({ attachments = [] }) => attachments.map(({ url }) => url));
    expect(files).toContain('https://files.example.com/b.png');
  });
});

describe('a row of a table without a text', () => {
  const messages = { id: 'id', author: 'who', conversation: 'room', time: 'at', text: 'text' };
  const rows = [
    ['1', 'ann', 'r1', '2026-03-02T09:00:00Z', '', '"[{""type"":""card"",""title"":""Berth 6""}]"'],
    ['2', 'ann', 'r1', '2026-03-02T09:01:00Z', '', ''],
  ];
  const table = [['id', 'who', 'room', 'at', 'text', 'blocks'], ...rows].map((cells) => cells.join(',')).join('\n');

  it('is blank only if no column that is not read has a structure (csv)', async () => {
    const entries = await readAll(sourceNamed('csv'), memoryInput({ 'm.csv': table }), {}, { messages });
    expect(messagesOf(entries).map(({ unread }) => unread)).toEqual([['blocks: card'], undefined]);
  });
});

describe('a deleted part of a chat (zendesk)', () => {
  it('is a deleted message', async () => {
    const attachment = { name: 'passport.png', url: 'https://files.example.com/b.png', mime_type: 'image/png' };
    const file = await read('zendesk', { type: 'chat.file', attachment, deleted: true });
    expect(file).toMatchObject({ isDeleted: true, attachments: [{ name: 'passport.png', unavailable: 'deleted' }] });
    expect(JSON.stringify(file)).not.toContain('files.example.com');
    expect(await read('zendesk', { msg: 'Ahoy', deleted: true })).toMatchObject({ isDeleted: true, text: 'Ahoy' });
  });
});
