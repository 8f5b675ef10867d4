import { timingSafeEqual } from 'node:crypto';
import { UsageError } from '../../lib/errors.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import { refuse } from '../answers.ts';
import { type ApiKeys, digestOf } from '../data/credentials.ts';

/** The digest of the key of a request, or the answer to a request whose key does not open this service. */
export type Authentication = (
  given: string | undefined,
) => { readonly digest: string } | { readonly refusal: TransportAnswer };

/**
 * Every operation needs full access: the key that the sandbox was started with has it, and so may others that are stored.
 * Digests are compared, so that the time of an answer does not tell how much of a key is right.
 *
 * @throws UsageError if no request could carry the key.
 */
export function createAuthentication(apiKey: string, keys: ApiKeys): Authentication {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new UsageError('Cannot serve with this API key: it is blank, or has a character that no header can carry', {
      hint: 'Set CHATFERRY_API_KEY to visible ASCII characters, or leave it unset: a key is made then',
    });
  }
  const own = digestOf(apiKey);
  return (given) => {
    if (given === undefined || given === '') {
      return { refusal: refuse('AUTH_ERR_EMPTY_APIKEY', 'The request has no apikey header') };
    }
    const digest = digestOf(given);
    if (timingSafeEqual(Buffer.from(digest), Buffer.from(own))) return { digest };
    const scope = keys.find(digest)?.scope;
    if (scope === undefined) return { refusal: refuse('AUTH_ERR_APIKEY_NOT_FOUND', 'The API key does not exist') };
    if (scope === 'fullAccess') return { digest };
    return { refusal: refuse('AUTH_ERR_NO_ACCESS', 'The API key has the scope authOnly: fullAccess is needed') };
  };
}
