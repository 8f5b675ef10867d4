import { readFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';

/** The text of a file that the user named. @param what As in `Cannot read the recipe "mine.yaml"`. @throws UsageError */
export function readNamedFile(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`Cannot read ${what} "${path}": ${(cause as NodeJS.ErrnoException).code}`, { cause });
  }
}
