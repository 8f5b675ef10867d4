import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import { telegram } from '../../../src/sources/telegram/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const caseFile = (path: string): string => readFileSync(join(import.meta.dirname, 'cases', path), 'utf8');
const read = (files: Record<string, string>) => readAll(telegram, memoryInput(files));
const codesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'problem' || entry.type === 'invalid' ? [entry.code] : []));

describe('the content of a message besides its text', () => {
  const rows = JSON.parse(caseFile('new-kinds/result.json'));
  const readRows = async (messages: readonly object[]) =>
    messagesOf(await read({ 'result.json': JSON.stringify({ ...rows, messages }) }));

  it('is text, a file, a call or a system line: no message is blank', async () => {
    const messages = await readRows(rows.messages);
    const blank = messages.filter(({ text, attachments, systemEvent }) => text === '' && !attachments && !systemEvent);
    expect(blank).toEqual([]);
    const texts = new Map(messages.map(({ origin, text }) => [origin.id, text]));
    expect([102, 103, 104, 106, 107, 130, 150].map((id) => texts.get(String(id)))).toEqual([
      'Giveaway: 3 prizes, 6 months of Premium, a mug, until 2026-02-01T10:00:00',
      'Results of a giveaway: 2 winners (user11, user12), a mug, 1 unclaimed',
      'Paid media (50 stars)',
      'Invoice: Boat, one hour, 25.00 EUR',
      'Game: [Snake](https://t.me/gamebot?game=snake)\nEat',
      'buttons\n[Open](https://example.com)',
      'Story of Ann Lee',
    ]);
    expect(messages.find(({ origin }) => origin.id === '130')?.lost).toEqual({ menus: 1 });
    expect(messages.find(({ origin }) => origin.id === '146')?.call?.endedAtMs).toBeDefined();
  });

  const row = { id: 1, type: 'message', date_unixtime: '1772442000', from: 'A', from_id: 'user1', text: '' };

  it.each([
    [{ rich_message: { blocks: [{ text: 'a' }, { title: 'b' }] } }, 'Rich message: a, b'],
    [{ media_type: 'hologram', hologram: { id: 'x' } }, 'Hologram'],
  ])('of an unknown kind is named by its kind: %j', async (content, text) => {
    const [message] = await readRows([{ ...row, ...content }]);
    expect(message).toMatchObject({ text, lost: { appData: 1 } });
  });

  it('is empty if the row only has details about the message', async () => {
    const [message] = await readRows([{ ...row, via_bot: '@gif', forwarded_from_id: 'user2' }]);
    expect([message?.text, message?.lost]).toEqual(['', undefined]);
  });

  it.each([
    [{ amount: 500, currency: 'JPY' }, 'Invoice: x, 500 JPY'],
    [{ amount: 7, currency: 'XTR' }, 'Invoice: x, 7 XTR'],
    [{ amount: 7, currency: 'no currency' }, 'Invoice: x, 7 no currency'],
    [{}, 'Invoice: x'],
  ])('an invoice has its amount in the unit of its currency: %j', async (sum, text) => {
    const [message] = await readRows([{ ...row, invoice_information: { title: 'x', ...sum } }]);
    expect(message?.text).toBe(text);
  });
});

