import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { parseInstant } from '../../../src/sources/googlechat/dates.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { runJson } from '../../cli/in-process.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const folder = sharedFolder('exports/googlechat/dates-and-deleted');
const home = temporaryFolderInMemory();

describe.skipIf(folder === null)('published pieces of Google Chat', () => {
  it('dates of four languages are read', () => {
    const dates = JSON.parse(readFileSync(`${folder}/date_strings.json`, 'utf8')) as { date: string }[];
    expect(dates.map(({ date }) => new Date(parseInstant(date)!).toISOString())).toEqual([
      '2016-11-03T11:59:50.000Z',
      '2026-05-29T03:00:29.000Z',
      '2021-02-07T17:13:43.000Z',
      '2026-05-29T03:00:29.000Z',
      '2015-02-15T21:54:36.000Z',
    ]);
  });

  it.each(['', '/deleted_message.json'])('a deleted message is left out: %j', async (path) => {
    const { json } = await runJson(['import', folder + path, '--quiet'], { folder: home.make() });
    expect(json).toMatchObject({ read: 1, planned: 0, skipped: 1, invalid: 0, losses: { 'deleted messages': 1 } });
  });

  it.each(['', '/deleted_message.json'])('is the only one to claim %j', async (path) => {
    const [input] = await openExport([folder + path]);
    const detected = await detectSource(input!);
    expect(detected.map(({ adapter, match }) => [adapter.name, match])).toEqual([['googlechat', 'certain']]);
    expect(await foreignPlatform(input!)).toBeUndefined();
    await input!.close();
  });
});
