import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../cli/process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

describe.skipIf(!existsSync('/dev/full'))('standard output of a process', () => {
  it('that cannot be written ends it with 7 and the reason', async () => {
    const { code, stderr } = await run(['checks'], { folder: home.make(), shell: 'exec > /dev/full' });
    expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('the disk is full (ENOSPC)') });
  });

  it('that takes a part of a write alone ends it with 7 too', async () => {
    const folder = home.make();
    const { code, stderr } = await run(['import', '--help'], { folder, shell: 'ulimit -f 1; exec > out.txt' });
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: expect.stringContaining('a limit for the size of files is reached (EFBIG)'),
    });
    expect(statSync(join(folder, 'out.txt')).size).toBeGreaterThan(0);
  });

  it('makes it exit with 0 when its reader goes away', async () => {
    const folder = home.make();
    const { code, stderr } = await run(['checks'], { folder, shell: 'mkfifo gone; true < gone & exec > gone' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
