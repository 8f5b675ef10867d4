import { readFileSync } from 'node:fs';
import { UsageError } from '../lib/errors.ts';
import { readPrivateFile } from '../lib/files/private-file.ts';
import { type Secret, toSecret } from '../lib/secret.ts';

export const keyVariable = 'CHATFERRY_API_KEY';

export interface KeyPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Everything that standard input delivers, as text. */
  readonly readInput?: () => string;
}

/**
 * The API key: from a file that only its owner may read, from standard input, or from CHATFERRY_API_KEY.
 * Never from an argument: other users of the machine can see those.
 */
export function readApiKey(
  file: string | undefined,
  env: KeyPlaces['env'],
  readInput = () => readFileSync(0, 'utf8'),
): Secret | undefined {
  if (file === undefined) return toSecret(env[keyVariable] ?? '');
  const key = toSecret(readKeyFile(file, readInput));
  if (!key) throw new UsageError(`Cannot read the API key: "${file}" is empty`);
  return key;
}

const readKeyFile = (file: string, readInput: () => string): string =>
  file === '-' ? readInput() : readPrivateFile(file, 'the API key');
