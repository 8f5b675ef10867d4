import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, start } from '../../cli/process.ts';
import { makeExport } from '../../scenes/make-export.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

describe('chatferry convert as a process', () => {
  it('is content with a reader that goes away, and says that it was not all', async () => {
    const folder = home.make();
    makeExport(join(folder, 'export'), { seed: 1, messages: 4000 });
    const { child, line, ended } = start(['convert', 'export', '--out', '-'], { folder });
    await line('"kind":"chatferry"');
    child.stdout!.destroy();
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toContain('Not all of it');
  });

  it('exits with 7 if the file cannot grow, and leaves nothing behind', async () => {
    const folder = home.make();
    makeExport(join(folder, 'export'), { seed: 1, messages: 3000 });
    const args = ['convert', 'export', '--out', 'a.ndjson'];
    const { code, stderr } = await run(args, { folder, shell: 'ulimit -f 100' });
    expect(code).toBe(7);
    expect(stderr).toContain('Cannot write "a.ndjson": the disk is full, or a limit is reached (EFBIG)');
    expect(readdirSync(folder).filter((name) => name.startsWith('a.ndjson'))).toEqual([]);
  });
});
