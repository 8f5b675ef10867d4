import { personBeforeWriter, unaskedPeopleReader } from '../checkpoint/staging/people.ts';
import type { Store } from '../checkpoint/base/store.ts';
import type { Ask } from './read-back/ask.ts';
import { inParallel } from '../lib/in-parallel.ts';
import type { Target } from './target.ts';

interface NotePeopleOptions {
  readonly ask: Ask;
  readonly concurrency: number;
  readonly stopping: AbortSignal;
  readonly signal: AbortSignal;
}

/**
 * Asks the destination about everybody of whom nothing arrived there yet, before anything is sent: whom it did not know,
 * an undo may deactivate. One read a person, once at a destination; without an answer nothing is written down.
 */
export async function notePeople(store: Store, target: Target, options: NotePeopleOptions): Promise<void> {
  const { ask, concurrency, stopping, signal } = options;
  const note = personBeforeWriter(store.db, target.id);
  await inParallel(
    everybody(unaskedPeopleReader(store.db, target.id)),
    concurrency,
    async ({ id, uid }) => {
      const found = await ask((abort) => target.client.listUserMessages(uid, abort), signal);
      if (found.kind === 'answered') note(id, true);
      else if (found.why === 'not-found') note(id, false);
    },
    stopping,
  );
}

const pageSize = 500;

function* everybody(read: ReturnType<typeof unaskedPeopleReader>) {
  for (let afterId = 0; ; ) {
    const page = read(afterId, pageSize);
    yield* page;
    if (page.length < pageSize) return;
    afterId = page.at(-1)!.id;
  }
}
