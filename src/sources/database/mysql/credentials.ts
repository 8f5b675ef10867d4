import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../lib/errors.ts';
import { readPrivateFile } from '../../../lib/files/private-file.ts';
import { Secret } from '../../../lib/secret.ts';
import { oneLine } from '../../../lib/text/plain-text.ts';
import type { DatabaseAddress } from '../address/address.ts';
import { readPasswordFile } from '../address/password-file.ts';
import { type FileOptions, parseOptionsFile } from './options-file.ts';

/** Where credentials may be. */
export interface CredentialPlaces {
  readonly env: NodeJS.ProcessEnv;
  /** The user's folder, with `.my.cnf`. */
  readonly home: string;
  /** Path of a file with the password alone; it goes before all others. */
  readonly passwordFile?: string | undefined;
}

export interface FoundCredentials {
  /** Address with the user and the socket of the file, if the given one leaves them out. */
  readonly address: DatabaseAddress;
  readonly password: Secret | undefined;
  /** Location of the password, in words; or the locations that were searched. */
  readonly place: string;
  readonly file: FileOptions;
}

/** As the program `mysql` does: the file goes before the variable. @throws UsageError for a file that others may read */
export function findCredentials(
  given: DatabaseAddress,
  { env, home, passwordFile }: CredentialPlaces,
): FoundCredentials {
  const path = join(home, '.my.cnf');
  const exists = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const file = exists ? parseOptionsFile(readPrivateFile(path, 'the options of MySQL')) : {};
  const address = completed(given, file);
  if (passwordFile) return { address, file, password: readPasswordFile(passwordFile), place: `"${passwordFile}"` };
  if (file.password) return { address, file, password: new Secret(file.password), place: `"${path}"` };
  const password = env.MYSQL_PWD ? new Secret(env.MYSQL_PWD) : undefined;
  return { address, file, password, place: password ? 'MYSQL_PWD' : `MYSQL_PWD and "${path}"` };
}

/** Like `mysql`, uses the socket for `localhost`, if the file names one. */
function completed(given: DatabaseAddress, { user, host, socket }: FileOptions): DatabaseAddress {
  const isLocal = given.host === 'localhost';
  if (isLocal && host && host !== 'localhost')
    throw new UsageError(
      'Cannot determine the database: the address names localhost or no host, and ~/.my.cnf names another host',
      {
        hint: 'Write the host into the address; 127.0.0.1 for a server on this machine',
      },
    );
  return {
    ...given,
    ...(user && given.user === ownName() && { user }),
    ...(isLocal && socket && { host: socket, shown: oneLine(`mysql:///${given.database}?socket=${socket}`) }),
  };
}

function ownName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
