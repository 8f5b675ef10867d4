import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../lib/errors.ts';
import { replaceFileSync } from '../lib/files/atomic-file.ts';
import { makeFolder } from '../lib/files/make-folder.ts';
import { readPrivateFile } from '../lib/files/private-file.ts';
import { stateFolder } from '../lib/files/state-folder.ts';
import { sha256Hex } from '../lib/hash.ts';

/** Whether this user trusted a file as it is now. `changed`: it was trusted with another content. */
export type Trust = 'trusted' | 'changed' | 'unknown';

/** @param text All that is in the file. @throws UsageError if others may read or write the list. */
export function readTrust(path: string, text: string): Trust {
  const known = readTrusted()[resolveKey(path)];
  if (known === undefined) return 'unknown';
  return known === sha256Hex(text) ? 'trusted' : 'changed';
}

/** Trusts the file from now on, as long as its path and text are the same. @throws UsageError */
export function trustFile(path: string, text: string): void {
  writeTrusted({ ...readTrusted(), [resolveKey(path)]: sha256Hex(text) });
}

/** @returns Whether it was trusted, with any content. @throws UsageError */
export function distrustFile(path: string): boolean {
  const { [resolveKey(path)]: known, ...others } = readTrusted();
  if (known !== undefined) writeTrusted(others);
  return known !== undefined;
}

/** SHA-256 of each trusted file, by path. */
const listPath = (): string => join(stateFolder(), 'trusted.json');
const listSchema = z.record(z.string(), z.string());

/**
 * The absolute path, through the links of its folder. The file itself may be a link: it is not followed, because the paths in the file are
 * those of another folder then.
 */
function resolveKey(path: string): string {
  const absolute = resolve(path);
  try {
    return join(realpathSync.native(dirname(absolute)), basename(absolute));
  } catch {
    return absolute;
  }
}

function readTrusted(): Readonly<Record<string, string>> {
  try {
    return listSchema.parse(JSON.parse(readPrivateFile(listPath(), 'the list of trusted files')));
  } catch (error) {
    if (isAbsent(error)) return {};
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot read the list of trusted files "${listPath()}": it is damaged`, {
      hint: 'Remove it, and trust your files again: chatferry trust FILE',
      cause: error,
    });
  }
}

const isAbsent = (error: unknown): boolean =>
  error instanceof UsageError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

function writeTrusted(list: Readonly<Record<string, string>>): void {
  try {
    makeFolder(stateFolder());
    replaceFileSync(listPath(), `${JSON.stringify(list, null, 1)}\n`);
  } catch (cause) {
    throw new UsageError(`Cannot write "${listPath()}": ${(cause as NodeJS.ErrnoException).code}`, {
      hint: 'Name the file instead: --config FILE',
      cause,
    });
  }
}
