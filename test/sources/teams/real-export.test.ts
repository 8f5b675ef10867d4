import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { teams } from '../../../src/sources/teams/index.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { type Account, importAndReadBack } from '../read-back.ts';

const folder = sharedFolder('exports/teams');
const home = temporaryFolderInMemory();

describe.skipIf(folder === null)('published exports of Teams', () => {
  it.each<[string, number, Account]>([
    [
      'tenant-export',
      16,
      {
        read: 16,
        planned: 10,
        skipped: { 'system message: unknown': 6 },
        invalid: {},
        losses: {
          'parts of a second': 10,
          'system lines': 6,
          'e-mail addresses': 6,
          handles: 6,
          'people who never wrote': 5,
          'thread links': 3,
          'styles inside words': 3,
          'telephone numbers': 1,
          placeholders: 2,
          reactions: 1,
          'edit marks': 1,
          'earlier versions': 1,
          'files without an address': 1,
          'links into the old system': 1,
          'group conversations without a channel': 1,
        },
      },
    ],
    [
      'forwarded',
      5,
      {
        read: 5,
        planned: 5,
        skipped: {},
        invalid: {},
        losses: {
          'parts of a second': 5,
          placeholders: 3,
          mentions: 2,
          'people who never wrote': 2,
          'group conversations without a channel': 2,
          'edit marks': 1,
          'earlier versions': 1,
          'platform facts': 1,
        },
      },
    ],
    [
      'graph',
      4,
      {
        read: 4,
        planned: 4,
        skipped: {},
        invalid: {},
        losses: {
          'parts of a second': 4,
          'edit marks': 2,
          'earlier versions': 2,
          'thread links': 1,
          'replies without their root': 1,
          'e-mail addresses': 1,
          'group conversations without a channel': 1,
        },
      },
    ],
  ])('%s is recognised, imported and read back the same', async (name, rows, account) => {
    const path = join(folder!, name);
    const [input] = await openExport([path]);
    expect((await detectSource(input!)).map(({ adapter, match }) => [adapter.name, match])).toEqual([
      ['teams', 'certain'],
    ]);
    expect(messagesOf(await readAll(teams, input!))).toHaveLength(rows);
    expect(await importAndReadBack(teams, path, home.make())).toEqual(account);
  });

  it('joins mentions that are split into words, and shows forwarded messages', async () => {
    const [input] = await openExport([join(folder!, 'forwarded')]);
    const messages = messagesOf(await readAll(teams, input!));
    expect(messages.map(({ text }) => text)).toMatchObject({
      1: "@Cordelia Lear's Daughter",
      2: '@Everyone',
      3: '🪪@Othello the Moor of Venice',
      4: '**cat mic**\n\nsending this to a group\n\n> funny cat',
    });
    expect(messages[1]!.mentions).toEqual(['51325b33-43db-4b2c-ab2d-b5e24135b4bc']);
    expect(messages[4]!.custom).toMatchObject({ forwarded: { message: '1754400124320' } });
  });
});

const personal = sharedFolder('exports/skype');

describe.skipIf(personal === null)('a personal export made from the documentation', () => {
  it('is recognised, imported and read back the same', async () => {
    const path = join(personal!, 'one');
    const [input] = await openExport([path]);
    expect((await detectSource(input!)).map(({ adapter }) => adapter.name)).toEqual(['teams']);
    const messages = messagesOf(await readAll(teams, input!));
    expect(messages).toHaveLength(8);
    expect(messages[2]!.attachments).toMatchObject([{ name: 'f.txt', sizeBytes: 447 }]);
    expect(messages[6]).toMatchObject({ text: 'edited text', edited: { atMs: 1592494326832 } });
    expect(await importAndReadBack(teams, path, home.make())).toEqual({
      read: 8,
      planned: 3,
      skipped: {
        call: 1,
        'deleted at the source': 1,
        'system message: AddMember': 1,
        'system message: DeleteMember': 1,
        'system message: TopicUpdate': 1,
      },
      invalid: {},
      losses: {
        'system lines': 3,
        'parts of a second': 3,
        'edit marks': 1,
        'earlier versions': 1,
        'deleted messages': 1,
        'files without an address': 1,
        calls: 1,
        'links into the old system': 1,
        placeholders: 1,
        'silent members': 1,
        'group conversations without a channel': 1,
      },
    });
  });
});
