import { describe, expect, it } from 'vitest';
import { front } from '../../../src/sources/front/index.ts';
import { conversationIn } from '../../../src/sources/front/layout.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { messagesOf } from '../../contracts/source/check.ts';

const api = 'https://api2.frontapp.com';

const from = (handle: string, contact: string | null = null) => ({
  ...{ handle, role: 'from', name: null },
  _links: { related: { contact: contact && `${api}/contacts/${contact}` } },
});

const message = (id: string, more: object = {}) => ({
  ...{ id, type: 'email', is_inbound: true, is_draft: false, created_at: 1772442000.25, body: 'Hi' },
  ...{ author: null, recipients: [from('ines@example.com')], _links: {} },
  ...more,
});

const inConversation = (id: string) => ({ _links: { related: { conversation: `${api}/conversations/${id}` } } });

const answer = (path: string, rows: readonly object[], next: string | null = null) => ({
  ...{ _pagination: { next }, _links: { self: `${api}/${path}` }, _results: rows },
});

const readFiles = async (files: Readonly<Record<string, unknown>>) => {
  const entries = await readAll(front, memoryInput(files));
  return {
    messages: messagesOf(entries).map(({ origin }) => `${origin.conversation} ${origin.id}`),
    records: messagesOf(entries),
    codes: entries.flatMap((entry) => ('code' in entry ? [entry.code] : [])),
  };
};

const readOne = async (more: object) => readFiles({ 'cnv_7.json': [message('msg_1', more)] });

describe('conversationIn()', () => {
  it.each([
    ['Support/cnv_55c8c149/1453770984.123-message-msg_55c8c149.json', 'cnv_55c8c149'],
    ['messages/cnv_7-2.json', 'cnv_7'],
    ['cnv_7/cnv_8.json', undefined],
    ['messages-2.json', undefined],
  ])('finds in "%s" the conversation %s', (path, conversation) => {
    expect(conversationIn(path)).toBe(conversation);
  });
});

