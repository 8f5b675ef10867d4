import { targetOf } from '../commands/session.ts';
import type { Options } from '../config/options.ts';
import { addressOf, checkTarget, type TargetOptions } from '../delivery/target.ts';
import { agreeToAddress } from './known-address.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Returns the target of a command that sends to it, once the user has agreed that the key goes there.
 *
 * @throws UsageError if the user does not agree, or the address or the key cannot be used.
 */
export async function agreedTarget(
  options: Options,
  to: string,
  around: CommandContext,
): Promise<Omit<TargetOptions, 'clock'>> {
  const target = targetOf(options, to, around.host);
  if (to === 'sandbox' && options.appId === undefined) return target;
  checkTarget({ ...target, clock: around.clock });
  await agreeToAddress(addressOf(target), options.yes || saidDestination(around), around);
  return target;
}

/** Returns whether the user named the destination. A destination that a file or a store names may have been written by another person. */
export const saidDestination = ({ said }: Pick<CommandContext, 'said'>): boolean => said('to') || said('appId');
