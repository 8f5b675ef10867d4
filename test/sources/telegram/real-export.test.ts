import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { messageSchema } from '../../../src/model/records.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { telegram } from '../../../src/sources/telegram/index.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { type Account, importAndReadBack } from '../read-back.ts';

const folder = sharedFolder('exports/telegram');
const home = temporaryFolderInMemory();

async function readExport(path: string) {
  const [input] = await openExport([`${folder}/${path}`]);
  try {
    const entries = await readAll(telegram, input!);
    const messages = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : [],
    );
    for (const message of messages) expect(() => messageSchema.parse(message)).not.toThrow();
    const codes = entries.flatMap((entry) => (entry.type === 'invalid' ? [entry.code] : []));
    return { entries, messages, codes };
  } finally {
    await input!.close();
  }
}

describe.skipIf(folder === null)('published exports of Telegram', () => {
  it.each([
    ['bot.json', 2, []],
    ['personal.json', 0, []],
    ['private_channel.json', 7, []],
    ['private_group.json', 2, []],
    ['public_channel.json', 7, []],
    ['public_supergroup.json', 4, []],
    ['saved.json', 21, []],
    ['users_test.json', 9, []],
    // A comma is missing behind the chat's id: what follows is no JSON.
    ['error.json', 0, ['json-syntax']],
    // A text that is an object, and a message without an id.
    ['error-unexpected.json', 14, ['telegram-bad-text', 'missing-id']],
  ])('%s of 2020 has %d messages', async (file, count, rejects) => {
    const { messages, codes } = await readExport(`chats-2020/${file}`);
    expect([messages.length, codes]).toEqual([count, rejects]);
  });

  it('yields a chat in which no person wrote', async () => {
    const { entries } = await readExport('chats-2020/personal.json');
    expect(entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []))).toMatchObject([
      { kind: 'conversation', id: 'user5555555555', members: ['user5555555555'] },
      { kind: 'user', id: 'user5555555555', name: 'otherperson' },
    ]);
  });

  it('keeps styles, forwards, polls, files that were too large and ids of before', async () => {
    const { messages } = await readExport('chats-2020/saved.json');
    const byId = new Map(messages.map((message) => [message.origin.id, message]));
    expect(byId.get('173430')?.text).toBe(
      '**bold** _italic_ ~~strikethrough~~ underline @person [http://google.com](http://google.com/) `monospace` http://mystery.knightlab.com/',
    );
    expect(byId.get('323662')).toMatchObject({
      text: '_Forwarded from ForwardedFrom Person_\n- a list\n- with line breaks\n- three \n- four',
      custom: { saved_from: 'SavedFrom Person' },
    });
    expect(byId.get('318170')?.attachments).toEqual([
      { name: 'video_file', mimeType: 'video/mp4', kind: 'video_file', unavailable: 'too-large-for-the-export' },
    ]);
    expect(byId.get('5')?.text).toBe(
      'Poll: Poll question (1 voter)\n- option 1 (1 vote, chosen)\n- option 2 (0 votes)',
    );
    expect(byId.get('7')?.quoteOf).toBe('6');
    const { messages: moved } = await readExport('chats-2020/public_supergroup.json');
    expect(moved.map(({ origin, systemEvent }) => [origin.id, systemEvent])).toEqual([
      ['-999678450', 'create_group'],
      ['-999678449', undefined],
      ['-999675685', 'migrate_to_supergroup'],
      ['1', 'migrate_from_group'],
    ]);
    expect([...moved].sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1))).toEqual(moved);
  });

  it('is the only one to claim them', async () => {
    const files = [
      'bot',
      'error',
      'personal',
      'private_group',
      'public_channel',
      'saved',
      'users_test',
      'error-unexpected',
    ];
    const paths = ['chats-2020', 'minimal', 'invalid-json', ...files.map((name) => `chats-2020/${name}.json`)];
    for (const path of paths) {
      const [input] = await openExport([`${folder}/${path}`]);
      const detected = (await detectSource(input!)).map(({ adapter: { name }, match }) => [name, match]);
      expect([path, ...detected]).toEqual([path, ['telegram', 'certain']]);
      expect(await foreignPlatform(input!)).toBeUndefined();
      await input!.close();
    }
  });

  it('reads invalid JSON written by the program', async () => {
    const { messages, entries } = await readExport('invalid-json');
    expect(messages.map(({ text }) => text).sort()).toEqual(['x', '😮']);
    const repaired = entries.filter((entry) => entry.type === 'problem' && entry.code === 'telegram-repaired');
    expect(repaired.length).toBe(2);
  });

  it.each<[string, Account]>([
    // 14 rows are in two files.
    [
      'chats-2020',
      {
        read: 55,
        planned: 42,
        skipped: {
          'system message: create_channel': 2,
          'system message: create_group': 2,
          'system message: migrate_from_group': 1,
          'system message: migrate_to_supergroup': 1,
          'system message: pin_message': 4,
        },
        invalid: { 'json-syntax': 1, 'missing-id': 1, 'telegram-bad-text': 1 },
        losses: {
          'platform facts': 13,
          'system lines': 10,
          'files without an address': 8,
          quotes: 7,
          'people who never wrote': 4,
          'messages of files only': 2,
          underlines: 2,
          'accidental Markdown': 2,
          'direct conversations as groups': 2,
          'bot marks': 1,
        },
      },
    ],
    [
      'minimal',
      {
        read: 7,
        planned: 7,
        skipped: {},
        invalid: {},
        losses: {
          quotes: 1,
          'edit marks': 1,
          'earlier versions': 1,
          'people who never wrote': 1,
          'silent members': 1,
          'direct conversations as groups': 1,
        },
      },
    ],
    [
      'invalid-json',
      {
        read: 2,
        planned: 2,
        skipped: {},
        invalid: {},
        losses: { 'bot marks': 1, 'custom emoji in texts': 1, 'menus and fields': 1 },
      },
    ],
  ])('%s is imported, and read back the same', async (path, account) => {
    expect(await importAndReadBack(telegram, `${folder}/${path}`, home.make())).toEqual(account);
  });
});