describe('a message', () => {
  it('is of the conversation that it names, then of that in the address, then of that in the path', async () => {
    const rows = [message('msg_1', inConversation('cnv_9')), message('msg_2')];
    const one = await readFiles({ 'cnv_7.json': answer('conversations/cnv_8/messages?limit=100', rows) });
    expect(one.messages).toEqual(['cnv_9 msg_1', 'cnv_8 msg_2']);
    expect((await readFiles({ 'cnv_7.json': rows })).messages).toEqual(['cnv_9 msg_1', 'cnv_7 msg_2']);
    expect((await readFiles({ 'a.json': rows })).codes).toEqual(['front-no-conversation']);
  });

  it('is of no conversation because a text has an address', async () => {
    const body = `"self": "${api}/conversations/cnv_8/messages"`;
    expect((await readFiles({ 'a.json': [message('msg_1', { body })] })).codes).toEqual(['front-no-conversation']);
  });

  it('is read from a list of answers, from answers on lines, and from lines of its own', async () => {
    const answers = [
      answer('conversations/cnv_7/messages', [message('msg_1')]),
      answer('conversations/cnv_8/comments', [{ id: 'cmt_1', author: null, body: 'Psst', posted_at: 1772442000 }]),
    ];
    const read = ['cnv_7 msg_1', 'cnv_8 cmt_1'];
    expect((await readFiles({ 'a.json': answers })).messages).toEqual(read);
    const lines = answers.map((one) => JSON.stringify(one)).join('\n');
    expect((await readFiles({ 'a.ndjson': lines })).messages).toEqual(read);
    const rows = [message('msg_1', inConversation('cnv_7')), message('msg_2', inConversation('cnv_8'))];
    const rowLines = rows.map((one) => JSON.stringify(one)).join('\n');
    expect((await readFiles({ 'a.ndjson': rowLines })).messages).toEqual(['cnv_7 msg_1', 'cnv_8 msg_2']);
  });

  it.each([
    [{}, undefined],
    [{ is_draft: true }, 'note'],
    [{ is_draft: false, draft_mode: 'shared' }, 'note'],
    [{ is_draft: undefined, draft_mode: null }, undefined],
    [{ is_draft: undefined, draft_mode: 'private' }, 'note'],
    [{ error_type: 'bounced' }, 'note'],
    [{ type: 'internal' }, 'note'],
    [{ type: 'phone-call' }, 'note'],
    [{ type: 'sms' }, undefined],
    [{ posted_at: 1772442000 }, 'note'],
    [{ id: 'cmt_1', posted_at: 1772442000 }, 'note'],
  ])('with %o is internal: %s', async (more, internal) => {
    expect((await readOne(more)).records.map((one) => one.internal)).toEqual([internal]);
  });

  it('of a comment that answers another is a quote', async () => {
    const related = { conversation: `${api}/conversations/cnv_7`, comment_replied_to: `${api}/comments/com_1` };
    const { records } = await readOne({ id: 'com_2', posted_at: 1772442000, _links: { related } });
    expect(records.map((one) => one.quoteOf)).toEqual(['com_1']);
  });

  it.each([
    { is_draft: undefined },
    { is_draft: 'no' },
    { draft_mode: 7 },
    { error_type: {} },
    { type: null },
    { is_inbound: null },
  ])('with %o is invalid: nobody knows who saw it', async (more) => {
    expect(await readOne(more)).toMatchObject({ messages: [], codes: ['front-unclear-visibility'] });
  });

  it('is by the teammate, by the contact, or by an address that is no contact', async () => {
    const authorOf = async (more: object) => (await readOne(more)).records.map(({ author }) => author);
    expect(await authorOf({ author: { id: 'tea_1', username: 'bo' } })).toEqual(['tea_1']);
    expect(await authorOf({ recipients: [from('ines@example.com', 'crd_1')] })).toEqual(['crd_1']);
    expect(await authorOf({})).toEqual(['handle:ines@example.com']);
  });

  it('of a tweet is by nobody: Front gives out no name, and all would be one person', async () => {
    const tweet = { type: 'tweet', body: '[REDACTED]', recipients: [from('[REDACTED]')] };
    const { records, codes } = await readOne(tweet);
    expect(records.map(({ author }) => author)).toEqual([undefined]);
    expect(codes).toEqual(['front-not-migrated']);
  });

  it('to or from others than the person of the conversation is a side conversation, unless the mapping says otherwise', async () => {
    const conversation = { id: 'cnv_7', subject: '', status: 'archived', recipient: from('ines@example.com', 'crd_1') };
    const sent = (id: string, ...to: readonly object[]) =>
      message(id, { is_inbound: false, recipients: to.map((one) => ({ ...one, role: 'to' })) });
    const files = {
      'conversations.json': [conversation],
      'cnv_7.json': [
        sent('msg_1', from('yard@example.com')),
        sent('msg_2', from('yard@example.com'), from('ines@example.com')),
        sent('msg_3', from('ines@example.org', 'crd_1')),
        message('msg_4', { recipients: [from('yard@example.com')] }),
        message('msg_5', { recipients: [from('yard@example.com'), { ...from('ines@example.com'), role: 'cc' }] }),
        sent('msg_6', { ...from('[REDACTED]') }),
        sent('msg_7'),
        message('msg_8', { recipients: 'yard@example.com' }),
        message('msg_9', { is_inbound: false, recipients: [{ ...from('yard@example.com'), role: 'recipient' }] }),
        message('msg_10', { is_inbound: false, is_draft: true, recipients: [] }),
      ],
    };
    const read = async (options: object) => {
      const entries = await readAll(front, memoryInput(files), {}, options);
      return messagesOf(entries).map(({ internal }) => internal);
    };
    const [side, unclear] = ['side-conversation', 'front-unclear-visibility'];
    expect(await read({})).toEqual([side, undefined, undefined, side, undefined, 'note']);
    const all = await read({ sentToOthers: 'visible' });
    expect(all).toEqual([...Array.from({ length: 9 }, () => undefined), 'note']);
    expect((await readFiles(files)).codes).toEqual([
      ...Array.from({ length: 4 }, () => unclear),
      'front-not-migrated',
      'front-sent-to-others',
    ]);
  });

  it.each(['before', 'behind'])('is judged by conversations %s it in the same file', async (where) => {
    const recipient = from('ines@example.com');
    const conversations = [
      { id: 'cnv_7', subject: '', status: 'archived', recipient, last_message: { id: 'msg_9', is_draft: false } },
      { id: 'cnv_8', subject: '', status: 'deleted', recipient },
    ];
    const lawyer = [{ ...from('lawyer@example.com'), role: 'to' }];
    const messages = [
      message('msg_1', { ...inConversation('cnv_7'), is_inbound: false, recipients: lawyer }),
      message('msg_2', inConversation('cnv_8')),
    ];
    // Many are longer than what is looked at first.
    const many = Array.from({ length: 600 }, (_, id) => ({
      ...conversations[0],
      id: `cnv_more${id}`,
      subject: 'x'.repeat(200),
      last_message: null,
    }));
    const rows =
      where === 'before' ? [...many, ...conversations, ...messages] : [...messages, ...many, ...conversations];
    const answers = [answer('conversations', rows.slice(0, 3)), answer('conversations', rows.slice(3))];
    const lines = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).join('\n');
    for (const content of [rows, lines(rows), answers, lines(answers), answer('conversations', rows)]) {
      const { records, codes } = await readFiles({ 'all.json': content });
      expect(records.map(({ internal, isDeleted }) => internal ?? isDeleted)).toEqual(['side-conversation', true]);
      expect(codes).toEqual(['front-sent-to-others', 'export-is-partial']);
    }
  });

  it('is one by its id, whatever keys of other programs it has', async () => {
    const rows = [
      message('msg_1', { username: 'ines' }),
      message('msg_2', { handles: [] }),
      { id: 'cmt_3', author: null, body: 'Psst', status: 'open' },
      message('msg_4', { status: 'delivered', is_inbound: undefined }),
      { id: 'tea_5', username: 'bo', first_name: 'Bo', status: 'away' },
    ];
    const { messages, codes } = await readFiles({ 'cnv_7.json': rows });
    expect(messages).toEqual(['cnv_7 msg_1', 'cnv_7 msg_2']);
    expect(codes).toEqual(['front-bad-time', 'front-unclear-visibility']);
  });

  it('keeps its place among others of the same time, whichever comes first in the file', async () => {
    const orderOf = async (times: readonly number[]) => {
      const rows = times.map((at, index) => message(`msg_${9 - index}`, { created_at: at }));
      const { records } = await readFiles({ 'cnv_7.json': rows });
      return records.toSorted((a, b) => (a.sortKey < b.sortKey ? -1 : 1)).map(({ origin }) => origin.id);
    };
    expect(await orderOf([1, 1, 2])).toEqual(['msg_9', 'msg_8', 'msg_7']);
    expect(await orderOf([2, 1, 1])).toEqual(['msg_7', 'msg_8', 'msg_9']);
  });
});

