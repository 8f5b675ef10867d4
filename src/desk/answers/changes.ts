import { z } from 'zod';
import { Busy } from '../runs/runner.ts';
import type { Parts } from './parts.ts';

export const byName = z.string().trim().min(1).max(100);

/** The version that the page compares with the one that it has seen. @throws UsageError */
export const readVersion = ({ workspace, changes }: Pick<Parts, 'workspace' | 'changes'>): string =>
  `${workspace.version()}.${changes()}`;

/**
 * Changes files, if nothing else works with them and they are still as the page has seen them.
 *
 * @throws Busy, Changed, and the errors of `change`
 */
export const changeFiles = async <Result>(
  parts: Pick<Parts, 'workspace' | 'runner' | 'follower'>,
  seen: string,
  change: () => Promise<Result>,
): Promise<Result> =>
  await parts.workspace.change(seen, async () => {
    await assertIdle(parts);
    return await change();
  });

/** @throws Busy */
async function assertIdle({ runner, follower }: Pick<Parts, 'runner' | 'follower'>): Promise<void> {
  // Counting reads what it needs at its beginning.
  const isOurs = runner.isBusy && runner.now()?.kind !== 'inspect';
  if (isOurs || (!runner.isBusy && (await follower.isHeld()))) throw new Busy();
}
