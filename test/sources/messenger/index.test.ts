import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { instagram, messenger } from '../../../src/sources/meta/index.ts';
import { repaired } from '../../../src/sources/meta/mojibake.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { linear, longText } from '../../long-text.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { makeExport } from './made-export.ts';

const home = temporaryFolderInMemory();

const read = (files: MemoryFiles) => readAll(messenger, memoryInput(files));
const messagesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
const conversationsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record] : []));
const filesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'file' ? [`${entry.role} ${entry.path}`] : []));

const row = (sender_name: string, timestamp_ms: number, content = 'Hi') => ({ sender_name, timestamp_ms, content });
const named = (...names: string[]) => names.map((name) => ({ name }));
const thread = (messages: readonly object[], others: object = { title: 'Tom' }) => ({
  participants: named('Ines', 'Tom'),
  messages,
  ...others,
});
const at = 1_772_442_000_000;
const inbox = 'messages/inbox/tom_1/';

it('an export that was made has as many messages as were made, each once, and the latest first', async () => {
  const folder = home.make();
  const count = await makeExport(folder, 50_000);
  const [input] = await openExport([folder]);
  const entries = await readAll(messenger, input!);
  const messages = messagesOf(entries);
  expect(new Set(messages.map(({ origin }) => origin.id)).size).toBe(count);
  expect(messages[0]).toMatchObject({ author: 'Inès Bruun', text: 'Message 0, déjà written', sentAtMs: at });
  expect(entries.filter(({ type }) => type === 'invalid' || type === 'problem')).toEqual([]);
});

describe('ids of messages', () => {
  it.each([
    ['messenger/download', 'your_facebook_activity/messages/inbox/reneezak_5101/message_1.json'],
    ['messenger/older-folders', 'messages/inbox/Tomasz_AbC1/message_1.json'],
    ['messenger/encrypted', 'Crew_1.json'],
    ['messenger/damaged-threads', 'your_activity_across_facebook/messages/inbox/twins_3/message_1.json'],
    ['instagram/download', 'your_instagram_activity/messages/inbox/tom.k_178/message_1.json'],
    ['instagram/older-folders', 'messages/inbox/mei_5/message_1.json'],
  ])('are the same in a later download of %s, which has more', async (sample, path) => {
    const source = sample.startsWith('messenger') ? messenger : instagram;
    const parsed = JSON.parse(readFileSync(join('samples', sample, 'export', path), 'utf8'));
    const [first] = parsed.messages;
    const later = { ...first, timestamp_ms: at + 1e10, timestamp: at + 1e10, content: 'Later', text: 'Later' };
    const idsOf = async (value: object) =>
      new Map(
        messagesOf(await readAll(source, memoryInput({ [path]: JSON.stringify(value), 'Crew_2.json': '' }))).map(
          ({ origin, text }) => [`${origin.conversation} ${origin.id}`, text],
        ),
      );
    const before = await idsOf(parsed);
    const after = await idsOf({ ...parsed, messages: [later, ...parsed.messages] });
    expect(after.size).toBe(before.size + 1);
    for (const [id, text] of before) expect(after.get(id)).toBe(text);
  });

  it('stay when a message is unsent, a thread archived and letters are right', async () => {
    const ids = await Promise.all(
      [
        { [`${inbox}message_1.json`]: thread([row('InÃ¨s', at)]) },
        { 'your_facebook_activity/messages/archived_threads/tom_1/message_3.json': thread([row('Inès', at)]) },
        { [`${inbox}message_1.json`]: thread([{ ...row('Inès', at, ''), is_unsent: true }]) },
      ].map(async (files) => messagesOf(await read(files))[0]!.origin),
    );
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[2]).toEqual(ids[0]);
  });
});

describe('the order of messages of one time', () => {
  const texts = async (files: MemoryFiles) =>
    messagesOf(await read(files))
      .sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
      .map(({ text }) => text);

  it('is that of files by their number, and in each from its end', async () => {
    const [a, b] = [row('Ines', at, 'a'), row('Ines', at, 'b')];
    const files = [1, 2, 10].map((number) => [
      `${inbox}message_${number}.json`,
      thread([
        { ...b, content: `b${number}` },
        { ...a, content: `a${number}` },
      ]),
    ]);
    const entries = await read(Object.fromEntries(files));
    expect(filesOf(entries).map((file) => file.split('_').at(-1))).toEqual(['1.json', '2.json', '10.json']);
    expect(await texts(Object.fromEntries(files))).toEqual(['a10', 'b10', 'a2', 'b2', 'a1', 'b1']);
  });

  it('is that of a file which begins with the earliest', async () => {
    const rows = [row('Ines', at, 'a'), row('Ines', at, 'b'), row('Tom', at + 1, 'c')];
    expect(await texts({ [`${inbox}message_1.json`]: thread(rows) })).toEqual(['a', 'b', 'c']);
  });
});

