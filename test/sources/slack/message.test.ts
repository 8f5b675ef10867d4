import { describe, expect, it } from 'vitest';
import { messageSchema } from '../../../src/model/records.ts';
import { readRow } from '../../../src/sources/slack/message.ts';
import { findRule } from '../../../src/sources/slack/subtypes.ts';
import { workspaceOf } from './context.ts';

const ts = '1700000000.000100';
const conversation = { id: 'C1', pins: new Set(['1700000001.000100']) };

/** A row read in the workspace of `workspaceOf`, with the problems it made. */
function read(row: unknown, workspace = workspaceOf()) {
  const read = readRow(row, conversation, workspace);
  if (!('record' in read)) return { result: { kind: 'invalid' as const, ...read }, problems: [] };
  expect(() => messageSchema.parse(read.record)).not.toThrow();
  return { result: read.record, problems: read.problems.map(({ code }) => code) };
}

const readMessage = (fields: object) => {
  const { result } = read({ type: 'message', ts, user: 'U1', text: 'hi', ...fields });
  expect(result.kind).toBe('message');
  return result as Extract<typeof result, { kind: 'message' }>;
};

describe('readRow()', () => {
  it('keeps id, order and time of the row', () => {
    expect(readMessage({})).toEqual({
      kind: 'message',
      origin: { source: 'slack', workspace: 'T1', conversation: 'C1', id: ts },
      sortKey: ts,
      sentAtMs: 1700000000000,
      text: 'hi',
      author: 'U1',
    });
  });

  it.each([
    [null, 'not-an-object'],
    [[], 'not-an-object'],
    ['text', 'not-an-object'],
    [{ text: 'x' }, 'missing-ts'],
    [{ ts: 1700000000.0001 }, 'bad-ts'],
    [{ ts: 'soon' }, 'bad-ts'],
    [{ mimetype: 'application/vnd.slack-docs', title: 'Rules' }, 'slack-post'],
    [{ subtype: 'ekm_access_denied', ts, user: 'UREVOKEDU', text: 'Suspended' }, 'ekm-access-denied'],
    [{ subtype: 'message_changed', ts }, 'empty-note'],
    [{ subtype: 'message_changed', ts, message: { subtype: 'message_changed', ts, message: {} } }, 'empty-note'],
  ])('rejects %j', (row, code) => expect(read(row).result).toMatchObject({ kind: 'invalid', code }));

  it('accepts fields of any type', () => {
    const odd = [null, 0, -1, 'x', true, [], {}, [null], [{}], { a: 1 }];
    for (const field of [
      'subtype',
      'text',
      'user',
      'bot_id',
      'username',
      'icons',
      'bot_profile',
      'user_profile',
      'blocks',
      'attachments',
      'files',
      'file',
      'comment',
      'reactions',
      'edited',
      'thread_ts',
      'pinned_to',
      'hidden',
      'room',
      'message',
      'inviter',
    ]) {
      for (const value of odd) expect(() => read({ ts, user: 'U1', text: 'x', [field]: value }), field).not.toThrow();
    }
  });
});

describe('readRow() on threads', () => {
  it('names the root of a reply, even if the root was not exported', () => {
    expect(readMessage({ thread_ts: '1600000000.000001' }).threadRoot).toBe('1600000000.000001');
  });

  it('has no root if the message is the root, or if other tools wrote an empty one', () => {
    expect(readMessage({ thread_ts: ts }).threadRoot).toBeUndefined();
    expect(readMessage({ thread_ts: '' }).threadRoot).toBeUndefined();
  });

  it('marks replies that were also shown in the conversation', () => {
    const modern = readMessage({ subtype: 'thread_broadcast', thread_ts: '1600000000.000001' });
    expect(modern).toMatchObject({ isBroadcast: true, threadRoot: '1600000000.000001' });
    const old = readMessage({
      subtype: 'reply_broadcast',
      text: undefined,
      broadcast_thread_ts: '1600000000.000001',
      attachments: [
        { is_msg_unfurl: true, from_url: 'https://x', channel_id: 'C1', ts: '1600000000.000001', text: 'island' },
      ],
    });
    expect(old).toMatchObject({ isBroadcast: true, threadRoot: '1600000000.000001', text: '> island' });
    expect(old.quoteOf).toBeUndefined();
  });
});

