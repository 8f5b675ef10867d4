import type { ImportOutcome } from '../../service/outcome.ts';
import { type Gate, sooner } from '../gate.ts';
import type { Destination } from '../destination.ts';

/**
 * Asks the gate before each request, after its intent is recorded, and reports to it what arrived. Without a gate,
 * returns `inner` unchanged.
 */
export function withGate(inner: Destination, gate: Gate | undefined): Destination {
  if (!gate) return inner;
  return {
    async send(batch, signal, slot) {
      const asked = await gate.leave({ muids: batch.rows.map(({ muid }) => muid) });
      const leave = slot ? sooner(asked, slot) : asked;
      const outcome = await inner.send(batch, signal, leave);
      if (leave.arrived && outcome.kind === 'answered') leave.arrived(arrivedOf(outcome));
      return outcome;
    },
  };
}

function arrivedOf({ answers }: Extract<ImportOutcome, { kind: 'answered' }>): ReadonlyMap<string, string | undefined> {
  const ids = new Map<string, string | undefined>();
  for (const [muid, answer] of answers) if (answer.result === 'imported') ids.set(muid, answer.serverId);
  return ids;
}
