import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { whatsapp } from '../../../src/sources/whatsapp/index.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { type Account, importAndReadBack } from '../read-back.ts';

const folder = sharedFolder('exports/whatsapp');
const home = temporaryFolderInMemory();

const read = async (name: string) => {
  const [input] = await openExport([join(folder!, name)]);
  return readAll(whatsapp, input!, {}, { zone: 'UTC' });
};
const messagesOf = (entries: readonly Entry[], conversation: string) =>
  entries.flatMap((entry) =>
    entry.type === 'record' && entry.record.kind === 'message' && entry.record.origin.conversation === conversation
      ? [entry.record]
      : [],
  );
const saidIn = (entries: readonly Entry[], conversation: string) =>
  messagesOf(entries, conversation).map(({ sentAtMs, author, text }) => [
    new Date(sentAtMs).toISOString().slice(0, 19),
    author,
    text,
  ]);
const codesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => ('code' in entry ? [`${entry.code} ${entry.location.path}`] : []));

describe.skipIf(folder === null)('published chats of WhatsApp', () => {
  it('of four dialects are read, with pasted lines as part of their message', async () => {
    const entries = await read('four-dialects');
    const counts = ['', ' 2', ' 3', ' 4'].map((number) => messagesOf(entries, `four-dialects${number}`).length);
    expect(counts).toEqual([21, 4, 11, 3]);
    expect(saidIn(entries, 'four-dialects 2')).toMatchObject([
      [
        '2019-09-17T16:37:47',
        'Peter Doe',
        'This is a message from Peter Doe\n[1.9.19, 00:00:00] Peter Doe: this is the second line of the first message',
      ],
      ['2019-09-17T16:38:06', 'Peter Doe', 'This message should have "outgoing = False"'],
      ['2019-09-17T16:38:59', 'John Doe', expect.stringMatching(/^This message should/)],
      ['2019-09-17T16:39:52', 'John Doe', 'This is the last message of this test file.'],
    ]);
    expect(saidIn(entries, 'four-dialects 4')).toEqual([
      ['2019-09-17T08:30:52', 'John Doe', 'US datetime format'],
      ['2019-09-17T16:30:10', 'John Doe', 'US datetime format'],
      ['2019-09-18T16:50:32', 'John Doe', 'US datetime format'],
    ]);
    expect(saidIn(entries, 'four-dialects').slice(2, 4)).toEqual([
      ['2018-01-04T11:54:23', undefined, 'This is an info entry'],
      ['2018-01-04T11:54:34', 'John Doe', 'This is a test answer from John Doe'],
    ]);
    expect(saidIn(entries, 'four-dialects').slice(17)).toMatchObject([
      ['2019-02-01T11:09:15', 'John Doe', expect.stringContaining('\n[1.2.2019, 00:00:00] John Doe: this line')],
      ['2019-02-01T11:09:59', 'John Doe', '¯\\_(ツ)_/¯'],
      [
        '2019-02-01T14:20:03',
        'John Doe',
        'What is that?\n2/11/19, 14:48 Alice Placeholder: this is a message from another chat!',
      ],
      ['2019-04-19T16:18:33', 'Alice Placeholder', 'This is the last message of this test file.'],
    ]);
  });

  it('of four dialects ask for the order of dates only if it is ambiguous', async () => {
    const entries = await read('four-dialects');
    expect(codesOf(entries).filter((code) => code.startsWith('whatsapp-date-order'))).toEqual([
      'whatsapp-date-order _chat 3.txt',
    ]);
    // Texts of these two have lines in other forms.
    expect(codesOf(entries).filter((code) => code.startsWith('whatsapp-other-form'))).toEqual([
      'whatsapp-other-form _chat 2.txt',
      'whatsapp-other-form _chat.txt',
    ]);
    const said = saidIn(entries, 'four-dialects 3');
    expect(said.filter(([, author]) => author === undefined).length).toBe(2);
    expect(said.slice(4, 6)).toEqual([
      ['2019-11-02T14:21:00', 'The final test', 'Does it work with colons?: Hallelujah!'],
      ['2019-11-02T14:22:00', 'John Doe', 'Ok - so it seems to work?'],
    ]);
    expect(said.slice(7)).toEqual([
      ['2019-11-10T14:25:00', 'The final test', 'Hope so!'],
      ['2019-11-02T14:33:00', 'John Doe', 'Great!'],
      ['2019-11-02T14:48:00', 'John Doe', '👍👍👍👍👍👍!'],
      [
        '2019-11-02T14:51:00',
        'John Doe',
        'this is a message which contains some dates and colons\n\n\n2/11/19: Arrival\n12/12/19: Departure',
      ],
    ]);
  });

  it('of a single file is read', async () => {
    const entries = await read('minimal/whatsapp_export.txt');
    expect(codesOf(entries)).toEqual([]);
    const said = saidIn(entries, 'whatsapp_export');
    expect(said.length).toBe(7);
    expect(said.at(0)).toEqual(['2024-01-15T10:30:00', 'Alice', 'Hello! How are you?']);
    expect(said.at(-1)).toEqual(['2024-03-10T09:15:00', 'Bob', 'And this one is from March']);
  });

  it('are recognised, each folder and each file, and claimed by no other source', async () => {
    for (const name of readdirSync(folder!, { recursive: true, encoding: 'utf8' })) {
      const [input] = await openExport([join(folder!, name)]);
      const detected = (await detectSource(input!)).map(({ adapter, match }) => [adapter.name, match]);
      expect([name, ...detected]).toEqual([name, ['whatsapp', 'certain']]);
      expect(await foreignPlatform(input!)).toBeUndefined();
    }
  });

  it.each<[string, Account]>([
    [
      'four-dialects',
      {
        read: 39,
        planned: 36,
        skipped: { 'system message: encryption': 2, 'system message: info': 1 },
        invalid: {},
        losses: { 'system lines': 3, 'accidental Markdown': 1, placeholders: 1, 'people who never wrote': 1 },
      },
    ],
    ['minimal', { read: 7, planned: 7, skipped: {}, invalid: {}, losses: {} }],
  ])('%s is imported, and read back the same', async (path, account) => {
    expect(await importAndReadBack(whatsapp, join(folder!, path), home.make())).toEqual(account);
  });
});