describe('readRow() on authors', () => {
  it.each([
    ['a person', { user: 'U1' }, 'U1', undefined],
    ['a bot by its bot id', { user: undefined, subtype: 'bot_message', bot_id: 'BDEPLOY' }, 'UBOT', undefined],
    ['a bot that also names a user', { user: 'U1', subtype: 'bot_message', bot_id: 'BDEPLOY' }, 'UBOT', undefined],
    ['a person through an app', { user: 'U1', bot_id: 'BDEPLOY' }, 'U1', undefined],
    [
      'an unknown bot',
      { user: undefined, subtype: 'bot_message', bot_id: 'B9', username: 'ci' },
      'B9:ci',
      { name: 'ci', isBot: true },
    ],
    [
      'another name of the same bot',
      { user: undefined, subtype: 'bot_message', bot_id: 'B9', username: 'alerts' },
      'B9:alerts',
      { name: 'alerts', isBot: true },
    ],
    [
      'an unknown bot under its own name',
      { user: undefined, subtype: 'bot_message', bot_id: 'B9', username: 'CI', bot_profile: { name: 'CI' } },
      'B9',
      { name: 'CI', isBot: true },
    ],
    [
      'an unknown bot with a profile',
      { user: 'U8', bot_id: 'B9', bot_profile: { name: 'CI', icons: { image_72: 'https://i' } } },
      'U8',
      { name: 'CI', avatarUrl: 'https://i', isBot: true },
    ],
    [
      'a bot with nothing but a name',
      { user: undefined, subtype: 'bot_message', username: 'ci' },
      'bot:ci',
      { name: 'ci', isBot: true },
    ],
    ['a bot with nothing at all', { user: undefined, subtype: 'bot_message' }, undefined, undefined],
    ['Slackbot', { user: 'USLACKBOT' }, 'USLACKBOT', { name: 'Slackbot', isBot: true }],
    [
      'Slackbot as B01',
      { user: undefined, subtype: 'bot_message', bot_id: 'B01' },
      'USLACKBOT',
      { name: 'Slackbot', isBot: true },
    ],
    [
      'a person of another workspace',
      { user: 'U7', user_profile: { display_name: '', real_name: 'Dana', image_72: 'https://d' } },
      'U7',
      { name: 'Dana', avatarUrl: 'https://d' },
    ],
    ['somebody unknown', { user: 'U7' }, 'U7', undefined],
    ['nobody', { user: 'U00', subtype: 'channel_name' }, undefined, undefined],
  ])('%s', (_, fields, author, details) => {
    const message = readMessage(fields);
    expect(message.author).toBe(author);
    expect(message.authorDetails).toEqual(details);
  });

  it('keeps the name under which a known bot posted', () => {
    const message = readMessage({
      user: undefined,
      subtype: 'bot_message',
      bot_id: 'BDEPLOY',
      username: 'Deploy (staging)',
    });
    expect(message.custom).toEqual({ shownAs: 'Deploy (staging)' });
  });
});

