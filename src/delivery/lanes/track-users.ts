import { inParallel } from '../../lib/flow/in-parallel.ts';
import type { Sending } from '../sending.ts';

/**
 * Asks the destination about everybody of whom nothing arrived there yet, before anything is sent: whom it did not know,
 * an undo may deactivate. One read a person, once at a destination; without an answer nothing is written down.
 */
export async function trackUsers({ store, target, options, ask, signal }: Sending): Promise<void> {
  const note = store.staging.personBeforeWriter(target.id);
  await inParallel(
    store.staging.unaskedPeople(target.id),
    options.concurrency,
    async ({ id, uid }) => {
      const found = await ask((abort) => target.client.listUserMessages(uid, abort), signal);
      if (found.kind === 'answered') note(id, true);
      else if (found.why === 'not-found') note(id, false);
    },
    options.stopping,
  );
}
