import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root, trackedFiles } from '../../repository/tracked-files.ts';

describe('the systemd units', () => {
  const units = trackedFiles().filter((path) => path.startsWith('docs/guides/operate/systemd/'));
  const analyzer = '/usr/bin/systemd-analyze';
  const canVerify = existsSync(analyzer) && existsSync('/usr/bin/node');
  if (!canVerify) console.warn('SKIPPED: no systemd-analyze and node in /usr/bin');
  it.skipIf(!canVerify).each(units)('are taken by systemd-analyze verify: %s', (path) => {
    const { status, stderr } = spawnSync(analyzer, ['verify', '--man=no', root + path], { encoding: 'utf8' });
    expect(status).toBe(0);
    // It also speaks about units of this machine.
    expect(stderr.split('\n').filter((line) => line.includes('chatferry-sync'))).toEqual([]);
  });
});
