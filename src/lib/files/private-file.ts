import { readFileSync, statSync } from 'node:fs';
import { UsageError } from '../errors.ts';

/** Reads a file with a secret in it, which only its owner may read. @param what As in "Cannot read the API key". @throws UsageError */
export function readPrivateFile(path: string, what: string): string {
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
      throw new UsageError(`Cannot read ${what}: others may read "${path}"`, { hint: `Run: chmod 600 ${path}` });
    }
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    throw new UsageError(`Cannot read ${what} from "${path}": ${code}`, { cause });
  }
}
