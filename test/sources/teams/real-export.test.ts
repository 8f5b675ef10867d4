import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { teams } from '../../../src/sources/teams/index.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';
import { runJson } from '../../cli/in-process.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const folder = sharedFolder('exports/teams');
const home = temporaryFolder();

describe.skipIf(folder === null)('published exports of Teams', () => {
  it.each([
    ['tenant-export', 16, { read: 16, planned: 10, skipped: 6, rejected: 0 }],
    ['forwarded', 5, { read: 5, planned: 5, skipped: 0, rejected: 0 }],
    ['graph', 4, { read: 4, planned: 4, skipped: 0, rejected: 0 }],
  ])('%s is recognised, read and imported whole', async (name, rows, sums) => {
    const path = join(folder!, name);
    const [input] = await openExport([path]);
    expect((await detectSource(input!)).map(({ adapter, match }) => [adapter.name, match])).toEqual([
      ['teams', 'certain'],
    ]);
    expect(messagesOf(await readAll(teams, input!))).toHaveLength(rows);
    const where = { folder: home.make() };
    const planned = await runJson(['plan', path, '--quiet'], where);
    expect(planned.json).toMatchObject(sums);
    const imported = await runJson(['import', path, '--quiet'], where);
    expect(imported.json).toMatchObject({ read: sums.read, imported: sums.planned, pending: 0 });
  });

  it('joins mentions that are split by words, and shows what was forwarded', async () => {
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

describe.skipIf(personal === null)('a personal export made of what is documented', () => {
  it('is recognised, read and planned', async () => {
    const path = join(personal!, 'one');
    const [input] = await openExport([path]);
    expect((await detectSource(input!)).map(({ adapter }) => adapter.name)).toEqual(['teams']);
    const messages = messagesOf(await readAll(teams, input!));
    expect(messages).toHaveLength(8);
    expect(messages[2]!.attachments).toMatchObject([{ name: 'f.txt', sizeBytes: 447 }]);
    expect(messages[6]).toMatchObject({ text: 'edited text', edited: { atMs: 1592494326832 } });
    const planned = await runJson(['plan', path, '--quiet'], { folder: home.make() });
    expect(planned.json).toMatchObject({ read: 8, planned: 3, skipped: 5, rejected: 0 });
  });
});
