import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Returns the folder for files that this user's processes share. It may not exist yet. A variable counts only if it is
 * an absolute path: a relative one would lead into the current folder, which may belong to another user.
 */
export function stateFolder(): string {
  const { CHATFERRY_STATE_DIR: own, XDG_STATE_HOME: xdg } = process.env;
  if (own !== undefined && isAbsolute(own)) return own;
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'state'), 'chatferry');
}
