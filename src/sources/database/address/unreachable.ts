import { SourceError } from '../../../lib/errors.ts';
import { tlsFault } from '../../../lib/tls-faults.ts';
import type { DatabaseAddress } from './address.ts';

/**
 * The server does not answer, has no room, or went away: the same run may succeed later. After every other error a
 * person has to change something.
 */
export class DatabaseUnreachable extends SourceError {}

export const repeatHint =
  'Nothing was changed there. Run the same command again: it starts over with a fresh view of the database';

/** Reads rows of a server's table: an abort ends the connection, and an error names the table. */
export async function* readTable<T>(
  session: { endOn(signal: AbortSignal): () => void },
  name: string,
  signal: AbortSignal | undefined,
  read: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const stopWatching = signal && session.endOn(signal);
  try {
    yield* read();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const Kind = error instanceof DatabaseUnreachable ? DatabaseUnreachable : SourceError;
    throw new Kind(`${error.message}, at the table "${name}"`, { hint: error.hint, cause: error.cause });
  } finally {
    stopWatching?.();
  }
}

/** By the code of Node's error. */
const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens there',
  ENOTFOUND: 'no host has this name',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  EHOSTUNREACH: 'there is no way to this host',
  ENETUNREACH: 'there is no way to this network',
  ENOENT: 'there is no such socket',
  EACCES: 'this user may not use the socket',
  ETIMEDOUT: 'it does not answer',
};

const gone: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/**
 * An error of the network or of TLS in words.
 *
 * @param authority The parameter that names the file of the certificate authority: `sslrootcert`.
 * @returns Nothing for any other error.
 */
export function connectionFault(
  error: unknown,
  { shown }: DatabaseAddress,
  authority: string,
): SourceError | undefined {
  const code = codeOf(error);
  if (Object.hasOwn(faults, code)) {
    const hint = 'Is the server running, and may this machine reach it? Check host and port, VPN and firewall';
    return new DatabaseUnreachable(`Cannot reach ${shown}: ${faults[code]}`, { hint, cause: error });
  }
  if (gone.has(code))
    return new DatabaseUnreachable(`Lost the connection to ${shown}`, { hint: repeatHint, cause: error });
  const tls = tlsFault(code);
  if (!tls) return undefined;
  const hint = /CERT|SIGNATURE|ALTNAME/.test(code) ? certificateHint(code, authority) : tls.hint;
  return new SourceError(`Cannot trust ${shown}: ${tls.words}`, { hint, cause: error });
}

function certificateHint(code: string, authority: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'Use the name of the host that is in its certificate';
  if (/EXPIRED|NOT_YET|REVOKED/.test(code)) return 'The server needs another certificate';
  return `Name the certificate of the authority that signed it: ?${authority}=ca.pem. Its provider or administrator has that file`;
}

/** Several addresses of one name were tried: the first error stands for all. */
function codeOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
