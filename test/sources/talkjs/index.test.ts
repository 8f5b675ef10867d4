import { describe, expect, it } from 'vitest';
import { talkjs } from '../../../src/sources/talkjs/index.ts';
import { writeMarkdown, typedText } from '../../../src/sources/talkjs/text.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const row = {
  id: 'msg_1',
  conversationId: 'c',
  senderId: 'ann',
  type: 'UserMessage',
  text: 'Hi',
  createdAt: 1772442900123,
};
const one = async (fields: object) =>
  messagesOf(await readAll(talkjs, memoryInput({ 'a.json': { data: [{ ...row, ...fields }] } })))[0]!;

describe('writeMarkdown()', () => {
  it.each([
    [['plain'], 'plain'],
    [[{ type: 'bold', children: ['both ', { type: 'italic', children: ['slanted'] }] }], '**both _slanted_**'],
    [[{ type: 'strikethrough', children: ['not'] }, ' ', { type: 'codeSpan', text: 'x*y' }], '~~not~~ `x*y`'],
    [[{ type: 'autoLink', url: 'https://example.com', text: 'example.com' }], 'https://example.com'],
    [[{ type: 'bulletList', children: [{ type: 'bulletPoint', children: ['one'] }] }], '- one\n'],
    [[{ type: 'actionButton', action: 'buy', children: ['Buy now'] }], 'Buy now'],
    [[{ type: 'customEmoji', text: ':boat:' }, null, 7], ':boat:'],
  ])('writes %j', (children, markdown) => {
    expect(writeMarkdown(children, [])).toBe(markdown);
  });

  it('names the people who are mentioned', () => {
    const mentions: string[] = [];
    expect(writeMarkdown([{ type: 'mention', id: 'bo', text: '@Bo' }], mentions)).toBe('@Bo');
    expect(mentions).toEqual(['bo']);
  });
});

describe('typedText()', () => {
  it.each([
    ['*bold* and 2*3*4', '**bold** and 2*3*4'],
    ['~struck~ and a~b', '~~struck~~ and a~b'],
    ['see <https://example.com/a|a page>', 'see [a page](https://example.com/a)'],
    ['`*code*`', '`*code*`'],
  ])('reads %s', (text, markdown) => {
    expect(typedText(text)).toBe(markdown);
  });
});

describe('a message of TalkJS', () => {
  it('keeps its text if its blocks have none', async () => {
    expect((await one({ content: [{ type: 'text', text: 'Hi' }] })).text).toBe('Hi');
  });

  it('in a list of another name is an invalid row, beside a file that is read', async () => {
    const files = { 'a.json': { data: [row] }, 'b.json': { messages: [{ ...row, id: 'msg_2' }] } };
    const entries = await readAll(talkjs, memoryInput(files));
    expect(entries.flatMap((entry) => (entry.type === 'invalid' ? [entry.reason] : []))).toEqual([
      expect.stringContaining('found one in "messages"'),
    ]);
  });

  it('without a sender is of the application only if it says so', async () => {
    expect(await one({ senderId: null, type: 'SystemMessage' })).toMatchObject({ systemEvent: 'SystemMessage' });
    expect(await one({ senderId: null })).toMatchObject({ author: undefined, systemEvent: undefined });
  });

  it('has the file of its attachment, with its name without what an address adds', async () => {
    const attachment = { url: 'https://example.com/f/chart.pdf?x=1', size: 12 };
    const { attachments } = await one({ text: null, attachment });
    expect(attachments).toEqual([{ name: 'chart.pdf', url: attachment.url, sizeBytes: 12 }]);
  });

  it('names the people of a reaction, however they are written', async () => {
    const { reactions } = await one({ reactions: { '👍': ['bo'], ':wave:': { kay: 1772442900123 }, '🎉': 3 } });
    expect(reactions).toEqual([
      { emoji: '👍', users: ['bo'], count: 1 },
      { emoji: '👋', users: ['kay'], count: 1 },
    ]);
  });
});

it('tokens for notifications are nowhere', async () => {
  const person = { id: 'ann', name: 'Ann', photoUrl: null, availabilityText: null, pushTokens: { 'fcm:secret': 1 } };
  expect(JSON.stringify(await readAll(talkjs, memoryInput({ 'a.json': { data: [person] } })))).not.toContain('secret');
});
