import { UsageError } from '../../lib/errors.ts';
import type { Secret } from '../../lib/secret.ts';
import type { Transport } from '../transport.ts';

/**
 * A transport whose requests carry the key, and say what they bring and want.
 *
 * @throws UsageError if the key cannot be a header's value.
 */
export function withApiKey(transport: Transport, apiKey: Secret): Transport {
  checkKey(apiKey);
  return {
    send(request, signal) {
      const headers = {
        accept: 'application/json',
        'user-agent': 'chatferry',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
        apikey: apiKey.reveal(),
      };
      return transport.send({ ...request, headers }, signal);
    },
    close: () => transport.close(),
  };
}

/** Visible ASCII: a line break would begin another header, and undici would quote the value in its error. */
function checkKey(apiKey: Secret): void {
  if (/^[\x21-\x7e]+$/.test(apiKey.reveal())) return;
  throw new UsageError(
    'Cannot use the API key: it is empty, or has a space, a line break or a character beyond ASCII',
    {
      hint: 'Set CHATFERRY_API_KEY to the key alone',
    },
  );
}
