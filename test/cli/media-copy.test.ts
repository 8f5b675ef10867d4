import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { run } from './in-process.ts';

const home = temporaryFolder();
const address = 'https://files.example.com/chat/';
const here = ['--media-to', './media', '--media-base-url', address];

/** An export of one message for each file; those that have a content lie in it. */
function madeExport(files: Readonly<Record<string, string | undefined>>): string {
  const folder = home.make();
  const attached = Object.entries(files).map(([name, content], index) => {
    if (content !== undefined) writeFileSync(join(folder, name), content);
    return says(index + 1, 'C1', 'U1', name, { attachments: [{ name, url: name }] });
  });
  const lines = [person('U1', { name: 'Ada' }), channel('C1', { name: 'general' }), ...attached];
  writeRecords(join(folder, 'records.ndjson'), lines.length > 2 ? lines : [...lines, says(1, 'C1', 'U1', 'plain')]);
  return folder;
}

describe('media copy', () => {
  it('says of each file that is not there which it is, and why', async () => {
    const folder = madeExport({ 'gone.txt': undefined });
    await run(['plan', 'records.ndjson'], { folder });
    const { stdout } = await run(['media', 'copy', ...here], { folder });
    expect(stdout).toMatch(/^ {2}missing {2}records\.ndjson:4: gone\.txt \(in the export\): \S/m);
  });

  it('reports that no message has a file', async () => {
    const folder = madeExport({});
    await run(['plan', 'records.ndjson'], { folder });
    const { code, stdout } = await run(['media', 'copy', ...here], { folder });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('no planned message has one') });
    expect((await run(['import', ...here], { folder })).stdout).not.toContain('0 copied');
  });
});

describe('a copy that was removed', () => {
  it('is named when it is read back, and copied again after that', async () => {
    const folder = madeExport({ 'a.txt': 'one', 'b.txt': 'two' });
    expect((await run(['import', '.', ...here], { folder })).code).toBe(0);
    const media = join(folder, 'media');
    const [name = ''] = readdirSync(media);
    rmSync(join(media, name));
    const verified = await run(['media', 'verify'], { folder });
    expect(verified).toMatchObject({ code: 6, stdout: expect.stringContaining(`${name}: it is not there`) });
    expect(verified.stdout).toContain('media copy" copies missing files again');
    expect((await run(['media', 'copy'], { folder })).code).toBe(0);
    expect(readdirSync(media)).toContain(name);
    expect((await run(['media', 'verify'], { folder })).code).toBe(0);
    expect((await run(['import'], { folder })).code).toBe(0);
  });
});

describe('an import that is stopped while it copies', () => {
  it('asks no question about files that are not copied yet', async () => {
    const folder = madeExport({ 'a.txt': 'one', 'b.txt': 'two' });
    const stopping = new AbortController();
    const { report } = await importExport({
      ...{ store: join(folder, 'chatferry.db'), from: folder, to: 'sandbox', stopping: stopping.signal },
      media: { to: join(folder, 'media'), address },
      progress: {
        stage: (name) => {
          if (name === 'Copying files') stopping.abort();
          return { update() {}, finish() {} };
        },
      },
    });
    expect(report).toMatchObject({ stopped: null, totals: { imported: 0, pending: 2 } });
  });
});
