import { createHmac } from 'node:crypto';
import type { Secret } from '../lib/secret.ts';

export const signatureHeader = 'x-chatferry-signature';

/**
 * `t=1795261200,v1=5257a8…`: Unix seconds of this attempt, and the HMAC-SHA-256 of `<t>.<body>` in hex, one for each secret.
 * The time is signed too, so that a receiver can refuse what somebody recorded and sends again.
 */
export function signatureOf(body: string, secrets: readonly Secret[], atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  const signatures = secrets.map((secret) => {
    const digest = createHmac('sha256', secret.reveal()).update(`${seconds}.${body}`).digest('hex');
    return `v1=${digest}`;
  });
  return [`t=${seconds}`, ...signatures].join(',');
}