describe('the conversation of a thread', () => {
  it.each([
    [{ title: 'Tom' }, 'direct', ''],
    [{ title: 'Facebook user' }, 'direct', ''],
    [{}, 'direct', ''],
    [{ title: 'Crew' }, 'private', 'Crew'],
    [{ title: 'Tom', joinable_mode: { mode: 1, link: '' } }, 'private', 'Tom'],
    [{ title: 'Tom', thread_type: 'RegularGroup' }, 'private', 'Tom'],
  ])('%j is %s %j', async (others, type, name) => {
    const entries = await read({ [`${inbox}message_1.json`]: thread([row('Ines', at, '"title":')], others) });
    expect(conversationsOf(entries)).toMatchObject([{ id: 'tom_1', type, name, members: ['Ines', 'Tom'] }]);
  });

  it('a single file is named by its contents', async () => {
    const idOf = async (file: object) => messagesOf(await read({ 'chat.json': file }))[0]!.origin.conversation;
    expect(await idOf(thread([row('Ines', at)], { title: 'Tom', thread_path: 'inbox/tom_1' }))).toBe('tom_1');
    expect(await idOf(thread([row('Ines', at)]))).toBe('Tom');
    expect(await idOf({ messages: [row('Ines', at)] })).toBe('chat');
  });
});

describe('files of a download', () => {
  const photo = (uri: string) => thread([{ ...row('Ines', at), photos: [{ uri }] }]);
  it.each([
    ['messages/inbox/tom_1/photos/1.jpg', 'x/your_facebook_activity/messages/inbox/tom_1/'],
    ['your_activity_across_facebook/messages/inbox/tom_1/photos/1.jpg', 'messages/inbox/tom_1/'],
    ['your_facebook_activity/messages/inbox/tom_1/photos/1.jpg', 'tom_1/'],
    ['./photos/1.jpg', 'your_facebook_activity/messages/inbox/tom_1/'],
  ])('%j is found in %s', async (uri, folder) => {
    const entries = await read({ [`${folder}message_1.json`]: photo(uri), [`${folder}photos/1.jpg`]: 'x' });
    expect(messagesOf(entries)[0]!.attachments).toMatchObject([{ name: '1.jpg', url: `${folder}photos/1.jpg` }]);
  });

  it.each(['../../../../etc/passwd', '/etc/passwd', 'messages/inbox/tom_1/photos/gone.jpg'])(
    '%j keeps its name alone',
    async (uri) => {
      const [message] = messagesOf(await read({ [`${inbox}message_1.json`]: photo(uri) }));
      expect(message!.attachments).toEqual([
        { name: uri.split('/').at(-1), kind: 'photo', unavailable: 'not-in-export' },
      ]);
    },
  );

  it('pages next to JSON are left out; single pages and chats of the other service are reported as unread chats', async () => {
    const files = {
      [`${inbox}message_1.json`]: thread([]),
      [`${inbox}message_1.html`]: '<html>',
      'messages/inbox/ann_1/message_1.html': '<html>',
      'posts/1.json': [],
      'your_instagram_activity/messages/inbox/ann_2/message_1.json': thread([]),
    };
    const entries = await read(files);
    expect(filesOf(entries)).toEqual([
      'unknown messages/inbox/ann_1/message_1.html',
      'unknown your_instagram_activity/messages/inbox/ann_2/message_1.json',
      `skipped ${inbox}message_1.html`,
      'skipped posts/1.json',
      `rows ${inbox}message_1.json`,
    ]);
    expect(entries.flatMap((entry) => (entry.type === 'file' && entry.isChat ? [entry.reason] : []))).toEqual([
      'A chat that is there only as a page (HTML): download it again as JSON',
      'A chat of Instagram: read it with --source instagram',
    ]);
  });
});

it.each([
  ['Ã', 'Ã'],
  ['Ã©', 'é'],
  ['"title":', '"title":'],
  ['_1', '_1'],
  ['*', '*'],
])('reads a long text of %s in linear time', linear, async (piece, shown) => {
  // Quadratic time would not end within the test's timeout.
  const text = longText(piece);
  expect(repaired(text) === shown.repeat(text.length / piece.length)).toBe(true);
  const entries = await read({ [`${inbox}message_1.json`]: thread([row('Ines', at, piece.repeat(10_000))]) });
  expect(messagesOf(entries)[0]!.text === shown.repeat(10_000)).toBe(true);
});
