import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { discord } from '../../../src/sources/discord/index.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { importAndReadBack } from '../read-back.ts';

const folder = sharedFolder('exports/discord');
const home = temporaryFolderInMemory();

describe.skipIf(folder === null)('a published export of Discord without optional keys', () => {
  it('is recognised, alone and in its folder', async () => {
    for (const path of ['minimal', 'minimal/discord_export.json']) {
      const [input] = await openExport([join(folder!, path)]);
      expect((await detectSource(input!)).map(({ adapter, match }) => [adapter.name, match])).toEqual([
        ['discord', 'certain'],
      ]);
    }
  });

  it('has seven messages of two people in one channel', async () => {
    const [input] = await openExport([join(folder!, 'minimal')]);
    const entries = await readAll(discord, input!);
    const messages = messagesOf(entries);
    expect(messages.map(({ origin, sentAtMs, author }) => [origin.conversation, origin.id, sentAtMs, author])).toEqual([
      ['987654321', '1001', Date.UTC(2024, 0, 15, 10, 30), '111'],
      ['987654321', '1002', Date.UTC(2024, 0, 15, 10, 30, 15), '222'],
      ['987654321', '1003', Date.UTC(2024, 0, 15, 10, 30, 30), '111'],
      ['987654321', '1004', Date.UTC(2024, 0, 15, 10, 30, 31), '111'],
      ['987654321', '1005', Date.UTC(2024, 0, 15, 10, 31), '222'],
      ['987654321', '1006', Date.UTC(2024, 1, 20, 14), '111'],
      ['987654321', '1007', Date.UTC(2024, 2, 10, 9, 15), '222'],
    ]);
    expect(messages[4]).toMatchObject({ text: 'No, what happened?', quoteOf: '1004' });
    expect(messages[6]).toMatchObject({ edited: { atMs: Date.UTC(2024, 2, 10, 9, 20) } });
    expect(messages.filter(({ lost }) => lost)).toEqual([]);
    const others = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind !== 'message' ? [entry.record] : [],
    );
    expect(others).toEqual([
      {
        kind: 'conversation',
        id: '987654321',
        type: 'private',
        name: 'general',
        metadata: { server: 'Test Server' },
        members: [],
      },
      { kind: 'user', id: '111', name: 'Alice', handle: 'Alice#0001' },
      { kind: 'user', id: '222', name: 'Bob', handle: 'Bob#0002' },
    ]);
  });

  it('is imported, and read back the same', async () => {
    expect(await importAndReadBack(discord, join(folder!, 'minimal'), home.make())).toEqual({
      read: 7,
      planned: 7,
      skipped: {},
      invalid: {},
      losses: { handles: 2, quotes: 1, 'edit marks': 1, 'earlier versions': 1 },
    });
  });
});