describe('readRow() on subtypes', () => {
  it.each([
    ['me_message', { text: 'waves' }, { text: '_waves_' }],
    ['slackbot_response', { user: 'USLACKBOT' }, { author: 'USLACKBOT', text: 'hi' }],
    [
      'channel_join',
      { text: '<@U1|ada> has joined', inviter: 'U2' },
      { systemEvent: 'channel_join', text: '@Ada has joined', mentions: undefined, custom: { inviter: 'U2' } },
    ],
    ['group_archive', {}, { systemEvent: 'group_archive' }],
    ['bot_add', { bot_id: 'BDEPLOY', text: 'added <https://e|x>' }, { systemEvent: 'bot_add', author: 'U1' }],
    [
      'tombstone',
      { user: 'USLACKBOT', hidden: true, text: 'This message was deleted.' },
      { isDeleted: true, author: undefined },
    ],
    [
      'huddle_thread',
      {
        user: 'USLACKBOT',
        text: '',
        room: {
          created_by: 'U2',
          date_start: 10,
          date_end: 20,
          participant_history: ['U1', 'U2'],
          participants: ['U1'],
        },
      },
      {
        systemEvent: 'huddle_thread',
        author: 'U2',
        text: 'Huddle',
        call: { startedAtMs: 10_000, endedAtMs: 20_000, participants: ['U1', 'U2'] },
      },
    ],
    ['sh_room_created', { room: { date_start: 10, date_end: 0 } }, { call: { startedAtMs: 10_000 }, author: 'U1' }],
    [
      'message_changed',
      {
        hidden: true,
        message: { ts: '1600000000.000001', user: 'U2', text: 'new', edited: { user: 'U2', ts: '1600000009.000000' } },
      },
      {
        text: 'new',
        author: 'U2',
        sortKey: '1600000000.000001',
        isDeleted: undefined,
        edited: { atMs: 1600000009000, by: 'U2' },
      },
    ],
    [
      'message_deleted',
      { hidden: true, deleted_ts: '1600000000.000001', previous_message: { user: 'U2', text: 'old' } },
      { text: 'old', author: 'U2', sortKey: '1600000000.000001', isDeleted: true },
    ],
    [
      'message_deleted',
      { hidden: true, deleted_ts: '1600000000.000001' },
      { text: '', isDeleted: true, sortKey: '1600000000.000001' },
    ],
  ])('%s %j', (subtype, fields, expected) => {
    const message = readMessage({ subtype, ...fields });
    for (const [key, value] of Object.entries(expected))
      expect(message[key as keyof typeof message], key).toEqual(value);
  });

  it('reads the text written with a file of 2016, not the sentence that Slack made of it', () => {
    const file = {
      id: 'F1',
      name: 'a.png',
      url_private: 'https://f/a.png',
      initial_comment: { comment: 'look\r\n:tada:' },
    };
    const text = '<@U1|ada> uploaded a file: <https://f|a.png> and commented: look\n:tada:';
    expect(readMessage({ subtype: 'file_share', text, file })).toMatchObject({
      text: 'look\n🎉',
      attachments: [{ id: 'F1' }],
    });
    expect(readMessage({ subtype: 'file_share', text, file: { ...file, initial_comment: undefined } }).text).toBe('');
    expect(readMessage({ subtype: 'file_share', text: 'mine', file }).text).toBe('mine');
  });

  it('reads a file comment from who made it', () => {
    const message = readMessage({
      subtype: 'file_comment',
      user: undefined,
      text: '<@U2> commented',
      file: { id: 'F1' },
      comment: { user: 'U2', comment: 'nice' },
    });
    expect(message).toMatchObject({ author: 'U2', text: 'nice', custom: { commentOnFile: 'F1' } });
    expect(message.attachments).toBeUndefined();
  });

  it('keeps a row of an unknown subtype as a message and reports it', () => {
    for (const platform of [
      { user: 'U1', text: '<@U1> added a tab' },
      { user: 'USLACKBOT', text: 'A tab was added' },
      { text: 'A tab was added' },
    ]) {
      const { result, problems } = read({ ts, subtype: 'new_thing', ...platform });
      expect(result).toMatchObject({ systemEvent: 'new_thing' });
      expect(problems).toEqual(['unknown-subtype']);
    }
    const { result, problems } = read({ ts, user: 'U1', text: 'hm', subtype: 'new_thing' });
    expect(result).toMatchObject({ text: 'hm', custom: { subtype: 'new_thing' } });
    expect(problems).toEqual(['unknown-subtype']);
  });

  it.each(['bot_message', 'channel_topic', 'file_mention', 'reminder_add', 'tabbed_canvas_updated', 'message_replied'])(
    'knows %s',
    (subtype) => expect(findRule(subtype)).toBeDefined(),
  );
});