describe('an answer', () => {
  it('says that more follows, unless a page of its list is the last one', async () => {
    const first = answer('conversations/cnv_7/messages', [message('msg_1')], `${api}/conversations/cnv_7/messages?p=2`);
    const last = answer('conversations/cnv_7/messages?p=2', [message('msg_2')]);
    expect((await readFiles({ 'm-1.json': first })).codes).toEqual(['export-is-partial']);
    expect((await readFiles({ 'm-1.json': first, 'm-2.json': last })).codes).toEqual([]);
    const other = answer('conversations/cnv_8/messages', [message('msg_3')]);
    expect((await readFiles({ 'm-1.json': first, 'm-2.json': other })).codes).toEqual(['export-is-partial']);
  });

  it('of events, tags and inboxes is named as left out, and so is one without rows', async () => {
    const files = {
      'events.json': answer('conversations/cnv_7/events', [{ id: 'evt_1', type: 'assign', emitted_at: 1 }]),
      'tags.json': answer('tags', [{ id: 'tag_1', name: 'vip' }]),
      'none.json': answer('conversations/cnv_7/comments', []),
      'messages.json': answer('conversations/cnv_7/messages', [message('msg_1')]),
    };
    const entries = await readAll(front, memoryInput(files));
    const skipped = entries.flatMap((entry) => (entry.type === 'file' && entry.role === 'skipped' ? [entry.path] : []));
    expect(skipped.sort()).toEqual(['events.json', 'none.json', 'tags.json']);
  });
});
