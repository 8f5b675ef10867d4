import { inParallel } from '../../lib/flow/in-parallel.ts';
import type { Sending } from '../sending.ts';

/**
 * Asks the destination about everybody of whom nothing arrived there yet, before anything is sent: whom it did not know,
 * an undo may deactivate. One read a person, once at a destination; without an answer nothing is written down.
 */
export async function trackUsers({ store, target, options, ask, signal }: Sending): Promise<void> {
  await inParallel(
    store.people.unaskedAt(target.id),
    options.concurrency,
    async ({ id, uid }) => {
      const found = await ask((abort) => target.client.listUserMessages(uid, abort), signal);
      if (found.kind === 'answered') store.people.noteBefore(target.id, id, true);
      else if (found.why === 'not-found') store.people.noteBefore(target.id, id, false);
    },
    options.stopping,
  );
}
