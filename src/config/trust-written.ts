import { readFileSync } from 'node:fs';
import type { FileChange } from './written-file.ts';
import { type ConfigFile, isTrusted, readConfigFile } from './config-file.ts';
import { trustFile } from './trusted-files.ts';
import type { Options } from './options.ts';
import { UsageError } from '../lib/errors.ts';

/** Whether the configuration of this folder counts, or there is none. Asked before `init` writes. */
export function countsHere(): boolean {
  const file = readConfigFile(undefined);
  return file === undefined || isTrusted(file);
}

/**
 * Trusts the configuration of this folder after `init` wrote it. Another person's words are not trusted along with it:
 * neither a configuration that did not count before, nor a mapping that was only found here.
 *
 * @param countedBefore Result of `countsHere`.
 * @returns Whether it counts now.
 */
export function trustWritten(
  { files: [mapping] }: { readonly files: readonly FileChange[] },
  { mapping: named }: Pick<Options, 'mapping'>,
  countedBefore: boolean,
): boolean {
  const isOwnMapping = named !== undefined || mapping?.how === 'new' || mapping?.how === 'replaced';
  const file = readConfigFile(undefined);
  if (file !== undefined && countedBefore && isOwnMapping) trustIfPossible(file);
  return countsHere();
}

/**
 * Trusts a file that `init` wrote into an export: otherwise no command would take it from there.
 *
 * @throws UsageError if that cannot be recorded.
 */
export const trustInside = (path: string): void => trustFile(path, readFileSync(path, 'utf8'));

/** On a machine without a folder for its state, the file has to be named. */
export function trustIfPossible({ path, text }: ConfigFile): void {
  try {
    trustFile(path, text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}
