import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { staysInside } from '../../../src/lib/files/inside-folder.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const [folder, outside] = [home.make(), home.make()];
mkdirSync(join(folder, 'here'));
writeFileSync(join(folder, 'file'), '');
symlinkSync('here', join(folder, 'link-inside'));
symlinkSync(outside, join(folder, 'link-outside'));
symlinkSync(join(outside, 'nothing'), join(folder, 'link-to-nothing'));
symlinkSync('circle', join(folder, 'circle'));
// As on a system whose temporary folder is a link.
symlinkSync(folder, join(outside, 'link-to-folder'));

describe('staysInside()', () => {
  it.each(['a.db', './a.db', '.', 'here', 'here/deep/a.db', 'here/', './', 'link-inside/a.db', 'file', '..a/b', '-'])(
    'is true of %j',
    (path) => {
      expect(staysInside(path, folder)).toBe(true);
      expect(staysInside(path, join(outside, 'link-to-folder'))).toBe(true);
    },
  );

  it.each([
    '',
    '..',
    '../a.db',
    'here/../../a.db',
    'here/../a.db',
    'here\\..\\..\\a.db',
    '/tmp/a.db',
    's3://bucket/a',
    'file:///tmp/a.db',
    'c:\\a.db',
    'link-outside',
    'link-outside/a.db',
    'link-to-nothing',
    'circle',
    'file\0',
  ])('is false of %j', (path) => {
    expect(staysInside(path, folder)).toBe(false);
  });
});
