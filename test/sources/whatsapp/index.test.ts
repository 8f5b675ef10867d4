import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import type { Entry } from '../../../src/model/entry.ts';
import type { MessageRecord } from '../../../src/model/records.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { findTitle } from '../../../src/sources/whatsapp/chats.ts';
import { whatsapp } from '../../../src/sources/whatsapp/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { makeExport } from './made-export.ts';

const read = (files: MemoryFiles, options: object = { zone: 'UTC' }) =>
  readAll(whatsapp, memoryInput(files, 'chats'), {}, options);
const messagesOf = (entries: readonly Entry[]): readonly MessageRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
const idsOf = async (text: string, options?: object) =>
  messagesOf(await read({ '_chat.txt': text }, options)).map(({ origin }) => origin.id);
const home = temporaryFolderInMemory();

describe('the probe', () => {
  it.each([
    { 'chat.txt': '\u200e[24.12.23, 18:30:05] Ann: Hi\n[24.12.23, 18:30:09] Ben: Hello\nyou\n' },
    { 'chat.txt': '24/12/2023, 6:30\u202fpm - Ann: Hi\n24/12/2023, 6:31\u202fpm - Ben: Hello\n' },
    { 'chat.txt': '[18:30, 24/12/2023] Ann: Hi\n[18:31, 24/12/2023] Ben: Hello\n' },
    { '_chat (2).txt': '[2023/12/24, 6:30:05 PM] Ann: Hi\n' },
    { '_chat.txt': '24.12.2023 klo 18.30 - Ann: Hi\n' },
    { '_chat.txt': '[18:30, 24/12/2023] Ann: Hi\n' },
    { 'WhatsApp Chat - Ann.txt': '\u200e[2023/12/24 下午6:30:05] Ann: Hi\n' },
    { 'WhatsApp Chat with Ann.txt': '12/24/23, 18:30 - Ann: Hi\n' },
  ])('knows %j', async (files) => {
    const detected = await detectSource(memoryInput(files));
    expect(detected.map(({ adapter, match }) => [adapter.name, match])).toEqual([['whatsapp', 'certain']]);
  });

  it('takes no other text for a chat', async () => {
    for (const text of ['', 'Hello: you\n', '2024-03-15 18:02:05 INFO started: x\n'.repeat(5), '[18:02:05] <a> b\n'])
      expect(await whatsapp.probe(memoryInput({ 'notes.txt': text }))).toEqual({ match: 'no' });
  });
});

describe('a line with a date that cannot be', () => {
  it('is a row of its own that is invalid, with the lines behind it', async () => {
    const lines = [
      '3/2/26, 10:00 - Ann: Hi',
      '31/31/26, 10:02 - Tom: never',
      'and on',
      '12/31/9999, 10:03 - X: z',
      '4/2/26, 27:00 - Tom: no hour',
      '4/2/26, 10:05 - Ann: Bye',
    ];
    const entries = await read({ '_chat.txt': lines.join('\n') });
    expect(messagesOf(entries).map(({ text }) => text)).toEqual(['Hi', 'Bye']);
    const rejects = entries.flatMap((entry) => (entry.type === 'invalid' ? [[entry.code, entry.location.line]] : []));
    expect(rejects).toEqual([
      ['whatsapp-bad-time', 2],
      ['whatsapp-bad-time', 4],
      ['whatsapp-bad-time', 5],
    ]);
  });
});

describe('findTitle()', () => {
  const title = (path: string, label = 'chats', fallback = '', key = `on-disk/Downloads/${label}`) =>
    findTitle({ label, key }, path, fallback);

  it.each([
    ['WhatsApp Chat with Ann.txt', 'Ann'],
    ['WhatsApp Chat with Ann (1).txt', 'Ann'],
    ['WhatsApp_Chat_with_Ann_B.txt', 'Ann B'],
    ['Conversa do WhatsApp com Ann.txt', 'Ann'],
    ['WhatsApp Chat - Pier 4/_chat.txt', 'Pier 4'],
    ['_chat.txt', 'chats'],
    ['_chat (2).txt', 'chats 2'],
    ['pier.txt', 'pier'],
  ])('of %s is %s', (path, expected) => expect(title(path)).toBe(expected));

  it('is that of the archive, of the mapping, or of the folder of a single file', () => {
    expect(title('_chat.txt', 'WhatsApp Chat - Ann.zip')).toBe('Ann');
    expect(title('_chat.txt', '_chat.txt', 'Pier 4')).toBe('Pier 4');
    expect(title('_chat.txt', '_chat.txt')).toBe('Downloads');
  });
});

