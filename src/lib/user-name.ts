import { userInfo } from 'node:os';

/** Returns the name of whoever runs this process, as decisions are noted with it. A container may have a user without a name. */
export function userName(): string {
  try {
    return userInfo().username || 'unknown';
  } catch {
    return 'unknown';
  }
}
