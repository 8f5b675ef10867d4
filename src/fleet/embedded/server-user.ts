import { execFileSync } from 'node:child_process';
import { UsageError } from '../../lib/errors.ts';

/** The user as whom a program runs; that of this process if it is empty. */
export type RunAs = { readonly uid: number; readonly gid: number } | Record<string, never>;

/** PostgreSQL refuses to run as root: then it runs as the user `postgres`, who is created if there is none. @throws UsageError */
export function serverUser(): RunAs {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }));
  const find = () => ({ uid: idOf('-u'), gid: idOf('-g') });
  try {
    return find();
  } catch {
    // There is none.
  }
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'pipe' });
    return find();
  } catch (cause) {
    throw new UsageError('Cannot start a PostgreSQL as root: there is no user "postgres", and none can be created', {
      hint: 'Run "useradd --system postgres", or Chatferry as another user than root',
      cause,
    });
  }
}
