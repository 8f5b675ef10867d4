import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { googlechat } from '../../../src/sources/googlechat/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { makeExport } from './made-export.ts';

const home = temporaryFolderInMemory();

const messagesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
const read = (files: MemoryFiles) => readAll(googlechat, memoryInput(files));

const group = 'Takeout/Google Chat/Groups/DM abc/';
const date = 'Monday, March 2, 2026 at 9:00:00 AM UTC';
const message = (fields: object) => ({
  creator: { name: 'Ines', email: 'ines@example.com', user_type: 'Human' },
  created_date: date,
  topic_id: 't',
  message_id: 'abc/t/t',
  ...fields,
});
const readOne = async (fields: object, files: MemoryFiles = {}) =>
  messagesOf(await read({ ...files, [`${group}messages.json`]: { messages: [message(fields)] } }))[0]!;
const format = (start_index: number, length: number, format_type: string) => ({
  start_index,
  length,
  format_metadata: { format_type },
});

it('an export that was made has as many messages as were made, each once', async () => {
  const folder = home.make();
  const count = await makeExport(folder, 100_000);
  const [input] = await openExport([folder]);
  const entries = await readAll(googlechat, input!);
  expect(new Set(messagesOf(entries).map(({ origin }) => origin.id)).size).toBe(count);
  expect(entries.filter(({ type }) => type === 'invalid' || type === 'problem')).toEqual([]);
});

describe('ids of messages', () => {
  it.each([
    ['takeout', 'Takeout/Google Chat/Groups/DM abc/messages.json'],
    ['languages', 'Takeout/Google Csevegés/Csoportok/Közvetlen üzenet xyz/messages.json'],
  ])('are the same in a later download of %s, which has more', async (sample, path) => {
    const parsed = JSON.parse(readFileSync(join('samples/googlechat', sample, 'export', path), 'utf8'));
    const idsOf = async (value: object) =>
      new Map(
        messagesOf(await read({ [path]: value })).map(({ origin, text }) => [origin.id, [origin.conversation, text]]),
      );
    const before = await idsOf(parsed);
    const after = await idsOf({
      messages: [message({ message_id: 'abc/n/n' }), ...parsed.messages, message({ message_id: 'abc/m/m' })],
    });
    expect(after.size).toBe(before.size + 2);
    for (const [id, found] of before) expect(after.get(id)).toEqual(found);
  });
});

describe('annotations', () => {
  it.each([
    ['👋 bold', [format(3, 4, 'BOLD')], '👋 **bold**'],
    // Letters, not units.
    ['👋👋 bold', [format(3, 4, 'BOLD'), format(1, 1, 'FONT_COLOR')], '👋👋 **bold**'],
    ['a both b', [format(2, 4, 'BOLD'), format(2, 4, 'ITALIC')], 'a **_both_** b'],
    ['see\nx = 1\nend', [format(4, 5, 'MONOSPACE_BLOCK')], 'see\n```\nx = 1\n```\nend'],
    ['out of it', [format(4, 500, 'STRIKE')], 'out ~~of it~~'],
    ['one\ntwo', [format(0, 3, 'BULLETED_LIST_ITEM'), format(4, 3, 'BULLETED_LIST_ITEM')], '- one\n- two'],
    ['x', 'no list', 'x'],
  ])('%j', async (text, annotations, markdown) => expect((await readOne({ text, annotations })).text).toBe(markdown));

  it('take linear time: only the first thousand count, and the others are lost styles', async () => {
    const text = '👋 bold '.repeat(20_000);
    const annotations = Array.from({ length: 20_000 }, (_, index) => format(index, 3, 'BOLD'));
    const { text: markdown, lost } = await readOne({ text, annotations });
    const [bold, plain] = [[...text].slice(0, 1002).join(''), [...text].slice(1002).join('')];
    expect(markdown === `**${bold}**${plain}`).toBe(true);
    expect(lost).toEqual({ styles: 19_000 });
  });
});

describe('files', () => {
  const long = 'File-a-name-that-is-much-longer-than-what-the-download-keeps-of-it';
  it.each([
    ['File-a?x=3.png', 'File-a_x_3.png'],
    [`${long}.png`, `${long.slice(0, 47)}.png`],
    ['File-photo', 'File-photo.jpg'],
    ['File-b.png', 'File-b.png'],
  ])('%j is found as %j', async (export_name, name) => {
    const { attachments } = await readOne(
      { attached_files: [{ original_name: 'a', export_name }] },
      { [group + name]: 'x', [`${group}File-b(1).png`]: 'y' },
    );
    expect(attachments).toMatchObject([{ name: 'a', url: encodeURI(group + name), sizeBytes: 1 }]);
  });

  it.each(['../../secret.txt', '/etc/passwd', 'gone.png'])('%j keeps its name alone', async (export_name) => {
    const { attachments } = await readOne({ attached_files: [{ export_name }] });
    expect(attachments).toEqual([{ name: export_name, unavailable: 'not-in-export' }]);
  });
});

