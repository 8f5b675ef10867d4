import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfigFile } from '../config/config-file.ts';
import { type FleetKeys, fleetSchema } from '../sync/shared-settings.ts';
import { UsageError } from '../lib/errors.ts';
import { isRemembered, remember } from '../lib/files/remembered-lines.ts';
import { Secret } from '../lib/secret.ts';
import { embeddedFolder } from './worker-options.ts';
import type { FleetFilesRule } from './copies/fleet-files.ts';
import { docsLink } from '../lib/docs-link.ts';

/** Location of a fleet, as a command found it. */
export interface FleetConfig extends Omit<FleetKeys, 'database' | 'files' | 'endpoint' | 'region' | 'credentials'> {
  /** Nothing where PostgreSQL is in a folder of this machine. */
  readonly database: Secret | undefined;
  readonly files: FleetFilesRule;
  /** Folder in which the PostgreSQL of this machine keeps everything, if there is no other database. */
  readonly embedded: string | undefined;
}

export interface FleetSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly configPath?: string | undefined;
  /** Folder of the embedded PostgreSQL, if the command line selects it. */
  readonly embedded?: string | undefined;
  /** Whether a folder in which no worker made a PostgreSQL yet may be used: by a worker, which makes one. */
  readonly makes?: boolean;
}

/**
 * Returns database and files of a fleet: from `fleet:` of `chatferry.yaml`, or from the variables. Without either, uses
 * the fleet in `./chatferry-fleet`, if there is one.
 *
 * @throws UsageError
 */
export function loadFleet({ env, configPath, embedded, makes = false }: FleetSources): FleetConfig {
  if (embedded !== undefined && !makes && !hasFleet(embedded)) throw noFleetIn(embedded);
  const file = readConfigFile(configPath);
  const given = file?.values.fleet ?? {};
  const parsed = fleetSchema.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const key = issue.code === 'unrecognized_keys' ? issue.keys[0]! : issue.path.map(String).join('.');
    const place = file?.locate(['fleet', ...(key === '' ? [] : [key])]) ?? 'fleet';
    const what = issue.code === 'unrecognized_keys' ? 'there is no such key' : issue.message;
    throw new UsageError(`Cannot use the configuration: ${place}: fleet.${key}: ${what}`, {
      hint: `${docsLink('guides/operate/fleet')} explains every key`,
    });
  }
  const { database: named, files, endpoint, region, credentials, ...keys } = parsed.data;
  const database = env.CHATFERRY_FLEET_DATABASE || named;
  const at = embedded ?? (database === undefined ? embeddedHere() : undefined);
  if (at === undefined && database === undefined) throw nowhere();
  const filesAt = env.CHATFERRY_FLEET_FILES || files || (at === undefined ? undefined : `${at}/files`);
  if (filesAt === undefined) throw noFiles();
  return {
    ...keys,
    ...(at !== undefined && keys.work === fleetSchema.parse({}).work && { work: `${at}/work` }),
    database: at === undefined ? new Secret(database!) : undefined,
    files: {
      files: filesAt.startsWith('s3://') ? filesAt : resolve(filesAt),
      region,
      ...(endpoint !== undefined && { endpoint }),
      ...(credentials !== undefined && { credentials: resolve(credentials) }),
    },
    embedded: at === undefined ? undefined : resolve(at),
  };
}

/** The lock is there as soon as a worker begins to make its PostgreSQL. */
const hasFleet = (folder: string): boolean => existsSync(join(folder, 'postgres.lock'));

/** A mistyped name must not become a second, empty fleet. */
const noFleetIn = (folder: string) =>
  new UsageError(`Cannot use the fleet in "${folder}": no worker has made one there`, {
    hint: `Name the folder as its worker has it, or start that worker first: chatferry worker --embedded ${folder}`,
  });

/**
 * The embedded PostgreSQL of this folder, if there is one. One that this user has not named before may be a stranger's: its settings start
 * programs, and so do its units.
 */
function embeddedHere(): string | undefined {
  if (!existsSync(embeddedFolder)) return undefined;
  if (isRemembered('fleets', realpathSync.native(embeddedFolder))) return embeddedFolder;
  throw new UsageError(`Cannot use the PostgreSQL in "${embeddedFolder}": it was found in this folder, not named`, {
    hint: `If it is yours, name it once: chatferry worker --embedded; ${docsLink('understand/security')}`,
  });
}

/** From now on every command of this user finds the embedded PostgreSQL there. */
export const rememberEmbedded = (folder: string): void => remember('fleets', realpathSync.native(folder));

const nowhere = () =>
  new UsageError('Cannot work in a fleet: no database is named', {
    hint: 'Set fleet.database in chatferry.yaml or CHATFERRY_FLEET_DATABASE; to try it on this machine: chatferry worker --embedded. If that worker was given a folder, pass it here as well: --embedded DIR',
  });

const noFiles = () =>
  new UsageError('Cannot work in a fleet: no place for copies of stores is named', {
    hint: 'Set fleet.files in chatferry.yaml: s3://bucket/prefix, or a folder that all workers see',
  });
