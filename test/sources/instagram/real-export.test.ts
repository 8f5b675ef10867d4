import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { instagram } from '../../../src/sources/meta/index.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { importAndReadBack } from '../read-back.ts';

const folder = sharedFolder('exports/instagram');
const home = temporaryFolderInMemory();

describe.skipIf(folder === null)('published downloads of Instagram', () => {
  it.each([
    ['one', 2],
    ['two', 7],
  ])('%s is imported, and read back the same', async (name, count) => {
    expect(await importAndReadBack(instagram, `${folder}/${name}`, home.make())).toEqual({
      read: count,
      planned: count,
      skipped: {},
      invalid: {},
      losses: {},
    });
  });

  it.each([
    ['one', 'likely'],
    ['one/test_export.json', 'likely'],
    ['two', 'certain'],
    ['two/instagram_export.json', 'certain'],
  ])('is the only one to claim %s', async (name, match) => {
    const [input] = await openExport([`${folder}/${name}`]);
    const detected = await detectSource(input!);
    expect(detected.map((found) => [found.adapter.name, found.match])).toEqual([['instagram', match]]);
    expect(await foreignPlatform(input!)).toBeUndefined();
    await input!.close();
  });

  it('messages have their time and author, and a title that is no name is that of a group', async () => {
    const [input] = await openExport([`${folder}/two`]);
    const records = (await readAll(instagram, input!)).flatMap((entry) =>
      entry.type === 'record' ? [entry.record] : [],
    );
    await input!.close();
    expect(records.find(({ kind }) => kind === 'conversation')).toMatchObject({
      name: 'Test Chat',
      type: 'private',
      members: ['alice_user', 'bob_user'],
    });
    expect(records.filter((record) => record.kind === 'message').at(-1)).toMatchObject({
      author: 'alice_user',
      text: 'Hello! How are you?',
      sentAtMs: Date.UTC(2024, 0, 15, 10, 50),
    });
  });
});
