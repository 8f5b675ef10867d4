import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../lib/errors.ts';
import { inTurn } from '../lib/file-lock.ts';
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
  return known.split(' ').includes(sha256Hex(text)) ? 'trusted' : 'changed';
}

/**
 * Trusts the file from now on, as long as its path and text are the same. Called before the text is written: the one that is there until then
 * stays trusted too, if it was. So a program that is killed in between leaves no file that does not count.
 *
 * @throws UsageError
 */
export function trustFile(path: string, text: string): void {
  const now = existsSync(path) ? readFileSync(path, 'utf8') : text;
  const sums = [text, ...(now !== text && readTrust(path, now) === 'trusted' ? [now] : [])].map(sha256Hex);
  changeTrusted((list) => ({ ...list, [resolveKey(path)]: sums.join(' ') }));
}

/** Does the same, but on a machine without a folder for its state: there, the file has to be named. */
export function trustIfPossible(path: string, text: string): void {
  try {
    trustFile(path, text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}

/** @returns Whether it was trusted, with any content. @throws UsageError */
export function distrustFile(path: string): boolean {
  const { [resolveKey(path)]: known } = readTrusted();
  if (known !== undefined) changeTrusted(({ [resolveKey(path)]: _, ...others }) => others);
  return known !== undefined;
}

/** SHA-256 of each trusted file, by path: of two texts, while one replaces the other. */
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

type Trusted = Readonly<Record<string, string>>;

function readTrusted(): Trusted {
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

function changeTrusted(change: (list: Trusted) => Trusted): void {
  try {
    makeFolder(stateFolder());
    // Another process may trust a file at the same instant.
    inTurn(listPath(), () => replaceFileSync(listPath(), `${JSON.stringify(change(readTrusted()), null, 1)}\n`));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`Cannot write "${listPath()}": ${(cause as NodeJS.ErrnoException).code}`, {
      hint: 'Name the file instead: --config FILE',
      cause,
    });
  }
}