describe('a time that is not said', () => {
  const timeOf = async (fields: object) => {
    const messages = [message({}), message({ message_id: 'abc/u/u', created_date: undefined, ...fields })];
    const entries = await read({ [`${group}messages.json`]: { messages } });
    const codes = entries.flatMap((entry) => (entry.type === 'problem' ? [entry.code] : []));
    return [messagesOf(entries)[1]!.sentAtMs - Date.UTC(2026, 2, 2, 9), ...codes];
  };
  const later = date.replace(':00:00', ':01:00');
  const earlier = date.replace('9:00:00', '8:59:00');
  it.each([
    [{ previous_message_versions: [{ created_date: later }], updated_date: later }, [60_000]],
    [{ updated_date: later }, [0, 'googlechat-time-assumed']],
    [{ deleted_date: earlier }, [-60_000, 'googlechat-time-assumed']],
    [{}, [0, 'googlechat-time-assumed']],
  ])('of %j', async (fields, expected) => expect(await timeOf(fields)).toEqual(expected));
});

describe('events of Hangouts', () => {
  it('have the same ids in a later download, which has more', async () => {
    const file = JSON.parse(readFileSync('samples/googlechat/hangouts/export/Takeout/Hangouts/Hangouts.json', 'utf8'));
    const idsOf = async () =>
      messagesOf(await read({ 'Hangouts.json': file })).map(
        ({ origin, text }) => `${origin.conversation} ${origin.id} ${text}`,
      );
    const before = await idsOf();
    const [{ events }] = file.conversations;
    events.unshift({ ...events[0], event_id: 'new' });
    expect(new Set(await idsOf())).toEqual(new Set([...before, `UgA new ${before[0]!.slice('UgA e3 '.length)}`]));
  });

  it('of a conversation that is not nested in another are read too', async () => {
    const event = { event_id: 'e', sender_id: { chat_id: '7' }, timestamp: '1457000000000123', chat_message: {} };
    const direct = { id: { id: 'c' }, type: 'GROUP', participant_data: [] };
    const [message] = messagesOf(
      await read({ 'Hangouts.json': { conversations: [{ conversation: direct, events: [event] }] } }),
    );
    expect(message).toMatchObject({ origin: { conversation: 'c', id: 'e' }, author: '7', sentAtMs: 1_457_000_000_000 });
  });

  const eventWith = async (fields: object, embedItem?: object) => {
    const attachment = embedItem === undefined ? [] : [{ embed_item: embedItem }];
    const event = {
      ...{ event_id: 'e', sender_id: { chat_id: '7' }, timestamp: '1457000000000123' },
      ...{ event_type: 'REGULAR_CHAT_MESSAGE', chat_message: { message_content: { attachment } } },
      ...fields,
    };
    const conversation = { id: { id: 'c' }, type: 'GROUP', participant_data: [] };
    const [message] = messagesOf(
      await read({ 'Hangouts.json': { conversations: [{ conversation, events: [event] }] } }),
    );
    return message!;
  };
  const x = 'https://x.example';

  it.each<[object, object]>([
    [{ plus_photo: { media_type: 'PHOTO', url: `${x}/a.jpg` } }, { name: 'a.jpg', url: `${x}/a.jpg` }],
    [{ plus_photo: { thumbnail: { image_url: `${x}/s.jpg` } } }, { name: 's.jpg', url: `${x}/s.jpg` }],
    [{ plus_photo: { media_type: 'VIDEO', url: `${x}/v?id=1` } }, { name: 'video', url: `${x}/v?id=1` }],
    [
      { type: ['PLUS_AUDIO_V2'], plus_audio_v2: { url: `${x}/1` } },
      { name: 'audio', url: `${x}/1` },
    ],
    [
      { type: ['VOICE_MAIL'], url: `${x}/2`, media_type: 'AUDIO' },
      { name: 'voicemail', url: `${x}/2` },
    ],
  ])('have files by their address and kind: %j', async (item, file) => {
    expect(await eventWith({ event_type: 'VOICEMAIL' }, item)).toMatchObject({ text: '', attachments: [file] });
  });

  it.each<[object, string]>([
    [{ thing_v2: { name: 'Pier', url: `${x}/pier` } }, `[Pier](${x}/pier)`],
    [{ type: ['POLL'], poll: { name: 'Which?' } }, 'Poll: Which?'],
    [{ unheard_of: {} }, 'Unheard of'],
  ])('name attachments that are no files: %j', async (item, text) => {
    expect((await eventWith({}, item)).text).toBe(text);
  });

  it('without text are calls or system lines', async () => {
    expect(await eventWith({ event_type: 'PHONE_CALL' })).toMatchObject({ text: 'Call', call: {} });
    expect(await eventWith({ event_type: 'OTR_MODIFICATION' })).toMatchObject({
      text: 'Otr modification',
      systemEvent: 'OTR_MODIFICATION',
    });
    expect(await eventWith({})).toMatchObject({ text: '' });
  });
});
