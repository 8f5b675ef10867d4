import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { missing } from '../requirements.ts';

/** A disk of a few megabytes that only this test sees. */
export interface SmallDisk {
  /** Its path for this process. */
  readonly path: string;
  /** For `start`: what the shell does, so that the program runs on the disk. */
  readonly shell: string;
  /** Writes until nothing goes on it any more. */
  fill(): void;
  /** Takes away what `fill` wrote. */
  free(): void;
}

/** Part of every Linux (util-linux): runs a program with disks that no other program sees. */
const ownMounts: string = 'unshare';

/** Whether disks can be mounted here: as root on Linux. Says aloud if not. */
export function canMount(): boolean {
  const tried =
    process.platform === 'linux' && spawnSync(ownMounts, ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
  return tried || missing('no right to mount a small disk') !== null;
}

/** A memory file system in a mount namespace of its own, gone with the test. */
export async function smallDisk(folder: string, size: string): Promise<SmallDisk> {
  const mountPoint = join(folder, 'disk');
  mkdirSync(mountPoint);
  const holder = spawn(
    ownMounts,
    ['-m', 'sh', '-c', `mount -t tmpfs -o size=${size} tmpfs "$0" && echo mounted && cat`, mountPoint],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void holder.stdin.end());
  await once(holder.stdout, 'data');
  // From outside, the namespace is reached through the process that holds it.
  const path = `/proc/${holder.pid}/root${mountPoint}`;
  const filler = join(path, 'filler');
  return {
    path,
    shell: `exec nsenter -t ${holder.pid} -m sh -c 'cd "$0" && exec "$@"' '${mountPoint}' "$@"`,
    fill() {
      for (const bytes of [1 << 20, 1 << 12]) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(bytes, 'x'), { flag: 'a' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    free: () => rmSync(filler),
  };
}
