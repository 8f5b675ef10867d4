import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../cli/process.ts';
import { smallExport } from '../../cli/samples.ts';
import { canMount, smallDisk } from '../../cli/small-disk.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** Runs a command on a disk of 4 MB that has only so much room left. */
async function onFullDisk(command: readonly string[], freeBytes: number) {
  const folder = home.make();
  const disk = await smallDisk(folder, '4m');
  const files = join(folder, 'files');
  mkdirSync(files);
  cpSync(smallExport(files), join(disk.path, 'export'), { recursive: true });
  writeFileSync(join(disk.path, 'chatferry.yaml'), 'jobs: [{ name: a, to: sandbox, export: ./export }]\n');
  writeFileSync(join(disk.path, 'room'), Buffer.alloc(freeBytes, 'x'));
  disk.fill();
  writeFileSync(join(disk.path, 'room'), '');
  return await run([...command], { folder, shell: disk.shell });
}

describe.skipIf(!canMount())('a full disk', () => {
  const sync = ['sync', '--once', '--config', './chatferry.yaml'];
  const rooms = [0, 16, 40, 120, 320, 700].map((kilobytes) => kilobytes * 1024);
  const others = [
    ['plan', 'export'],
    ['import', 'export'],
    ['convert', 'export', '--out', 'all.ndjson'],
  ];

  it.each([...rooms.map((room) => [sync, room] as const), ...others.map((command) => [command, 0] as const)])(
    'ends %j with 7 and its sentence if %i bytes are left, without a stack trace',
    async (command, room) => {
      const { code, stderr } = await onFullDisk(command, room);
      expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('the disk is full') });
      expect(stderr).not.toMatch(/^\s+at /m);
    },
  );
});
