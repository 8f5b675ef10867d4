import { UsageError } from '../lib/errors.ts';
import { isRemembered, remember } from '../lib/files/remembered-lines.ts';
import { oneLine } from '../lib/text/plain-text.ts';
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
  if (isRemembered('addresses', address)) return;
  const what = `send the API key to ${oneLine(address)} for the first time`;
  const hint = `Pass the address on the command line if you mean it: --app-id and --region, or --to; --from where it is read from`;
  const question = `S${what.slice(1)}?`;
  if (!isSaid && !(await ask(host, { what, show() {}, question, stopping, hint, saysNo: true }))) {
    throw new UsageError(`The API key was not sent to ${oneLine(address)}`, { hint });
  }
  rememberAddress(address);
}

/** Where it cannot be written, it is asked for again. */
export const rememberAddress = (address: string): void => remember('addresses', address);
