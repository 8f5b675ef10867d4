import type { Connection } from 'mysql2';
import { ChatferryError, SourceError } from '../../../lib/errors.ts';
import type { DatabaseAddress } from '../address/address.ts';
import { connectionFault, DatabaseUnreachable, repeatHint } from '../address/unreachable.ts';

/** Operation during which an error came. */
export interface Attempt {
  readonly address: DatabaseAddress;
  readonly hasPassword: boolean;
  /** Location of the password, in words: `MYSQL_PWD`. */
  readonly passwordPlace: string;
  /** Whether a password in MYSQL_PWD would be used. */
  readonly takesVariable: boolean;
  /** How long the server had to answer, in ms. */
  readonly patienceMs: number;
  /** Whether the server has let this user in. */
  readonly isAdmitted?: boolean;
}

/**
 * An error of the driver in our words. The server's own words are left out: they may be in any language, and may quote values of rows.
 *
 * @param connection On which it came.
 * @returns The error itself if it is of neither the server nor the network.
 */
export function mysqlFault(error: unknown, attempt: Attempt, connection: Connection): unknown {
  if (error instanceof ChatferryError) return error;
  const { address } = attempt;
  const { code, errno } = error as { readonly code?: unknown; readonly errno?: unknown };
  if (code === 'HANDSHAKE_SSL_ERROR') return encryptionFault(connection, address);
  if (typeof code === 'string' && /^(?:PROTOCOL|HANDSHAKE|AUTH_SWITCH|ETIMEDOUT)/.test(code))
    return driverFault(code, attempt);
  const server = typeof errno === 'number' && errno >= 1000 ? errno : undefined;
  if (server !== undefined) return admissionFault(server, attempt) ?? serverFault(server, address);
  return connectionFault(error, address, 'ssl-ca') ?? error;
}

/** The driver puts its own code in the place of what went wrong; the connection still knows it. */
function encryptionFault(connection: Connection, address: DatabaseAddress): SourceError {
  const { stream } = connection as unknown as { readonly stream?: { readonly authorizationError?: unknown } };
  const known = connectionFault({ code: `${stream?.authorizationError}` }, address, 'ssl-ca');
  return (
    known ??
    new SourceError(`Cannot read ${address.shown}: no encryption came about`, {
      hint: 'The server may want a newer or an older TLS than Node has, or a certificate of the client (ssl-cert, ssl-key)',
    })
  );
}

function driverFault(code: string, { address: { shown }, patienceMs }: Attempt): SourceError {
  if (code === 'ETIMEDOUT')
    return new DatabaseUnreachable(`Cannot reach ${shown}: no answer within ${patienceMs / 1000} seconds`, {
      hint: 'Is this the right host and port? A firewall may drop the packets',
    });
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return new SourceError(`Cannot read ${shown}: the server offers no encryption`, {
      hint: 'Enable TLS there (ssl_cert, ssl_key), or use a tunnel; ssl-mode=DISABLED sends everything unencrypted',
    });
  if (code.startsWith('AUTH_SWITCH'))
    return new SourceError(`Cannot read ${shown}: the server wants a way of logging in that is not known here`, {
      hint: 'Use an account with caching_sha2_password or mysql_native_password',
    });
  return lost(shown);
}

/** Why the server lets this user do nothing. https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html, 2026-11 */
function admissionFault(
  errno: number,
  { address, hasPassword, passwordPlace, takesVariable, isAdmitted = false }: Attempt,
): SourceError | undefined {
  const { shown } = address;
  const rights = 'It needs SELECT on the tables: GRANT SELECT, as this would be said there';
  const refused = hasPassword
    ? `The password came from ${passwordPlace}. Does it belong to this user, and may the user connect from this machine?`
    : `No password was found in ${passwordPlace}. May the user connect from this machine?`;
  const login = isAdmitted
    ? (['the definer of a view has no rights, or is gone', 'Name the tables behind it in the mapping'] as const)
    : (['the server refused user and password', refused] as const);
  const reasons: Readonly<Record<number, readonly [words: string, hint: string]>> = {
    1045: login,
    1449: login,
    1698: ['the server refused user and password', refused],
    1044: ['this user may not use the database, or there is none of this name', 'SHOW DATABASES shows which there are'],
    1049: ['there is no such database', 'SHOW DATABASES shows which there are'],
    1130: ['the server accepts no connections from this machine', "The account needs this machine as its host, or '%'"],
    1142: ['this user has not the right to', rights],
    1143: ['this user has not the right to', rights],
    1227: ['this user has not the right to', rights],
    1370: ['this user has not the right to', 'A view calls a function: it needs EXECUTE on that'],
    3118: ['the account is locked', 'ALTER USER … ACCOUNT UNLOCK'],
    4151: ['the account is locked', 'ALTER USER … ACCOUNT UNLOCK'],
    1820: ['the password has expired', 'ALTER USER … IDENTIFIED BY …'],
    1862: ['the password has expired', 'ALTER USER … IDENTIFIED BY …'],
    3159: ['the server wants encryption', 'Take ssl-mode=DISABLED out, or add ssl-mode=VERIFY_IDENTITY'],
  };
  if (!Object.hasOwn(reasons, errno)) return undefined;
  const [words, hint] = reasons[errno]!;
  const isRefused = !isAdmitted && [1045, 1698].includes(errno) && takesVariable;
  const wants = !isRefused ? undefined : hasPassword ? 'other-password' : 'password';
  return new SourceError(`Cannot read ${shown}: ${words}`, { hint, wants });
}

const full = [
  'it has no connection left',
  'End some others, or raise max_connections there; then run the same command again',
] as const;
const locked = [
  'another session has locked the table',
  'A migration may be running there. Run the same command again after it',
] as const;

/** Whatever may be over with the next run. */
const passing: Readonly<Record<number, readonly [words: string, hint: string]>> = {
  1040: full,
  1203: full,
  1226: ['this account has reached its limits', 'Its limits are in mysql.user; wait an hour, or raise them'],
  1129: ['the server has blocked this machine after many errors', 'FLUSH HOSTS there, then run the same command again'],
  1205: locked,
  1213: locked,
};

const changed: ReadonlySet<number> = new Set([1054, 1146, 1412]);
const cancelled: ReadonlySet<number> = new Set([1317, 1969, 3024]);
/** The server stops, or the connection was ended by someone. */
const goneErrors: ReadonlySet<number> = new Set([1053, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 4031]);

function serverFault(errno: number, { shown }: DatabaseAddress): SourceError {
  if (Object.hasOwn(passing, errno)) {
    const [words, hint] = passing[errno]!;
    return new DatabaseUnreachable(`Cannot read ${shown}: ${words}`, { hint });
  }
  if (goneErrors.has(errno)) return lost(shown);
  if (cancelled.has(errno))
    return new SourceError(`Cannot read ${shown}: the server cancelled the statement`, {
      hint: 'An administrator or a timeout did so. Run the same command again, at a quieter time',
    });
  if (changed.has(errno))
    return new SourceError(`Cannot read ${shown}: its tables changed while they were read`, { hint: repeatHint });
  if (errno === 1153)
    return new SourceError(`Cannot read ${shown}: a row is larger than the server sends`, {
      hint: 'Raise max_allowed_packet there',
    });
  return new SourceError(`Cannot read ${shown}: the server refused it with error ${errno}`, {
    hint: 'The log of the server says more. A view may fail with some of its rows',
  });
}

const lost = (shown: string): DatabaseUnreachable =>
  new DatabaseUnreachable(`Lost the connection to ${shown}`, { hint: repeatHint });