describe('pages', () => {
  it('have times with month names, and messages forwarded together have one source', async () => {
    const messages = messagesOf(await read({ 'messages.html': caseFile('languages/messages.html') }));
    expect(messages).toHaveLength(10);
    expect(messages.slice(0, 2).map(({ sentAtMs }) => new Date(sentAtMs).toISOString())).toEqual([
      '2017-11-09T15:54:55.000Z',
      '2019-12-20T12:00:34.000Z',
    ]);
    expect(messages[1]?.lost).toEqual({ styles: 1, emojiInText: 1 });
    expect(messages[3]).toMatchObject({
      text: '_Forwarded from Port news_',
      attachments: [{ name: 'photo.jpg', unavailable: 'not-in-export' }],
    });
    expect(messages[6]?.call).toMatchObject({ endedAtMs: messages[6]!.sentAtMs + 12_000 });
    expect(messages[8]?.text).toBe('caption\n[Open](https://example.com/open)');
  });

  it('that begin within forwarded messages do not name their source', async () => {
    const page = caseFile('forwards/messages.html');
    const texts = async (text: string) => messagesOf(await read({ 'messages.html': text })).map((one) => one.text);
    expect((await texts(page)).slice(0, 2)).toEqual([
      '_Forwarded from Port news_\none',
      '_Forwarded from Port news_\ntwo',
    ]);
    const later = page.replace(/<div class="message default clearfix" id="message1">.*?(?=<div class="message )/s, '');
    expect((await texts(later))[0]).toBe('_Forwarded_\ntwo');
  });

  const [first, second] = ['chat_01', 'chat_02'].map((chat) => caseFile(`same-name/chats/${chat}/messages.html`));

  it('of chats of the same name stay separate, as do the people they are named after', async () => {
    const entries = await read({ 'chats/chat_01/messages.html': first!, 'chats/chat_02/messages.html': second! });
    expect(messagesOf(entries).map(({ origin, author }) => `${origin.conversation}: ${author}`)).toEqual([
      'Deleted Account (chat_01): Deleted Account (chat_01)',
      'Deleted Account (chat_01): Ann',
      'Deleted Account (chat_02): Deleted Account (chat_02)',
      'Deleted Account (chat_02): Ann',
    ]);
    expect(codesOf(entries)).toEqual(['telegram-same-name']);
  });

  const conversationsOf = (entries: readonly Entry[]) =>
    new Set(messagesOf(entries).map(({ origin }) => origin.conversation));

  it('of chats of the same name in two exports read together stay separate', async () => {
    const inputs = [first, second].map((page, index) =>
      memoryInput({ 'messages.html': page }, `/exports/${index}/Chat Export`),
    );
    const entries = (await Promise.all(inputs.map((input) => readAll(telegram, input, { inputs })))).flat();
    expect([...conversationsOf(entries)]).toEqual([
      'Deleted Account (0/Chat Export)',
      'Deleted Account (1/Chat Export)',
    ]);
    expect(codesOf(entries)).toEqual(['telegram-same-name']);
  });

  it('of three exports of one chat are one chat if only the third has messages of both others', async () => {
    const parts = [5, 9].map((id) => first!.replaceAll('message5', `message${id}`));
    const both = first!.replace('</html>', '').concat(parts[1]!);
    const entries = await read({
      'a/messages.html': parts[0]!,
      'b/messages.html': parts[1]!.replaceAll('message6', 'message10'),
      'c/messages.html': both,
    });
    expect([...conversationsOf(entries)]).toEqual(['Deleted Account']);
    expect(codesOf(entries)).toEqual([]);
  });

  it('of one chat exported twice are one chat', async () => {
    const more = first!.replace('to the first', 'edited').replaceAll('message5', 'message9');
    const entries = await read({ '2024/messages.html': first!, '2025/messages.html': more });
    expect(new Set(messagesOf(entries).map(({ origin }) => origin.conversation))).toEqual(new Set(['Deleted Account']));
    expect(codesOf(entries)).toEqual([]);
  });

  it.each(['Ann changed the title to «5 March 2020»', 'Ann joined on 5 March 2020', '5 nonsense 2020'])(
    'have lines of the program that are no days: %s',
    async (line) => {
      const page = caseFile('languages/messages.html').replace(
        '9 ноября 2017\n',
        `9 ноября 2017\n</div></div>
<div class="message service" id="message-7"><div class="body details">
${line}
`,
      );
      const messages = messagesOf(await read({ 'messages.html': page }));
      expect(messages[0]).toMatchObject({ text: line, systemEvent: 'service' });
    },
  );
});
