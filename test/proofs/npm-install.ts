import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { missing } from '../requirements.ts';

const run = promisify(execFile);

/** For a user's folder: without what `npm test` hands down, which would send a second npm, and the Node it finds, back to this repository. */
export const userEnv = (folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(?!config_)|^npm_config_(local_)?prefix$|^VITEST|^NODE_COMPILE_CACHE$/.test(name),
    ),
  ),
  PATH: [join(folder, 'node_modules/.bin'), process.env.PATH].join(delimiter),
});

/**
 * Installs packages into a user's folder, which becomes a project of its own.
 *
 * @param packages Names with versions, or paths of tarballs.
 * @returns False where npm has no way to its registry. @throws where anything else goes wrong, and in CI.
 */
export async function npmInstall(folder: string, packages: readonly string[]): Promise<boolean> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  try {
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=1'];
    await run('npm', ['install', ...options, ...packages], {
      cwd: folder,
      env: userEnv(folder),
      shell: process.platform === 'win32',
    });
    return true;
  } catch (error) {
    const isUnreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(
      String(error),
    );
    if (!isUnreachable || process.env.CI) throw error;
    missing(`npm cannot reach a registry, so ${packages.join(' and ')} cannot be installed`);
    return false;
  }
}
