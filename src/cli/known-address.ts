import { UsageError } from '../lib/errors.ts';
import { isRemembered, remember } from '../lib/files/remembered-lines.ts';
import { oneLine } from '../lib/text/plain-text.ts';
import type { CommandContext } from './command-context.ts';
import { ask } from './terminal/ask.ts';

/**
 * Shows the user the address and asks, before the key goes to it for the first time.
 *
 * @param isSaid Whether the user named the address, or said yes to everything: that is the answer.
 * @throws UsageError if the user does not agree.
 */
export async function agreeToAddress(
  address: string,
  isSaid: boolean,
  { host, stopping }: Pick<CommandContext, 'host' | 'stopping'>,
): Promise<void> {
  if (isRemembered('addresses', address)) return;
  const what = `send the API key to ${oneLine(address)} for the first time`;
  const hint = `To allow it, pass the address on the command line: --app-id and --region, or --to; --from if you read from it`;
  const question = `S${what.slice(1)}?`;
  if (!isSaid && !(await ask(host, { what, show() {}, question, stopping, hint, saysNo: true }))) {
    throw new UsageError(`The API key was not sent to ${oneLine(address)}`, { hint });
  }
  rememberAddress(address);
}

/** Remembers an address. If it cannot be written, the user is asked again. */
export const rememberAddress = (address: string): void => remember('addresses', address);
