import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import { teams } from '../../../src/sources/teams/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const caseFile = (path: string): string => readFileSync(join(import.meta.dirname, 'cases', path), 'utf8');

const read = (files: Record<string, string>): Promise<readonly Entry[]> => readAll(teams, memoryInput(files));
const readCase = (path: string) => read({ [path.split('/')[1]!]: caseFile(path) });

const problemsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'problem' || entry.type === 'invalid' ? [entry.code] : []));
const conversationsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record] : []));
const textsOf = (entries: readonly Entry[]) => messagesOf(entries).map(({ text }) => text);

describe('rows in other rows', () => {
  it('are messages: replies belong to the message they answer, and unsaved ones are reported', async () => {
    const entries = await readCase('nested-replies/messages.json');
    expect(messagesOf(entries).map(({ origin, threadRoot, text }) => [origin.id, threadRoot, text])).toEqual([
      ['1709800000000', undefined, 'root'],
      ['1709800000000/1709800001000', '1709800000000', 'first answer'],
      ['1709800000000/1709800002000', '1709800000000', 'second answer'],
    ]);
    expect(problemsOf(entries)).toEqual(['teams-more-rows']);
  });

  it('need not name their chat or the message they answer if the surrounding row does', async () => {
    const [root] = JSON.parse(caseFile('nested-replies/messages.json')).value;
    for (const key of ['replyToId', 'chatId', 'channelIdentity']) for (const reply of root.replies) delete reply[key];
    root.replies.push('no message');
    const entries = await read({ 'messages.json': JSON.stringify([root]) });
    expect(messagesOf(entries).map(({ origin }) => `${origin.conversation} ${origin.id}`)).toEqual([
      '19:0f1e@thread.tacv2 1709800000000',
      '19:0f1e@thread.tacv2 1709800000000/1709800001000',
      '19:0f1e@thread.tacv2 1709800000000/1709800002000',
    ]);
    expect(problemsOf(entries)).toEqual(['not-an-object', 'teams-more-rows']);
  });

  const [chat] = JSON.parse(caseFile('chat-with-messages/chats.json'));
  const member = { roles: ['owner'], userId: 'u9', displayName: 'Jon', '@odata.type': '#aadUserConversationMember' };
  const empty = { ...chat, id: '19:empty@thread.v2', topic: 'Silence', members: [member], messages: [] };
  const late = { messages: chat.messages, members: [member], id: chat.id, topic: 'Late', chatType: 'group' };
  const messages = chat.messages.map((message: object) => ({ ...message, chatId: null }));
  const channel = { id: '19:c@thread.tacv2', displayName: 'General', membershipType: 'standard', messages };

  it.each<[string, string, string]>([
    ['a list of chats', JSON.stringify([chat]), 'Crew'],
    ['a page of chats', JSON.stringify({ value: [chat] }), 'Crew'],
    ['a list of pages', JSON.stringify([{ value: [empty] }, { value: [chat] }]), 'Silence Crew'],
    ['one chat', JSON.stringify(chat, null, 1), 'Crew'],
    ['one chat on each line', `${JSON.stringify(empty)}\n${JSON.stringify(chat)}\n`, 'Silence Crew'],
    ['chats of which the first is empty', JSON.stringify([empty, chat]), 'Silence Crew'],
    ['a chat that is described behind its messages', JSON.stringify([late]), 'Late'],
    ['teams with channels', JSON.stringify([{ id: 't', displayName: 'Port', channels: [channel] }]), 'General'],
  ])('are read in %s', async (_, text, names) => {
    const entries = await read({ 'chats.json': text });
    expect(textsOf(entries)).toEqual(['in the chat 0', 'in the chat 1', 'in the chat 2']);
    const named = conversationsOf(entries).map(({ name }) => name);
    expect(named.toSorted()).toEqual(names.split(' ').toSorted());
    expect(problemsOf(entries).filter((code) => code !== 'teams-unlisted-members')).toEqual([]);
  });

  it('add no people to a chat whose members are listed', async () => {
    const [found] = conversationsOf(await read({ 'chats.json': JSON.stringify([late]) }));
    expect(found?.members).toEqual(['u9']);
  });
});

describe('a property unknown to PowerShell', () => {
  it('is in "AdditionalProperties": members of a chat', async () => {
    const members = ['u1', 'u2'].map((userId) => ({ Id: 'x', DisplayName: userId, AdditionalProperties: { userId } }));
    const chat = { Id: '19:a@thread.v2', Topic: 'Crew', ChatType: 'group', CreatedDateTime: '', Members: members };
    const [found] = conversationsOf(await read({ 'chats.json': JSON.stringify([chat]) }));
    expect(found?.members).toEqual(['u1', 'u2']);
  });
});

