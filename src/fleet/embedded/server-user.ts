import { execFileSync } from 'node:child_process';
import { UsageError } from '../../lib/errors.ts';

/** Whom a program runs as; nobody else than this process where it is empty. */
export type RunAs = { readonly uid: number; readonly gid: number } | Record<string, never>;

/**
 * PostgreSQL refuses to run as root: it runs as the user `postgres` then, who is made where there is none.
 *
 * @throws UsageError where that cannot be done.
 */
export function serverUser(name = 'postgres'): RunAs {
  if (process.getuid?.() !== 0) return {};
  const found = findUser(name);
  if (found) return found;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', name], { stdio: 'pipe' });
  } catch (cause) {
    throw new UsageError(`Cannot start a PostgreSQL as root: there is no user "${name}", and none can be made`, {
      hint: `Run "useradd --system ${name}", or Chatferry as somebody else than root`,
      cause,
    });
  }
  return findUser(name)!;
}

function findUser(name: string): RunAs | undefined {
  const ask = (what: string) => Number(execFileSync('id', [what, name], { stdio: 'pipe' }));
  try {
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return undefined;
  }
}
