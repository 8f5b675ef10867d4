import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { stateFolder } from './state-folder.ts';

/** Lists of what this user agreed to, each a file in the folder of his state, with a line for each. To be asked again, remove the line. */
type ListName = 'addresses' | 'fleets';

const listPath = (list: ListName): string => join(stateFolder(), list);

export function isRemembered(list: ListName, line: string): boolean {
  try {
    return readFileSync(listPath(list), 'utf8').split('\n').includes(line);
  } catch {
    return false;
  }
}

/** If the list cannot be written, the user is asked again the next time. */
export function remember(list: ListName, line: string): void {
  if (line.includes('\n') || isRemembered(list, line)) return;
  try {
    makeFolder(stateFolder());
    appendFileSync(listPath(list), `${line}\n`, { mode: 0o600 });
  } catch {}
}
