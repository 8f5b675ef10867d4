import type { ExportLocation } from './config/export-location.ts';
import { isServerAddress } from '../io/input/server-input.ts';
import { UsageError } from '../lib/errors.ts';
import { readHeaders } from '../lib/files/header-file.ts';
import { Secret } from '../lib/secret.ts';
import { runExportCommand } from './locations/command.ts';
import { openDatabaseCopy } from './locations/database.ts';
import { downloadExport } from './locations/download.ts';
import { openDropFolder } from './locations/drop-folder.ts';
import { fetchKey, fetchNewMessages } from './locations/fetch.ts';
import { fetchFromProvider, providerKey } from './locations/provider.ts';
import { type OpenLocation, plainTake } from './location.ts';

/** How the place is opened that a job's configuration names. */
export function openExportLocation(location: ExportLocation): OpenLocation {
  if ('path' in location) return async () => plainTake(location.path);
  if ('dropFolder' in location) return (context) => openDropFolder(location, context);
  if ('url' in location) return (context) => downloadExport(location, context);
  if ('command' in location) return (context) => runExportCommand(location, context);
  if ('database' in location) return (context) => openDatabaseCopy(location, context);
  if ('provider' in location) return (context) => fetchFromProvider(location.provider, context);
  return (context) => fetchNewMessages(location, context);
}

/**
 * Checks a location before it is contacted: that its secrets are there, and only their owner may read them.
 *
 * @returns The secrets themselves, to be kept out of logs.
 * @throws UsageError
 */
export function checkLocation(
  location: ExportLocation,
  env: Readonly<Record<string, string | undefined>>,
): readonly Secret[] {
  if ('url' in location && location.headersFile !== undefined) {
    return Object.values(readHeaders(location.headersFile)).flatMap(secretsOf);
  }
  if ('database' in location || ('path' in location && location.path.some(isServerAddress)))
    return passwordVariables.flatMap((name) => (env[name] ? secretsOf(env[name]) : []));
  if ('provider' in location) {
    const key = providerKey(location.provider, env);
    if (key) return [key];
    throw new UsageError(`Cannot fetch from ${location.provider.name}: no key`, {
      hint: `Set the variable ${location.provider.apiKeyVariable}`,
    });
  }
  if (!('fetch' in location)) return [];
  const key = fetchKey(location.fetch, env);
  if (key) return [key];
  throw new UsageError(`Cannot fetch from ${location.fetch.from}: no API key`, {
    hint: `Set the variable ${location.fetch.apiKeyVariable}`,
  });
}

/** Variables in which database clients look for a password. */
const passwordVariables = ['PGPASSWORD', 'MYSQL_PWD'];

/** Shorter values are no secrets; to take every "7" out of a log would hide what it says. */
const secretLengthMin = 8;

/** `Bearer t0ken…`: the whole, and the token by itself. */
const secretsOf = (value: string): readonly Secret[] =>
  [value, ...value.split(/[ =;,]+/)].filter((one) => one.length >= secretLengthMin).map((one) => new Secret(one));