describe('a card', () => {
  const textOf = async (kind: string, content: object, attachment: object = {}) => {
    const [row] = JSON.parse(caseFile('rich/messages.json')).value;
    const contentType = `application/vnd.microsoft.${kind}`;
    const attachments = [{ id: 'a', contentType, content: JSON.stringify(content), ...attachment }];
    const rows = [{ ...row, body: { contentType: 'html', content: '<attachment id="a"></attachment>' }, attachments }];
    const [message] = messagesOf(await read({ 'messages.json': JSON.stringify(rows) }));
    return message!;
  };

  it('keeps names and values of facts, and where its buttons lead', async () => {
    const content = {
      '@type': 'MessageCard',
      sections: [{ activityTitle: 'by Jon', facts: [{ name: 'Branch:', value: 'main' }] }],
      potentialAction: [
        { '@type': 'OpenUri', name: 'View', targets: [{ os: 'default', uri: 'https://ci.example/7' }] },
      ],
    };
    const { text, lost } = await textOf('teams.card.o365connector', content);
    expect(text).toBe('by Jon\nBranch: main\n[View](https://ci.example/7)');
    expect(lost).toBeUndefined();
  });

  it('shows what can be chosen in a field, and counts the field', async () => {
    const choices = ['Pier', 'Café'].map((title, value) => ({ title, value: String(value) }));
    const body = [
      { type: 'FactSet', facts: [{ title: 'Wind', value: '9' }] },
      { type: 'Input.ChoiceSet', id: 'c', label: 'Where?', value: '1', choices },
      { type: 'Input.Text', placeholder: 'Why?' },
    ];
    const actions = [{ type: 'Action.Submit', title: 'OK' }];
    const { text, lost } = await textOf('card.adaptive', { type: 'AdaptiveCard', body, actions });
    expect(text).toBe('Wind: 9\nWhere?\n- Pier\n- Café (chosen)\nWhy?');
    expect(lost).toEqual({ menus: 3 });
  });

  it('that shows nothing is called by its kind', async () => {
    const { text, lost } = await textOf('card.hero', { images: [{ url: 'https://x.example/i.png' }] });
    expect([text, lost]).toEqual(['Card: hero', { cardDetails: 1, appData: 1 }]);
  });
});

it('snippets, components of Loop, meetings, films and recordings are named', async () => {
  const messages = messagesOf(await readCase('rich/messages.json'));
  expect(messages.filter(({ text, attachments = [] }) => text === '' && attachments.length === 0)).toEqual([]);
  const texts = messages.map(({ text }) => text);
  expect(texts).toEqual(
    expect.arrayContaining([
      'code:\n\n```python\ndef f(x):\n    return x < 2  # & done\n```\n\nafter',
      'Code snippet: sum.py (python)',
      'Loop component: [Loop list](https://contoso.sharepoint.example/loop.loop)',
      'see\n\nMeeting: Weekly sync',
      'video',
      'Forwarded\n\n> **A bot**\n> orig @Jon',
      'Call recording: [rec.mp4](https://contoso.sharepoint.example/rec.mp4)',
    ]),
  );
});

describe('a personal export', () => {
  it('has one person for an id with its kind, without it and at the end of an address', async () => {
    const entries = await readCase('skype-prefix/messages.json');
    expect(messagesOf(entries).map(({ author }) => author)).toEqual(['8:mia.b', '8:ole.d', '8:ole.d', '8:mia.b']);
    expect(conversationsOf(entries).map(({ members }) => members)).toEqual([
      ['8:ole.d', '8:mia.b'],
      ['8:ole.d', '8:mia.b', '8:per.l'],
    ]);
  });

  it('shows no JSON as text, but what people typed', async () => {
    const text = caseFile('skype-rich/messages.json');
    const typed = text.replace('line one\\nline two\\r\\n  indented', '{\\"text\\": \\"typed\\"}');
    const messages = messagesOf(await read({ 'messages.json': typed }));
    const byType = (type: string) => messages.find(({ custom }) => custom?.messagetype === type)!;
    expect(messages.map((message) => message.text).filter((said) => /^[[{]/.test(said))).toEqual(['{"text": "typed"}']);
    expect(byType('PopCard').text).toBe('tip');
    expect(byType('Notice').text).toBe('Welcome');
    expect(byType('EndToEndEncryption/EncryptedText')).toMatchObject({ text: 'EncryptedText', lost: { encrypted: 1 } });
    expect(byType('RichText/ScheduledCallInvite').text).toBe('Call on Friday');
    expect(messages.find(({ text: said }) => said.includes('the answer'))?.text).toBe(
      '> **Ole & co**\n> quoted **words**\n\nthe answer',
    );
  });

  it('keeps line endings next to markup', async () => {
    const row = { id: '1', messagetype: 'RichText', originalarrivaltime: '2026-03-02T10:00:00Z', from: 'a' };
    const rows = [{ ...row, content: 'a &lt; b\n<b>c</b>\n\nd' }];
    const text = JSON.stringify({ userId: 'a', exportDate: '', conversations: [{ id: '8:b', MessageList: rows }] });
    expect(textsOf(await read({ 'messages.json': text }))).toEqual(['a < b\n**c**\n\nd']);
  });

  it('has reactions and members as JSON in texts, and no chat for the list of calls', async () => {
    const entries = await readCase('skype-free/messages.json');
    const messages = messagesOf(entries);
    expect(messages.flatMap(({ reactions = [] }) => reactions.map(({ emoji, count }) => `${emoji} ${count}`))).toEqual([
      '❤️ 1',
      '👍 2',
    ]);
    expect(new Set(messages.map(({ author }) => author)).size).toBe(5);
    expect(conversationsOf(entries).map(({ id, members }) => [id.slice(0, 8), members.length])).toEqual([
      ['8:live:.', 2],
      ['19:3c1f0', 4],
      ['19:7a6b5', 3],
      ['28:0d5d6', 2],
      ['48:notes', 1],
    ]);
    expect(messages.map(({ text }) => text)).toEqual(expect.arrayContaining(['**Poll**\n- Fri\n- Sat']));
    expect(problemsOf(entries)).toEqual(['teams-not-migrated', 'teams-not-migrated']);
  });
});
