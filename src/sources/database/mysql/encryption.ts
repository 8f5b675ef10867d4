import { isIP } from 'node:net';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import type { SslOptions } from 'mysql2';
import { UsageError } from '../../../lib/errors.ts';
import type { DatabaseAddress } from '../address/address.ts';
import {
  chooseEncryption,
  type Encryption,
  encryptionProblems,
  type Modes,
  type ServerEncryption,
  tlsOptions,
  usualEncryption,
} from '../address/encryption.ts';
import type { FileOptions } from './options-file.ts';

/**
 * Modes with the meaning that the program `mysql` gives them, except PREFERRED: that would continue without encryption
 * if an attacker in between wants it so.
 */
const modes: Modes = {
  VERIFY_IDENTITY: () => 'full',
  VERIFY_CA: () => 'authority',
  REQUIRED: () => 'unverified',
  PREFERRED: usualEncryption,
  DISABLED: () => 'none',
};

/** From the URL, then from the file of options. @throws UsageError */
export function mysqlEncryption(address: DatabaseAddress, file: FileOptions): ServerEncryption<SslOptions> {
  const findOption = (name: string) => address.parameters[name] || file[name];
  const encryption = chooseEncryption(modes, 'ssl-mode', findOption('ssl-mode') ?? 'PREFERRED', address);
  refuseNumbers(encryption, address);
  const options = tlsOptions(encryption, {
    authority: findOption('ssl-ca'),
    certificate: findOption('ssl-cert'),
    key: findOption('ssl-key'),
  });
  if (options) refuseUnusable(options);
  return {
    tls: options && ({ ...options, verifyIdentity: encryption === 'full' } as SslOptions),
    problems: encryptionProblems(encryption, address, 'ssl-mode=VERIFY_IDENTITY'),
  };
}

/** The driver would end the process. */
function refuseUnusable(options: ConnectionOptions): void {
  try {
    createSecureContext(options);
  } catch (cause) {
    throw new UsageError(
      'Cannot use the certificates: expected files in PEM, and a key that belongs to its certificate',
      {
        hint: 'They are named by ssl-ca, ssl-cert and ssl-key, in the address or in ~/.my.cnf',
        cause,
      },
    );
  }
}

/** The driver would look for the name "localhost" in the certificate. */
function refuseNumbers(encryption: Encryption, { host }: DatabaseAddress): void {
  if (encryption !== 'full' || !isIP(host)) return;
  throw new UsageError(`Cannot check the certificate of ${host}: it has a name to be checked, and this is a number`, {
    hint: 'Write the name of the host that is in its certificate; or add ssl-mode=VERIFY_CA, with ssl-ca=ca.pem of an authority that is yours alone',
  });
}
