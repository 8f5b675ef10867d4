import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../src/io/input/open-export.ts';
import { rawRows } from '../../src/io/raw-rows.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';

const home = temporaryFolderInMemory();

/** Returns the rows at these locations of a file with this text. */
async function at(text: string, places: readonly string[], options: { shownMax?: number; bytesMax?: number } = {}) {
  const path = join(home.make(), 'file');
  writeFileSync(path, text);
  const [input] = await openExport([path]);
  try {
    return Object.fromEntries(await rawRows(input!, 'file', { places, shownMax: 100, ...options }));
  } finally {
    await input!.close();
  }
}

describe('rawRows()', () => {
  it('returns lines by number and list elements by pointer, and shortens long ones', async () => {
    expect(await at('a\r\nbb\nccc', ['3', '1'])).toEqual({ 1: 'a', 3: 'ccc' });
    expect(await at('[{"a":1},{"b":2}]', ['/1', '/7'])).toEqual({ '/1': '{"b":2}' });
    expect(await at('{"m":[1,"four letters"]}', ['/m/1'], { shownMax: 5 })).toEqual({ '/m/1': '"four…' });
  });

  it('looks no further than it may', async () => {
    const lines = 'line\n'.repeat(200_000);
    const rows = `[${'{"a":1},'.repeat(100_000)}{"b":2}]`;
    const bytesMax = 1_000;
    expect(await at(lines, ['2', '199999'], { bytesMax })).toEqual({ 2: 'line' });
    expect(await at(rows, ['/0', '/100000'], { bytesMax })).toEqual({ '/0': '{"a":1}' });
  });
});
