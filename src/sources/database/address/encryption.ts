import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { UsageError } from '../../../lib/errors.ts';
import { nearestName } from '../../../lib/text/nearest-name.ts';
import { readPrivateFile } from '../../../lib/files/private-file.ts';
import type { DatabaseProblem } from '../database.ts';
import { type DatabaseAddress, isOnThisMachine } from './address.ts';

/**
 * Protection of a connection:
 * - `full`: encrypted, and the server shows a certificate for its name from an authority that is trusted;
 * - `authority`: the same for any name;
 * - `unverified`: encrypted, with any server;
 * - `none`: not encrypted.
 */
export type Encryption = 'full' | 'authority' | 'unverified' | 'none';

/** Returns the default encryption. Outside this machine everything is checked unless it is set otherwise. */
export const usualEncryption = (address: DatabaseAddress): Encryption => (isOnThisMachine(address) ? 'none' : 'full');

/** Modes of a database system by their names there. */
export type Modes = Readonly<Record<string, (address: DatabaseAddress) => Encryption>>;

/** @param parameter Its name in the address: `sslmode`. @throws UsageError for a mode that is none of these. */
export function chooseEncryption(modes: Modes, parameter: string, mode: string, address: DatabaseAddress): Encryption {
  // A socket has no TLS.
  if (address.host.startsWith('/')) return 'none';
  const known = Object.keys(modes);
  const found = known.find((name) => name === mode) ?? known.find((name) => name === mode.toUpperCase());
  if (found !== undefined) return modes[found]!(address);
  const meant = nearestName(mode, known) ?? nearestName(mode.toUpperCase(), known);
  throw new UsageError(`Cannot use "${mode}" as ${parameter}`, {
    hint: `${meant ? `Did you mean "${meant}"? ` : ''}Known: ${known.join(', ')}`,
  });
}

/** How a connection is encrypted, and the risks of that. */
export interface ServerEncryption<T> {
  readonly tls: T | false;
  readonly problems: readonly DatabaseProblem[];
}

/** Paths of files in PEM. */
export interface CertificateFiles {
  /** Authorities that are trusted, instead of those that Node knows. */
  readonly authority?: string | undefined;
  /** Certificate of the client, if the server asks for one. */
  readonly certificate?: string | undefined;
  /** Its key: only its owner may read the file. */
  readonly key?: string | undefined;
}

/**
 * Returns the options of `tls.connect`; `false` for a connection without TLS.
 *
 * @throws UsageError for a file that cannot be read
 */
export function tlsOptions(encryption: Encryption, files: CertificateFiles): ConnectionOptions | false {
  if (encryption === 'none') return false;
  const { authority, certificate, key } = files;
  return {
    rejectUnauthorized: encryption !== 'unverified',
    ...(encryption === 'authority' && { checkServerIdentity: () => undefined }),
    ...(authority && { ca: readCertificate(authority) }),
    ...(certificate && { cert: readCertificate(certificate) }),
    ...(key && { key: readPrivateFile(key, 'the key of the certificate') }),
  };
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UsageError(`Cannot read the certificate "${path}": ${code}`, { cause });
  }
}

/**
 * Returns the risks of a weaker encryption.
 *
 * @param strict Parameter with which the address asks for full protection: `sslmode=verify-full`.
 */
export function encryptionProblems(
  encryption: Encryption,
  address: DatabaseAddress,
  strict: string,
): readonly DatabaseProblem[] {
  if (isOnThisMachine(address) || encryption === 'full') return [];
  const { shown } = address;
  if (encryption === 'none') {
    const reason = `The connection to ${shown} is not encrypted: anybody between can read the messages, and may read the password. Use ${strict}`;
    return [{ code: 'database-not-encrypted', reason }];
  }
  const gap =
    encryption === 'authority'
      ? 'the certificate may be for another host of the same authority'
      : 'the identity of the server is not checked, so another server could pretend to be it and get the password';
  return [
    { code: 'database-not-verified', reason: `The connection to ${shown} is encrypted, but ${gap}. Use ${strict}` },
  ];
}
