import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { UsageError } from '../../lib/errors.ts';
import { readPrivateFile } from '../../lib/files/private-file.ts';
import { Secret } from '../../lib/secret.ts';
import { mayEnter } from './may-enter.ts';
import type { PostgresPrograms } from './programs.ts';
import { type RunAs, serverUser } from './server-user.ts';

/** Where a PostgreSQL lives, and what runs it. */
export interface Cluster {
  readonly programs: PostgresPrograms;
  /** Absolute, without links. */
  readonly folder: string;
  /** Its files, in that folder. */
  readonly data: string;
  readonly runAs: RunAs;
}

/** The only user of the database, and its owner. */
export const databaseUser = 'ferry';

/** Nothing of ours: neither keys nor settings of other databases. */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  SystemRoot: process.env.SystemRoot,
  LC_ALL: 'C',
  TZ: 'UTC',
});

/** The folder for a PostgreSQL, which is made if it is not there. @throws UsageError where it cannot be used */
export function clusterIn(given: string, programs: PostgresPrograms): Cluster {
  const isRoot = process.getuid?.() === 0;
  try {
    // Whom it runs as must come through.
    mkdirSync(given, { recursive: true, mode: isRoot ? 0o711 : 0o700 });
  } catch (cause) {
    throw new UsageError(`Cannot keep a PostgreSQL in "${given}": ${(cause as NodeJS.ErrnoException).code}`, { cause });
  }
  const folder = realpathSync(given);
  const data = join(folder, 'data');
  const cluster = { programs, folder, data, runAs: isRoot ? (ownerOf(data) ?? serverUser()) : {} };
  assertReachable(cluster);
  return cluster;
}

/** Root goes on with files that somebody else made. */
function ownerOf(data: string): RunAs | undefined {
  const found = statSync(data, { throwIfNoEntry: false });
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

function assertReachable({ programs, folder, runAs }: Cluster): void {
  const who = runAs.uid === undefined ? 'this user' : `user ${runAs.uid}, as whom PostgreSQL runs,`;
  if (!mayEnter(folder, runAs))
    throw new UsageError(`Cannot keep a PostgreSQL in "${folder}": ${who} may not enter it`, {
      hint: 'Name a folder whose parents everybody may enter: /var/lib/chatferry',
    });
  if (!mayEnter(dirname(programs.postgres), runAs))
    throw new UsageError(`Cannot start a PostgreSQL: ${who} may not enter the folder of "${programs.postgres}"`, {
      hint: 'Install Chatferry where everybody may read it, or set fleet.database to a PostgreSQL of yours',
    });
  const found = spawnSync(programs.postgres, ['--version'], { ...runAs, encoding: 'utf8' });
  if (found.status === 0) return;
  const words = found.error?.message ?? found.stderr.trim();
  throw new UsageError(`Cannot start a PostgreSQL: ${who} cannot run "${programs.postgres}": ${words}`, {
    hint: 'Set fleet.database to a PostgreSQL of yours',
    cause: found.error,
  });
}

/** Makes the database's files where there are none, whole or not at all. @returns Its password. @throws UsageError */
export function makeCluster(cluster: Cluster): Secret {
  const { folder, data } = cluster;
  const passwordPath = join(folder, 'password');
  const isMade = existsSync(join(data, 'PG_VERSION'));
  if (!isMade && existsSync(data))
    throw new UsageError(`Cannot keep a PostgreSQL in "${folder}": its "data" is something else`, {
      hint: 'Name another folder',
    });
  if (!isMade) makeFiles(cluster, passwordPath);
  return new Secret(readPrivateFile(passwordPath, "PostgreSQL's password").trim());
}

function makeFiles(cluster: Cluster, passwordPath: string): void {
  const unfinished = `${cluster.data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordPath, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  for (const path of [unfinished, passwordPath]) giveTo(path, cluster.runAs);
  initialise(cluster, unfinished, passwordPath);
  renameSync(unfinished, cluster.data);
}

function giveTo(path: string, { uid, gid }: RunAs): void {
  if (uid !== undefined) chownSync(path, uid, gid);
}

function initialise({ programs, folder, runAs }: Cluster, data: string, passwordPath: string): void {
  const options = [`--pgdata=${data}`, `--pwfile=${passwordPath}`, `--username=${databaseUser}`];
  const text = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'];
  try {
    execFileSync(programs.initdb, [...options, ...text], {
      ...runAs,
      cwd: folder,
      env: serverEnvironment(),
      stdio: 'pipe',
      encoding: 'utf8',
    });
  } catch (cause) {
    const { stderr = '', message } = cause as Error & { readonly stderr?: string };
    throw new UsageError(`Cannot make a PostgreSQL in "${folder}": ${stderr.trim() || message}`, { cause });
  }
}
