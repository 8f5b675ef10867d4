import { targetOf } from '../commands/from-options.ts';
import type { Options } from '../config/options.ts';
import { addressOf, checkTarget, type TargetOptions } from '../delivery/target.ts';
import { agreeToAddress } from './known-address.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * The target of a command that speaks to it, once its user has agreed that the key goes there.
 *
 * @throws UsageError if nobody agrees, or the address or the key cannot be used.
 */
export async function agreedTarget(
  options: Options,
  to: string,
  around: Surroundings,
): Promise<Omit<TargetOptions, 'clock'>> {
  const target = targetOf(options, to, around.host);
  if (to === 'sandbox' && options.appId === undefined) return target;
  checkTarget({ ...target, clock: around.clock });
  await agreeToAddress(addressOf(target), options.yes || saidDestination(around), around);
  return target;
}

/** Whether the user himself named the destination. What a file or a store names was perhaps written by somebody else. */
export const saidDestination = ({ said }: Pick<Surroundings, 'said'>): boolean => said('to') || said('appId');
