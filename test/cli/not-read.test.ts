import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeZip, type ZipPart } from '../io/make-zip.ts';
import { message, user, userId } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run } from './in-process.ts';

const home = temporaryFolder();
const ann = userId(1);
const day = JSON.stringify([message('1709337600.000100', ann, 'of the second day')]);

/** A Slack export of two days in an archive. @param second What is wrong with the file of the second. */
function exportWith(second: Partial<ZipPart>, users: Partial<ZipPart> = {}): string {
  const folder = home.make();
  const parts = [
    { name: 'users.json', content: JSON.stringify([user(ann, 'Ann')]), ...users },
    { name: 'channels.json', content: JSON.stringify([{ id: 'C00000001', name: 'general', members: [ann] }]) },
    { name: 'general/2024-03-01.json', content: JSON.stringify([message('1709251200.000100', ann, 'first')]) },
    { name: 'general/2024-03-02.json', content: day, ...second },
  ];
  writeFileSync(join(folder, 'export.zip'), makeZip(parts));
  return folder;
}

/** Reasons why a file of an archive cannot be read, by the code of its problem. */
const faults: readonly (readonly [code: string, part: Partial<ZipPart>])[] = [
  ['unsupported-method', { method: 12 }],
  ['damaged-entry', { method: 0, packedBytes: 5 }],
  ['damaged-entry', { packedBytes: 5_000_000 }],
  ['bomb', { sizeBytes: 1_000_000_000 }],
  ['encrypted', { flags: 1 }],
  ['unsafe-name', { name: '../general/2024-03-02.json' }],
  ['duplicate-name', { name: 'general/2024-03-01.json' }],
];

describe('a file that cannot be read', () => {
  it.each(faults)(
    'is named as %s, and neither a plan nor an import nor a conversion ends with 0',
    async (code, part) => {
      const folder = exportWith(part);
      const planned = await run(['plan', 'export.zip'], { folder });
      expect({ code: planned.code, stderr: planned.stderr }).toMatchObject({ code: 3 });
      expect(planned.stdout).toContain('1 location of the export could not be read');
      expect(planned.stderr).toContain(`Exit code 3 because something could not be read: ${code}`);
      const imported = await run(['import', 'export.zip'], { folder });
      expect(imported.code).toBe(3);
      expect(imported.stdout).toContain('1 location of the export could not be read');
      // Nothing has changed, and nothing is forgotten.
      expect((await run(['import', 'export.zip'], { folder })).code).toBe(3);
      expect((await run(['convert', 'export.zip', '--out', 'out.ndjson'], { folder })).code).toBe(3);
      expect(readFileSync(join(folder, 'out.ndjson'), 'utf8')).toContain(`"code":"${code}"`);
    },
  );

  it('is one of people as well', async () => {
    const folder = exportWith({}, { crc: 1 });
    expect((await run(['plan', 'export.zip'], { folder })).code).toBe(3);
    expect((await run(['import', 'export.zip'], { folder })).code).toBe(3);
  });

  it('is not one that the format does not know: nothing of it was wanted', async () => {
    const folder = exportWith({ name: 'readme.txt', content: Buffer.from('Made in March') });
    expect(await run(['import', 'export.zip'], { folder })).toMatchObject({ code: 0 });
  });
});
