import { readFileSync } from 'node:fs';
import type { InitResult } from '../../commands/init.ts';
import { type ConfigFile, isTrusted, readConfigFile } from '../../config/config-file.ts';
import { trustFile } from '../../config/trusted-files.ts';
import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';

/** Whether everything counts that the configuration of this folder says, or there is none. Asked before `init` writes. */
export function countsWholly(): boolean {
  const file = readConfigFile(undefined);
  return file === undefined || isTrusted(file) || file.risky.length === 0;
}

/**
 * Trusts the configuration of this folder after `init` wrote it. Somebody else's words are not trusted along with it: neither those of a
 * configuration that did not count before, nor those of a mapping that was only found here.
 *
 * @param countedBefore What `countsWholly` said.
 * @returns Whether it counts wholly now.
 */
export function trustWritten(
  { files: [mapping] }: Pick<InitResult, 'files'>,
  { mapping: named }: Pick<Options, 'mapping'>,
  countedBefore: boolean,
): boolean {
  const isOwnMapping = named !== undefined || mapping?.how === 'new' || mapping?.how === 'replaced';
  const file = readConfigFile(undefined);
  if (file !== undefined && countedBefore && isOwnMapping) trustIfPossible(file);
  return countsWholly();
}

/**
 * Vouches for a file that `init` wrote into an export: without that, no command would take it from there.
 *
 * @throws UsageError where that cannot be noted.
 */
export const trustInside = (path: string): void => trustFile(path, readFileSync(path, 'utf8'));

/** On a machine without a folder for its state, the file has to be named. */
function trustIfPossible({ path, text }: ConfigFile): void {
  try {
    trustFile(path, text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}
