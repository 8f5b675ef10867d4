import { hash, timingSafeEqual } from 'node:crypto';
import type { TransportAnswer } from '../service/transport.ts';
import { failure } from './answers.ts';

/** Checks the key of a request; compares hashes in constant time, so that answers do not tell how much of a key is right. */
export function createAuthentication(apiKey: string): (given: string | undefined) => TransportAnswer | undefined {
  const wanted = digest(apiKey);
  return (given) => {
    if (given === undefined || given === '') {
      return failure(401, { code: 'AUTH_ERR_EMPTY_APIKEY', message: 'The request has no apikey header' });
    }
    if (timingSafeEqual(digest(given), wanted)) return undefined;
    return failure(401, { code: 'AUTH_ERR_APIKEY_NOT_FOUND', message: 'The API key does not exist' });
  };
}

const digest = (key: string): Buffer => hash('sha256', key, 'buffer');
