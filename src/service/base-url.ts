import { isLoopback } from '../lib/loopback.ts';
import { UsageError } from '../lib/errors.ts';
import { trimEnd } from '../lib/text/plain-text.ts';

/**
 * The base address as it names a destination: `https://host[:port][/prefix]`, host in lower case, no default port,
 * no `/v3`, no slash at the end. Two spellings of one address come out equal.
 *
 * @throws UsageError if it is no address, carries credentials or a query, or would send the key in the clear to another machine.
 */
export function normaliseBaseUrl(url: string): string {
  if (!URL.canParse(url))
    throw usage('it is not an address', 'Pass the address before /v3, such as https://chat.example.com');
  const { protocol, host, hostname, pathname, search, hash, username, password } = new URL(url);
  // From here on the address is not quoted: it may hold a password.
  if (username !== '' || password !== '') throw usage('it contains credentials', 'Pass the key as CHATFERRY_API_KEY');
  if (search !== '' || hash !== '') throw usage('it has a query or a fragment', 'Pass the address before /v3');
  if (protocol !== 'https:' && protocol !== 'http:') throw usage(`"${protocol}" is not https`, 'Pass an https address');
  if (protocol === 'http:' && !isLoopback(hostname)) {
    throw usage(
      `http would send the key unprotected to "${host}"`,
      'Pass an https address; http is for this machine only',
    );
  }
  const prefix = trimEnd(pathname, '/').replace(/\/v3$/i, '');
  return `${protocol}//${host}${trimEnd(prefix, '/')}`;
}

function usage(reason: string, hint: string): UsageError {
  return new UsageError(`Cannot use the address of the service: ${reason}`, { hint });
}
