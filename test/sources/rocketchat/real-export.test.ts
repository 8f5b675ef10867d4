import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { messageSchema } from '../../../src/model/records.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { rocketchat } from '../../../src/sources/rocketchat/index.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { runJson } from '../../cli/in-process.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const folder = sharedFolder('exports/rocketchat');
const home = temporaryFolderInMemory();
const path = join(folder ?? '', 'rest-history');
const files = ['channel_history', 'channels', 'dm_history', 'dms', 'group_history', 'groups'];

describe.skipIf(folder === null)('published answers of the REST API', () => {
  it('have 53 messages of 55 rows: two are earlier versions of others', async () => {
    const [input] = await openExport([path]);
    const entries = await readAll(rocketchat, input!);
    await input!.close();
    const records = entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
    const messages = records.filter((record) => record.kind === 'message');
    for (const message of messages) expect(() => messageSchema.parse(message)).not.toThrow();
    expect([messages.length, new Set(messages.map(({ origin }) => origin.id)).size]).toEqual([53, 53]);
    expect(records.filter(({ kind }) => kind === 'conversation').length).toBe(7);
    expect(entries.flatMap((entry) => ('code' in entry ? [entry.code] : []))).toEqual([
      'no-members',
      'rocketchat-unknown-username',
      'export-is-partial',
      'rocketchat-earlier-version',
      'export-is-partial',
    ]);
    const [edited] = messages.filter((message) => message.edited);
    expect(edited).toMatchObject({ author: 'AopBqQhZSubEbBQG3p', edited: { atMs: 1563870291056 } });
    expect(messages.find(({ origin }) => origin.id === 'A5BknG9DqPzttBCgYK')).toMatchObject({
      sentAtMs: Date.parse('2019-07-24T06:35:57.298Z'),
      author: 'Ar32vSxBhRgBrnp6EG',
      reactions: [{ emoji: ':cross:', users: [], count: 1 }],
    });
    expect(messages.flatMap(({ attachments = [] }) => attachments).length).toBe(8);
  });

  it.each(['', ...files.map((name) => `example_${name}.json`)])('is the only one to claim "%s"', async (name) => {
    const [input] = await openExport([join(path, name)]);
    const detected = await detectSource(input!);
    expect(detected.map(({ adapter, match }) => [adapter.name, match])).toEqual([['rocketchat', 'certain']]);
    expect(await foreignPlatform(input!)).toBeUndefined();
    await input!.close();
  });

  it('are imported, and found there', async () => {
    const { json } = await runJson(['import', path, '--quiet'], { folder: home.make() });
    expect(json).toMatchObject({ read: 53, planned: 53, skipped: 0, invalid: 0, imported: 53, pending: 0 });
    expect(json).toMatchObject({ verify: { same: 53, missing: 0, different: 0 } });
  });
});
