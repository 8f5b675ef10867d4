import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tablesInput } from '../../../src/io/input/tables-input.ts';
import { rocketchat } from '../../../src/sources/rocketchat/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { openSample, samplesOf } from '../../contracts/samples.ts';
import { readAll } from '../../contracts/source.ts';
import { bsonFile, dumpArchive } from '../../scenes/mongodump.ts';

const sample = samplesOf('rocketchat').find(({ name }) => name === 'extended-json')!;
const names = ['users', 'rocketchat_room', 'rocketchat_message'];

/** The documents of a collection: an array, or one behind another. */
function documentsOf(name: string): readonly unknown[] {
  const text = readFileSync(`${sample.folder}/export/${name}.json`, 'utf8').trim();
  return JSON.parse(text.startsWith('[') ? text : `[${text.replace(/^\}\s*(?=\{)/gm, '},')}]`) as unknown[];
}

const collections = names.map((name) => ({ name, bson: bsonFile(documentsOf(name)) }));

const recordsOf = async (input: Parameters<typeof readAll>[1]) =>
  (await readAll(rocketchat, input)).flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));

describe('a mongodump of Rocket.Chat', () => {
  const folder = Object.fromEntries(collections.map(({ name, bson }) => [`dump/rocketchat/${name}.bson`, bson]));
  const archive = dumpArchive(
    collections.flatMap(({ name, bson }) => [
      { db: 'rocketchat', collection: name, bson },
      { db: 'rocketchat', collection: name },
    ]),
  );

  it.each([
    ['a folder', folder],
    ['an archive', { 'dump.archive': archive }],
  ])('is read as the same collections from mongoexport are, from %s', async (_, files) => {
    const input = await tablesInput(memoryInput(files));
    expect(await rocketchat.probe(input)).toMatchObject({ match: 'certain' });
    expect(await recordsOf(input)).toEqual(await recordsOf(await openSample(sample)));
  });

  it('names the content of files in the database, and what else it does not read', async () => {
    const input = await tablesInput(
      memoryInput({
        ...folder,
        'dump/rocketchat/rocketchat_uploads.chunks.bson': '',
        'dump/rocketchat/rocketchat_message.metadata.json': { indexes: [] },
        'dump/prelude.json': { ServerVersion: '8.0.4' },
      }),
    );
    const files = (await readAll(rocketchat, input)).filter((entry) => entry.type === 'file');
    expect(files.filter(({ role }) => role === 'skipped')).toEqual([
      {
        type: 'file',
        path: 'dump/prelude.json',
        role: 'skipped',
        reason: 'Indexes of a collection, or the head of a dump',
      },
      {
        type: 'file',
        path: 'dump/rocketchat/rocketchat_message.metadata.json',
        role: 'skipped',
        reason: 'Indexes of a collection, or the head of a dump',
      },
      {
        type: 'file',
        path: 'dump/rocketchat/rocketchat_uploads.chunks.bson',
        role: 'skipped',
        reason: expect.stringContaining('GridFS'),
      },
    ]);
    expect(files.some(({ role }) => role === 'unknown')).toBe(false);
  });
});