describe('readRow() on marks', () => {
  it('reads reactions with who, tones and custom emoji', () => {
    const reactions = [
      { name: '+1::skin-tone-4', users: ['U1', 'U1', 7], count: 9 },
      { name: 'own-emoji', users: ['U2'] },
      { users: ['U1'] },
      null,
    ];
    expect(readMessage({ reactions }).reactions).toEqual([
      { emoji: '👍🏽', users: ['U1'], count: 9 },
      { emoji: ':own-emoji:', users: ['U2'], count: 1 },
    ]);
  });

  it('reads the last edit, and none from the zero fields of other tools', () => {
    expect(readMessage({ edited: { user: 'U1', ts: '1700000009.000000' } }).edited).toEqual({
      atMs: 1700000009000,
      by: 'U1',
    });
    expect(readMessage({ edited: null, blocks: null, attachments: null, files: null }).edited).toBeUndefined();
  });

  it('is pinned by the list of its channel or by its own field', () => {
    expect(readMessage({ ts: '1700000001.000100' }).isPinned).toBe(true);
    expect(readMessage({ pinned_to: ['C1'] }).isPinned).toBe(true);
    expect(readMessage({ pinned_to: [] }).isPinned).toBeUndefined();
  });

  it.each([
    [{ mode: 'tombstone' }, { name: 'F1', unavailable: 'deleted' }],
    [
      { mode: 'hidden_by_limit', url_private: 'https://f' },
      { name: 'F1', unavailable: 'hidden-by-limit' },
    ],
    [{ file_access: 'access_denied' }, { name: 'F1', unavailable: 'access-denied' }],
    [{ file_access: 'file_not_found' }, { name: 'F1', unavailable: 'deleted' }],
    [
      { mode: 'external', url_private: 'https://doc', size: 0 },
      { name: 'F1', url: 'https://doc', unavailable: 'external' },
    ],
    [
      { title: 'Plan', name: '', url_private_download: 'https://f/d', size: 3, mimetype: 'image/png' },
      { name: 'Plan', url: 'https://f/d', mimeType: 'image/png', sizeBytes: 3 },
    ],
    [
      { name: 'Untitled', title: 'Canvas', permalink: 'https://p' },
      { name: 'Canvas', url: 'https://p' },
    ],
  ])('file %j', (file, expected) =>
    expect(readMessage({ files: [{ id: 'F1', ...file }] }).attachments).toEqual([{ id: 'F1', ...expected }]),
  );
});

