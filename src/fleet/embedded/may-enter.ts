import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RunAs } from './server-user.ts';

/** Whether a user may go into a folder: it and every folder above lets him. For this process itself it is not asked. */
export function mayEnter(folder: string, { uid, gid }: RunAs): boolean {
  if (uid === undefined) return true;
  for (let path = folder; ; path = dirname(path)) {
    const found = statSync(path);
    const bit = found.uid === uid ? 0o100 : found.gid === gid ? 0o010 : 0o001;
    if ((found.mode & bit) === 0) return false;
    if (dirname(path) === path) return true;
  }
}