describe('ids of messages', () => {
  const rows = ['3/4/24, 10:00 - Ann: hi', '3/4/24, 10:00 - Ann: hi', '3/4/24, 10:01 - Ben: <Media omitted>'];
  const chat = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

  it('stay when the chat grows, begins later, and is read with another zone or order of dates', async () => {
    const ids = await idsOf(chat(...rows));
    expect(new Set(ids).size).toBe(3);
    expect((await idsOf(chat(...rows, '13/4/24, 10:00 - Ben: yo'))).slice(0, 3)).toEqual(ids);
    expect((await idsOf(chat('1/4/24, 9:00 - Ben: yo', ...rows))).slice(1)).toEqual(ids);
    expect(await idsOf(chat(...rows), { zone: 'Asia/Tokyo', dates: 'month-first' })).toEqual(ids);
  });

  it('are the same with and without media, and whatever spaces and marks a phone writes', async () => {
    const ids = await idsOf(chat(...rows));
    const withMedia = chat(...rows.slice(0, 2), '3/4/24, 10:01 - Ben: \u200eIMG-20240403-WA0001.jpg (file attached)');
    expect(await idsOf(withMedia)).toEqual(ids);
    expect(await idsOf(chat(...rows).replaceAll('3/4/24, 10:0', '\u200e03/04/24,\u00a010:0'))).toEqual(ids);
  });

  const samples = readdirSync('samples/whatsapp').flatMap((sample) =>
    readdirSync(`samples/whatsapp/${sample}/export`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.txt'))
      .map((path) => `samples/whatsapp/${sample}/export/${path}`),
  );

  it.each(samples)('stay when %s is made again later with more messages', async (path) => {
    const text = readFileSync(path, 'utf8');
    const ids = await idsOf(text);
    const last =
      text
        .trimEnd()
        .split(/\r?\n/)
        .findLast((line) => /^\u200e?[\u200f[]?[\d١]/.test(line)) ?? '';
    const grown = `${text}${last}\n${last} again\n`;
    expect((await idsOf(grown)).slice(0, ids.length)).toEqual(ids);
  });
});

describe('a chat of two', () => {
  const typeOf = async (text: string, options?: object) =>
    (await read({ 'WhatsApp Chat with Ben.txt': text }, options)).flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'conversation'
        ? [[entry.record.type, ...entry.record.members]]
        : [],
    );

  it('has the name of one who writes in it, and no event of a group', async () => {
    const two = '13/4/24, 10:00 - Ann: hi\n13/4/24, 10:01 - Ben: hi\n';
    expect(await typeOf(two)).toEqual([['direct', 'Ann', 'Ben']]);
    expect(await typeOf(`13/4/24, 9:00 - Ann added Cay\n${two}`)).toEqual([['private']]);
    expect(await typeOf(`${two}13/4/24, 10:02 - Cay: hi\n`)).toEqual([['private']]);
    expect(await typeOf('13/4/24, 10:00 - Ann: hi\n13/4/24, 10:01 - Cay: hi\n')).toEqual([['private']]);
  });

  it('in which one is silent is known by who you are', async () => {
    expect(await typeOf('13/4/24, 10:00 - Ben: hi\n')).toEqual([['private']]);
    expect(await typeOf('13/4/24, 10:00 - Ben: hi\n', { zone: 'UTC', me: 'Ann' })).toEqual([['direct', 'Ann', 'Ben']]);
  });
});

it('files next to a chat belong to its messages, texts too', async () => {
  const entries = await read({
    'a/_chat.txt': '13/4/24, 10:00 - Ann: notes.txt (file attached)\n',
    'a/notes.txt': '13/4/24, 10:00 - Ann: no chat\n13/4/24, 10:00 - Ann: but a file\n',
    'b/c.bin': '',
  });
  expect(entries.flatMap((entry) => (entry.type === 'file' ? [[entry.path, entry.role]] : []))).toEqual([
    ['a/notes.txt', 'skipped'],
    ['b/c.bin', 'unknown'],
    ['a/_chat.txt', 'rows'],
  ]);
  expect(messagesOf(entries)[0]!.attachments).toMatchObject([{ name: 'notes.txt', url: 'a/notes.txt', sizeBytes: 63 }]);
});

it('a message without an end is rejected, and the rest is read', async () => {
  const entries = await read({
    '_chat.txt': `13/4/24, 10:00 - Ann: hi\n${'x'.repeat(1000)}\n${`${'y'.repeat(999)}\n`.repeat(1100)}13/4/24, 10:01 - Ann: yo\n`,
  });
  expect(entries.flatMap((entry) => (entry.type === 'invalid' ? [entry.code] : []))).toEqual(['whatsapp-no-end']);
  expect(messagesOf(entries).map(({ text }) => text)).toEqual(['yo']);
});

it('a made chat has as many messages as its maker says', async () => {
  const folder = home.make();
  const count = await makeExport(folder, 100_000);
  const [input] = await openExport([folder]);
  const entries = await readAll(whatsapp, input!, {}, { zone: 'UTC' });
  expect(messagesOf(entries).length).toBe(count);
  expect(entries.filter(({ type }) => type === 'invalid' || type === 'problem')).toEqual([]);
  await input!.close();
});
