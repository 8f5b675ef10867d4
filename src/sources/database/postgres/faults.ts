import { ChatferryError, SourceError } from '../../../lib/errors.ts';
import type { DatabaseAddress } from '../address/address.ts';
import { connectionFault, DatabaseUnreachable, repeatHint } from '../address/unreachable.ts';

/** The attempt during which an error occurred. */
export interface Attempt {
  readonly address: DatabaseAddress;
  /** Source of the password, for messages: `PGPASSWORD`. */
  readonly passwordPlace: string;
  /** Whether a password in PGPASSWORD would be used. */
  readonly takesVariable: boolean;
  /** How long the server had to answer, in ms. */
  readonly patienceMs: number;
}

/**
 * An error of the driver in our words. The server's own words are left out: they may be in any language, and may quote values of rows.
 *
 * @returns The error itself if it is of neither the server nor the network.
 */
export function postgresFault(error: unknown, attempt: Attempt): unknown {
  if (error instanceof ChatferryError) return error;
  const { address } = attempt;
  const state = sqlState(error);
  return (
    connectionFault(error, address, 'sslrootcert') ??
    (state === undefined
      ? driverFault(error, attempt)
      : (admissionFault(state, attempt) ?? serverFault(state, address)))
  );
}

/** Five digits or letters that PostgreSQL puts into every error. https://www.postgresql.org/docs/current/errcodes-appendix.html, 2026-11 */
function sqlState(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** `pg` gives these no code. */
function driverFault(error: unknown, { address: { shown }, patienceMs }: Attempt): unknown {
  const words = error instanceof Error ? error.message : '';
  if (words === 'timeout expired')
    return new DatabaseUnreachable(`Cannot reach ${shown}: no answer within ${patienceMs / 1000} seconds`, {
      hint: 'Is this the right host and port? A firewall may drop the packets',
    });
  if (/^Connection terminated|not queryable$/.test(words)) return lost(shown);
  if (/does not support SSL|establishing an SSL/.test(words))
    return new SourceError(`Cannot read ${shown}: the server offers no encryption`, {
      hint: 'Enable TLS there (ssl = on), or use a tunnel; sslmode=disable sends everything unencrypted',
    });
  if (words.startsWith('SASL'))
    return new SourceError(`Cannot read ${shown}: the server could not prove that it knows the password`, {
      hint: 'Is it the right server? Something between may answer in its place',
    });
  return error;
}

/** Why the server lets this user do nothing. */
function admissionFault(state: string, { address, passwordPlace, takesVariable }: Attempt): SourceError | undefined {
  const { shown } = address;
  const reasons: Readonly<Record<string, readonly [words: string, hint: string]>> = {
    '28P01': [
      'the server refused user and password',
      `The password came from ${passwordPlace}. Does it belong to this user of this server?`,
    ],
    '28000': [
      'the server does not let this user in',
      'The role may not exist, may not log in, or pg_hba.conf there does not list it with this machine and this encryption (sslmode)',
    ],
    '3D000': ['there is no such database', 'psql --list shows which there are'],
    '42501': [
      'this user has not the right to',
      'It needs CONNECT on the database, USAGE on the schema, SELECT on the table, and BYPASSRLS where policies hide rows',
    ],
  };
  if (!Object.hasOwn(reasons, state)) return undefined;
  const [words, hint] = reasons[state]!;
  const wants = state === '28P01' && takesVariable ? 'other-password' : undefined;
  return new SourceError(`Cannot read ${shown}: ${words}`, { hint, wants });
}

/** Whatever may be over with the next run. */
const passing: Readonly<Record<string, readonly [words: string, hint: string]>> = {
  '53300': [
    'it has no connection left',
    'End some others, or raise max_connections there; then run the same command again',
  ],
  '57P03': ['it is starting or stopping', 'Run the same command again once it accepts connections'],
  '55P03': [
    'another session has locked the table',
    'A migration may be running there. Run the same command again after it',
  ],
  '40001': [
    'the standby had to go on with changes of its primary',
    'Run the same command again; read from the primary, or raise max_standby_streaming_delay',
  ],
  '25P03': ['the server ended a transaction that was idle', repeatHint],
  '25P04': ['the server ended a transaction that took long', 'Raise transaction_timeout there for this role'],
  '57P05': ['the server ended a session that was idle', repeatHint],
};

function serverFault(state: string, { shown }: DatabaseAddress): SourceError {
  if (Object.hasOwn(passing, state)) {
    const [words, hint] = passing[state]!;
    return new DatabaseUnreachable(`Cannot read ${shown}: ${words}`, { hint });
  }
  if (/^(?:08|57P|53|58)/.test(state)) return lost(shown);
  if (state === '57014')
    return new SourceError(`Cannot read ${shown}: the server cancelled the statement`, {
      hint: 'An administrator or a timeout did so. Run the same command again, at a quieter time',
    });
  if (state === '42P01' || state === '42703')
    return new SourceError(`Cannot read ${shown}: its tables changed while they were read`, { hint: repeatHint });
  return new SourceError(`Cannot read ${shown}: the server refused it with SQLSTATE ${state}`, {
    hint: 'The log of the server says more. A view may fail with some of its rows',
  });
}

const lost = (shown: string): DatabaseUnreachable =>
  new DatabaseUnreachable(`Lost the connection to ${shown}`, { hint: repeatHint });
