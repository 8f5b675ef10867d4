import { exitCodes } from '../../report/exit-codes.ts';
import type { Asked } from './ask.ts';
import { bad, type Finding, good, warn } from './finding.ts';

/** No key was given. @param isOpen The service lists messages to anybody. */
export const judgeNoKey = (isOpen: boolean): Finding =>
  isOpen
    ? warn(
        'key',
        'The service lists messages without a key',
        'Close it before real messages go there; Chatferry wants a key',
      )
    : bad(
        'key',
        'No API key',
        'Set CHATFERRY_API_KEY, or pass --api-key-file with a file that only you may read',
        exitCodes.usage,
      );

/**
 * What a listing with the key shows of it. Listing needs full access, as importing does; a key of the other scope,
 * authOnly, may only sign users in.
 */
export function judgeKey({ outcome }: Asked): Finding {
  if (outcome.kind === 'answered') return good('key', 'The key is valid and has full access: it may list messages');
  const { code, detail, hint, why } = outcome;
  if (code === 'AUTH_ERR_NO_ACCESS') {
    return bad(
      'key',
      'The key is valid, but its scope is authOnly: it may sign users in, and neither list nor import messages',
      'Take a key of scope fullAccess from the dashboard of the app',
      exitCodes.stopped,
    );
  }
  if (code === 'AUTH_ERR_APIKEY_NOT_FOUND') {
    return bad(
      'key',
      'The service does not know this key',
      'Is it of this app and region? Take a key of scope fullAccess from the dashboard',
      exitCodes.stopped,
    );
  }
  const says = `Whether the key is valid cannot be told: ${code}: ${detail}`;
  if (why === 'rate-limited') return warn('key', says, 'Another program may be using up the rate; run it again later');
  return bad('key', says, hint ?? 'Run it again when the service answers', exitCodes.stopped);
}
