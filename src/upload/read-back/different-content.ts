import type { Settled } from '../../checkpoint/delivery/journal.ts';

/** A message that is there with other content than ours: refused, and left as it is. */
export const differentContent = (seq: number, serverId: string, fields: readonly string[]): Settled => ({
  ...{ seq, state: 'refused', serverId, code: 'different-content' },
  detail: `already there with another ${fields.join(', ')}`,
});
