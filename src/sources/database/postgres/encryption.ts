import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { UsageError } from '../../../lib/errors.ts';
import { nearestName } from '../../../lib/text/nearest-name.ts';
import type { DatabaseAddress } from '../address/address.ts';
import { type Encryption, encryptionProblems, tlsOptions, usualEncryption } from '../address/encryption.ts';
import type { DatabaseProblem } from '../database.ts';
import { type CredentialPlaces, isFile } from './credentials.ts';

/**
 * Modes by their libpq names; versions of `pg` interpret them differently. Here `require` still verifies the server:
 * use `no-verify` to skip that.
 */
const modes: Readonly<Record<string, (address: DatabaseAddress) => Encryption>> = {
  'verify-full': () => 'full',
  'verify-ca': () => 'authority',
  require: () => 'full',
  // Both let a client do what it usually does.
  prefer: usualEncryption,
  allow: usualEncryption,
  'no-verify': () => 'unverified',
  disable: () => 'none',
};

/** How a connection is encrypted, and what that gives up. */
export interface PostgresEncryption {
  readonly tls: ConnectionOptions | false;
  readonly problems: readonly DatabaseProblem[];
}

/** From `sslmode` and its relatives in the URL, then from the environment, then from `~/.postgresql/`. @throws UsageError */
export function postgresEncryption(address: DatabaseAddress, { env, home }: CredentialPlaces): PostgresEncryption {
  const { parameters, host } = address;
  const mode = parameters.sslmode || env.PGSSLMODE || 'prefer';
  // A socket has no TLS.
  const encryption = host.startsWith('/') ? 'none' : chooseEncryption(mode, address);
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

function chooseEncryption(mode: string, address: DatabaseAddress): Encryption {
  if (Object.hasOwn(modes, mode)) return modes[mode]!(address);
  const known = Object.keys(modes);
  const meant = nearestName(mode, known);
  throw new UsageError(`Cannot use "${mode}" as sslmode`, {
    hint: `${meant ? `Did you mean "${meant}"? ` : ''}Known: ${known.join(', ')}`,
  });
}
