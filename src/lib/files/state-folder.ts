import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Where this user's processes keep what they share. It may not exist yet. A variable counts if it is an absolute path: a relative one would
 * lead into the current folder, which may be somebody else's.
 */
export function stateFolder(): string {
  const { CHATFERRY_STATE_DIR: own, XDG_STATE_HOME: xdg } = process.env;
  if (own !== undefined && isAbsolute(own)) return own;
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'state'), 'chatferry');
}
