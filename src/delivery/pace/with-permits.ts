import type { ImportOutcome } from '../../service/outcome.ts';
import { type SendPermits, earlier, type Destination } from '../destination.ts';

/**
 * Asks for a permit before each request, after its intent is recorded, and reports to it what arrived. Without permits,
 * returns `inner` unchanged.
 */
export function withPermits(inner: Destination, permits: SendPermits | undefined): Destination {
  if (!permits) return inner;
  return {
    async send(batch, signal, slot) {
      const asked = await permits.acquire({ muids: batch.rows.map(({ muid }) => muid) });
      const permit = slot ? earlier(asked, slot) : asked;
      const outcome = await inner.send(batch, signal, permit);
      if (permit.arrived && outcome.kind === 'answered') permit.arrived(arrivedOf(outcome));
      return outcome;
    },
  };
}

function arrivedOf({ answers }: Extract<ImportOutcome, { kind: 'answered' }>): ReadonlyMap<string, string | undefined> {
  const ids = new Map<string, string | undefined>();
  for (const [muid, answer] of answers) if (answer.result === 'imported') ids.set(muid, answer.serverId);
  return ids;
}
