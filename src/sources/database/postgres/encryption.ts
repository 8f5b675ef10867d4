import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import type { DatabaseAddress } from '../address/address.ts';
import {
  chooseEncryption,
  encryptionProblems,
  type Modes,
  type ServerEncryption,
  tlsOptions,
  usualEncryption,
} from '../address/encryption.ts';
import { type CredentialPlaces, isFile } from './credentials.ts';

/**
 * Modes by their libpq names; versions of `pg` interpret them differently. Here `require` still verifies the server:
 * use `no-verify` to skip that.
 */
const modes: Modes = {
  'verify-full': () => 'full',
  'verify-ca': () => 'authority',
  require: () => 'full',
  // Both let a client do what it usually does.
  prefer: usualEncryption,
  allow: usualEncryption,
  'no-verify': () => 'unverified',
  disable: () => 'none',
};

/** From `sslmode` and its relatives in the URL, then from the environment, then from `~/.postgresql/`. @throws UsageError */
export function postgresEncryption(
  address: DatabaseAddress,
  { env, home }: CredentialPlaces,
): ServerEncryption<ConnectionOptions> {
  const { parameters } = address;
  const mode = parameters.sslmode || env.PGSSLMODE || 'prefer';
  const encryption = chooseEncryption(modes, 'sslmode', mode, address);
  const findFile = (name: string, usual: string) => {
    const named = parameters[name] || env[`PG${name.toUpperCase()}`];
    const path = join(home, '.postgresql', usual);
    return named || (isFile(path) ? path : undefined);
  };
  const authority = findFile('sslrootcert', 'root.crt');
  return {
    tls: tlsOptions(encryption, {
      authority: authority === 'system' ? undefined : authority,
      certificate: findFile('sslcert', 'postgresql.crt'),
      key: findFile('sslkey', 'postgresql.key'),
    }),
    problems: encryptionProblems(encryption, address, 'sslmode=verify-full'),
  };
}
