import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../lib/errors.ts';
import { makeFolder } from '../lib/files/make-folder.ts';
import { oneLine } from '../lib/text/plain-text.ts';
import { stateFolder } from '../lib/files/state-folder.ts';
import type { Surroundings } from './surroundings.ts';
import { ask } from './terminal/ask.ts';

/**
 * Before the key goes to an address for the first time, its user is shown the address and asked.
 *
 * @param isSaid Whether he has named it, or said yes to everything: that is the answer.
 * @throws UsageError if nobody agrees.
 */
export async function agreeToAddress(
  address: string,
  isSaid: boolean,
  { host, stopping }: Pick<Surroundings, 'host' | 'stopping'>,
): Promise<void> {
  if (isKnownAddress(address)) return;
  const what = `send the API key to ${oneLine(address)} for the first time`;
  const hint = `Pass the address on the command line if you mean it: --app-id and --region, or --to; --from where it is read from`;
  const question = `S${what.slice(1)}?`;
  if (!isSaid && !(await ask(host, { what, show() {}, question, stopping, hint, saysNo: true }))) {
    throw new UsageError(`The API key was not sent to ${oneLine(address)}`, { hint });
  }
  rememberAddress(address);
}

/** A line for every address to which a key was sent, in the folder of this user's state. */
const knownPath = (): string => join(stateFolder(), 'addresses');

function isKnownAddress(address: string): boolean {
  try {
    return readFileSync(knownPath(), 'utf8').split('\n').includes(address);
  } catch {
    return false;
  }
}

/** Where it cannot be written, it is asked for again. */
export function rememberAddress(address: string): void {
  if (isKnownAddress(address)) return;
  try {
    makeFolder(stateFolder());
    appendFileSync(knownPath(), `${address}\n`, { mode: 0o600 });
  } catch {}
}
