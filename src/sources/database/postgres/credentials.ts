import { statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../lib/errors.ts';
import { readPrivateFile } from '../../../lib/files/private-file.ts';
import { Secret } from '../../../lib/secret.ts';
import type { DatabaseAddress } from '../address/address.ts';
import { readPasswordFile } from '../address/password-file.ts';
import { passwordInLines } from './password-lines.ts';

/** Where credentials may be. */
export interface CredentialPlaces {
  readonly env: NodeJS.ProcessEnv;
  /** The user's folder, with `.pgpass` and `.postgresql/`. */
  readonly home: string;
  /** Path of a file with the password alone; it goes before all others. */
  readonly passwordFile?: string | undefined;
}

/** A password and where it was found, in words; or where it was looked for. */
export interface FoundPassword {
  readonly password?: Secret | undefined;
  readonly place: string;
}

/** As libpq does: the variable, then the file of many passwords. @throws UsageError for a file that others may read */
export function findPassword(address: DatabaseAddress, { env, home, passwordFile }: CredentialPlaces): FoundPassword {
  if (passwordFile) return { password: readPasswordFile(passwordFile), place: `"${passwordFile}"` };
  if (env.PGPASSWORD) return { password: new Secret(env.PGPASSWORD), place: 'PGPASSWORD' };
  const path = env.PGPASSFILE || usualPath(env, home);
  const text = isFile(path) ? readPrivateFile(path, 'the passwords of PostgreSQL') : '';
  const password = passwordInLines(text, address);
  return { password: password === undefined ? undefined : new Secret(password), place: `"${path}"` };
}

const usualPath = (env: NodeJS.ProcessEnv, home: string): string =>
  process.platform === 'win32' ? join(env.APPDATA ?? home, 'postgresql', 'pgpass.conf') : join(home, '.pgpass');

/** Whether a file is there; nothing is said of one that is not, as libpq does. */
export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** They would change what a connection is in ways that no message shows. */
const refused: Readonly<Record<string, string>> = {
  PGOPTIONS: 'Settings of the session are ours',
  PGSERVICE: 'Files of services are not read: write host, user and database into the URL',
  PGHOSTADDR: 'Write the host into the URL',
};

/** @throws UsageError for variables that libpq obeys and we do not: to pass over them would read from somewhere else. */
export function refuseVariables(env: NodeJS.ProcessEnv): void {
  for (const [name, reason] of Object.entries(refused))
    if (env[name]) throw new UsageError(`Cannot connect with ${name} set`, { hint: `${reason}. Then: unset ${name}` });
}