describe('readRow() on text', () => {
  const richText = (...elements: object[]) => [
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] },
  ];

  it('prefers rich text, which is not escaped', () => {
    const blocks = richText({ type: 'text', text: '<b> & *x*' });
    expect(readMessage({ text: '&lt;b&gt; &amp; *x*', blocks }).text).toBe('<b> & *x*');
  });

  it('takes marks of styles in a block for letters, which they are there', () => {
    const { text, lost } = readMessage({ text: 'a *b*', blocks: richText({ type: 'text', text: 'a *b*' }) });
    expect([text, lost]).toEqual(['a *b*', { accidentalMarkup: 1 }]);
  });

  it('shows pictures and buttons of blocks even if the blocks have no more words than the text', () => {
    const section = { type: 'section', text: { type: 'mrkdwn', text: 'Vote' } };
    const button = { type: 'button', text: { type: 'plain_text', text: 'Now' }, url: 'https://example.com/v' };
    const blocks = [section, { type: 'image', image_url: 'https://example.com/q.png', alt_text: 'tide' }];
    expect(readMessage({ text: 'Vote', blocks }).text).toBe('Vote\n\n[tide](https://example.com/q.png)');
    expect(readMessage({ text: 'Vote', blocks: [{ ...section, accessory: button }] }).text).toBe(
      'Vote\n[Now](https://example.com/v)',
    );
  });

  it('keeps the tone of an emoji that has no code points', () => {
    const emoji = (more: object) => readMessage({ text: '', blocks: richText({ type: 'emoji', ...more }) }).text;
    expect([emoji({ name: 'wave', skin_tone: 3 }), emoji({ name: 'wave::skin-tone-3' })]).toEqual(['👋🏼', '👋🏼']);
  });

  it('has the words of a mail, and the root of a thread that is a number', () => {
    const { text, threadRoot } = readMessage({
      text: '',
      files: [{ id: 'F1', name: 'Tide', filetype: 'email', plain_text: 'High at six.' }],
      thread_ts: 1772442901.0001,
    });
    expect([text, threadRoot]).toEqual(['High at six.', '1772442901.000100']);
  });

  it('falls back to the text if a block is unknown, and reports it if there is none', () => {
    const blocks = richText({ type: 'user', user_id: 'U2' }, { type: 'hologram' });
    expect(readMessage({ text: 'fallback <@U1>', blocks })).toMatchObject({ text: 'fallback @Ada', mentions: ['U1'] });
    expect(read({ ts, text: '', blocks })).toMatchObject({ result: { text: '@Bob Ray' }, problems: ['unknown-block'] });
  });

  it('shows layout blocks of bots, and of people only if there is no text', () => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*full*' } }];
    expect(readMessage({ text: 'short', blocks }).text).toBe('short');
    expect(readMessage({ text: '', blocks }).text).toBe('**full**');
    expect(readMessage({ text: 'short', blocks, bot_id: 'BDEPLOY' }).text).toBe('**full**');
  });

  const card = {
    pretext: 'New',
    title: 'Build',
    title_link: 'https://ci',
    text: '*ok*',
    fields: [{ title: 'Took', value: '6 min' }, { value: 'x' }],
    image_url: 'https://i',
    footer: 'CI',
    actions: [{ text: 'Retry' }],
    fallback: 'no',
  };

  it("adds a bot's card from top to bottom", () => {
    expect(readMessage({ text: 'Hello', attachments: [card] }).text).toBe(
      'Hello\n\nNew\n**[Build](https://ci)**\n**ok**\n**Took**: 6 min\nx\n[Retry]\n[image](https://i)\n_CI_',
    );
    expect(readMessage({ text: '', attachments: [{ fallback: 'Only *this*' }] }).text).toBe('Only **this**');
  });

  it('leaves previews of links out and counts them, unless they are all there is or are asked for', () => {
    const preview = { from_url: 'https://e', title: 'Page', text: 'words' };
    const row = { ts, user: 'U1', text: '<https://e>', attachments: [preview, preview] };
    expect(read(row).result).toMatchObject({ text: 'https://e', custom: { linkPreviews: 2 } });
    expect(read(row, workspaceOf(true)).result).toMatchObject({
      text: 'https://e\n\n**Page**\nwords\n\n**Page**\nwords',
    });
    expect(readMessage({ text: '', attachments: [preview] })).toMatchObject({ text: '**Page**\nwords' });
  });

  it('quotes a shared message, names it and brings its files', () => {
    const shared = {
      is_msg_unfurl: true,
      is_share: true,
      channel_id: 'C1',
      ts: '1600000000.000001',
      author_name: 'Bob',
      text: 'a\nb',
      files: [{ id: 'F1', url_private: 'https://f' }],
    };
    expect(readMessage({ text: 'see', attachments: [shared] })).toMatchObject({
      text: 'see\n\n> Bob\n> a\n> b',
      quoteOf: '1600000000.000001',
      attachments: [{ id: 'F1', url: 'https://f' }],
    });
    expect(readMessage({ text: 'see', attachments: [{ ...shared, channel_id: 'C2' }] }).quoteOf).toBeUndefined();
  });
});
