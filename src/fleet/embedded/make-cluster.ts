import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../lib/errors.ts';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { readPrivateFile } from '../../lib/files/private-file.ts';
import { Secret } from '../../lib/secret.ts';
import type { PostgresPrograms } from './programs.ts';

/** The files of a PostgreSQL, and what runs it. */
export interface Cluster {
  readonly programs: PostgresPrograms;
  /** Absolute, without links. */
  readonly folder: string;
  /** The database, in that folder. */
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

/** Creates the folder if it does not exist. @throws UsageError */
export function clusterIn(given: string, programs: PostgresPrograms): Cluster {
  const isRoot = process.getuid?.() === 0;
  try {
    // The user as whom the server runs must be able to enter.
    makeFolder(given, isRoot ? 0o711 : 0o700);
  } catch (cause) {
    throw new UsageError(`Cannot keep a PostgreSQL in "${given}": ${(cause as NodeJS.ErrnoException).code}`, {
      hint: 'Name a folder that this user may make: chatferry worker --embedded DIR',
      cause,
    });
  }
  const folder = realpathSync(given);
  const data = join(folder, 'data');
  return { programs, folder, data, runAs: isRoot ? (findOwner(data) ?? serverUser()) : {} };
}

/** Root goes on with files that another user made. */
function findOwner(data: string): RunAs | undefined {
  const found = statSync(data, { throwIfNoEntry: false });
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

const passwordPath = ({ folder }: Cluster): string => join(folder, 'password');

/** @throws UsageError */
export const readPassword = (cluster: Cluster): Secret =>
  new Secret(readPrivateFile(passwordPath(cluster), "PostgreSQL's password").trim());

/** Makes the database's files if there are none, whole or not at all. @throws UsageError */
export function makeCluster(cluster: Cluster): void {
  const { folder, data, runAs } = cluster;
  if (existsSync(join(data, 'PG_VERSION'))) return;
  if (existsSync(data))
    throw new UsageError(`Cannot keep a PostgreSQL in "${folder}": its "data" is something else`, {
      hint: 'Name another folder',
    });
  const unfinished = `${data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordPath(cluster), `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  if (runAs.uid !== undefined)
    for (const path of [unfinished, passwordPath(cluster)]) chownSync(path, runAs.uid, runAs.gid);
  initialise(cluster, unfinished);
  renameSync(unfinished, data);
}

function initialise(cluster: Cluster, data: string): void {
  const { programs, folder, runAs } = cluster;
  const options = [`--pgdata=${data}`, `--pwfile=${passwordPath(cluster)}`, `--username=${databaseUser}`];
  const text = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'];
  const run = { ...runAs, cwd: folder, env: serverEnvironment(), stdio: 'pipe', encoding: 'utf8' } as const;
  try {
    execFileSync(programs.initdb, [...options, ...text], run);
  } catch (cause) {
    const { stderr, message } = cause as Error & { readonly stderr?: string | null };
    throw new UsageError(`Cannot make a PostgreSQL in "${folder}": ${stderr?.trim() || message}`, {
      hint:
        runAs.uid === undefined
          ? 'Set fleet.database to a PostgreSQL of yours'
          : `It runs as user ${runAs.uid}, who must be able to enter every folder above "${folder}" and "${programs.initdb}"`,
      cause,
    });
  }
}

/** The user as whom a program runs; that of this process if it is empty. */
export type RunAs = { readonly uid: number; readonly gid: number } | Record<string, never>;

/** PostgreSQL refuses to run as root: then it runs as the user `postgres`, who is created if there is none. @throws UsageError */
export function serverUser(): RunAs {
  if (process.getuid?.() !== 0) return {};
  const readSystemId = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }));
  const find = () => ({ uid: readSystemId('-u'), gid: readSystemId('-g') });
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
