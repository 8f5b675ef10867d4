import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { messageSchema } from '../../../src/model/records.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { matrix } from '../../../src/sources/matrix/index.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { runJson } from '../../cli/in-process.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const folder = sharedFolder('exports/matrix');
const home = temporaryFolderInMemory();
const path = join(folder ?? '', 'client-server-api');

async function entriesOf(name: string) {
  const [input] = await openExport([join(path, name)]);
  const entries = await readAll(matrix, input!);
  await input!.close();
  return entries;
}

describe.skipIf(folder === null)('published answers of a server', () => {
  it('have 34 messages of 41 events: seven are edits of two of them', async () => {
    const entries = await entriesOf('messages-response.json');
    const records = entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
    const messages = records.filter((record) => record.kind === 'message');
    for (const message of messages) expect(() => messageSchema.parse(message)).not.toThrow();
    expect([messages.length, new Set(messages.map(({ origin }) => origin.id)).size]).toEqual([34, 34]);
    expect(messages.filter(({ edited }) => edited).map(({ text }) => text)).toEqual([
      'inside thread - edits (check on reload)? 6',
      'new! 2',
    ]);
    expect(messages.filter(({ threadRoot }) => threadRoot).length).toBe(2);
    expect(messages[3]?.text).toBe('materials **can** bear');
    expect(entries.flatMap((entry) => (entry.type === 'problem' ? [entry.code] : []))).toEqual([
      'matrix-earlier-version',
    ]);
  });

  it('of /sync have the id of their room around them, and include its name', async () => {
    const records = (await entriesOf('room-initial.json')).flatMap((entry) =>
      entry.type === 'record' ? [entry.record] : [],
    );
    expect(records.filter(({ kind }) => kind === 'message').length).toBe(8);
    expect(records).toContainEqual(
      expect.objectContaining({ kind: 'conversation', id: '!test-room:matrix.org', name: 'General6' }),
    );
  });

  it.each(['', 'messages-response', 'room-initial', 'room-incremental', 'room-empty', 'room-lastEvent'])(
    'are claimed by nothing else: "%s"',
    async (name) => {
      const [input] = await openExport([name === '' ? path : join(path, `${name}.json`)]);
      const detected = await detectSource(input!);
      expect(detected.map(({ adapter, match }) => [adapter.name, match])).toEqual([['matrix', 'certain']]);
      expect(await foreignPlatform(input!)).toBeUndefined();
      await input!.close();
    },
  );

  it('are imported, and found there', async () => {
    const { json } = await runJson(['import', join(path, 'messages-response.json'), '--quiet'], {
      folder: home.make(),
    });
    expect(json).toMatchObject({ read: 34, invalid: 11, imported: 23, pending: 0 });
    expect(json).toMatchObject({ verify: { same: 23, missing: 0, different: 0 } });
  });
});
