import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { signal } from '../../../src/sources/signal/index.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { importAndReadBack } from '../read-back.ts';

const folder = sharedFolder('exports/signal');
const home = temporaryFolderInMemory();

describe.skipIf(folder === null)('a published chat of signal-export', () => {
  it('is recognised, as folder and as file, and claimed by no other source', async () => {
    for (const path of ['markdown', 'markdown/test_export.txt']) {
      const [input] = await openExport([join(folder!, path)]);
      const detected = (await detectSource(input!)).map(({ adapter: { name }, match }) => [name, match]);
      expect([path, ...detected]).toEqual([path, ['signal', 'certain']]);
      expect(await foreignPlatform(input!)).toBeUndefined();
      await input!.close();
    }
  });

  it('is read with its second line', async () => {
    const [input] = await openExport([join(folder!, 'markdown')]);
    const entries = await readAll(signal, input!, {}, { zone: 'UTC' });
    await input!.close();
    const said = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : [],
    );
    expect(said.map(({ sentAtMs, author, text }) => [new Date(sentAtMs).toISOString(), author, text])).toEqual([
      ['2019-12-24T12:23:00.000Z', 'Jane Doe', 'Hello John!'],
      ['2020-01-17T21:49:00.000Z', 'John Doe', 'Hello\nJane!'],
    ]);
  });

  it('is imported, and read back the same', async () => {
    const account = await importAndReadBack(signal, join(folder!, 'markdown'), home.make());
    expect(account).toEqual({ read: 2, planned: 2, skipped: {}, invalid: {}, losses: {} });
  });
});
