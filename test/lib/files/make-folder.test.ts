import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../src/lib/files/make-folder.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('makeFolder()', () => {
  it('makes every missing folder above, for their owner alone', () => {
    const top = home.make();
    makeFolder(join(top, 'a', 'b'));
    expect([modeOf(join(top, 'a')), modeOf(join(top, 'a', 'b'))]).toEqual([0o700, 0o700]);
  });

  it('gives every folder that it makes the requested mode, within the umask', () => {
    const top = home.make();
    makeFolder(join(top, 'a', 'b'), 0o711);
    expect([modeOf(join(top, 'a')), modeOf(join(top, 'a', 'b'))]).toEqual([0o711, 0o711]);
  });

  it('leaves the mode of an existing folder as it is', () => {
    const top = home.make();
    mkdirSync(join(top, 'a'), { mode: 0o755 });
    makeFolder(join(top, 'a', 'b'));
    expect(modeOf(join(top, 'a'))).toBe(0o755);
  });

  it('fails when a file has the name', () => {
    const path = join(home.make(), 'taken');
    writeFileSync(path, '');
    expect(() => makeFolder(path)).toThrow('EEXIST');
    expect(() => makeFolder(join(path, 'below'))).toThrow('ENOTDIR');
  });

  it.skipIf(!existsSync('/proc/self'))('ends when the file system answers that the folder above is missing', () => {
    expect(() => makeFolder('/proc/chatferry/reports')).toThrow('ENOENT');
  });
});
