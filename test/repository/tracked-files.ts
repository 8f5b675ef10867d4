import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Top of the checkout, with a slash at the end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

let tracked: readonly string[] | undefined;

/**
 * Returns the files of the repository, including those that the next `git add` would add: forward slashes, sorted. Test
 * files in one process ask git once.
 */
export const trackedFiles = (): readonly string[] => (tracked ??= listFiles());

function listFiles(): readonly string[] {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const output = execFileSync('git', options, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const paths = new Set(output.split('\0').filter((path) => path !== '' && existsSync(root + path)));
  return [...paths].sort();
}

export const readTracked = (path: string): string => readFileSync(root + path, 'utf8');
