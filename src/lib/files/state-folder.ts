import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where this user's processes keep what they share. It may not exist yet. */
export const stateFolder = (): string =>
  process.env.CHATFERRY_STATE_DIR ??
  join(process.env.XDG_STATE_HOME ?? join(homedir(), '.local', 'state'), 'chatferry');
