import { isTrusted, readConfigFile } from './config-file.ts';
import { trustFile } from './trusted-files.ts';
import { UsageError } from '../lib/errors.ts';

/** Whether the configuration of this folder counts, or there is none. Asked before `init` writes. */
export function countsHere(): boolean {
  const file = readConfigFile(undefined);
  return file === undefined || isTrusted(file);
}

/** On a machine without a folder for its state, the file has to be named. */
export function trustIfPossible(path: string, text: string): void {
  try {
    trustFile(path, text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}
