import { type KeptBack, keptBackRules } from '../model/kept-back.ts';
import type { Store } from '../store/open.ts';
import { listPeople, seenBefore } from './steps/note-reading.ts';
import { isNobody, isUnknown, type Writer } from './writer-counts.ts';

/**
 * Keeps back what trips these alarms and was not sent yet, and nothing else: what was kept back for others goes on.
 *
 * @returns Those that keep anything back.
 */
export function keepBack(store: Store, alarms: readonly KeptBack[]): readonly KeptBack[] {
  store.messages.release();
  return alarms.filter((alarm) => {
    const what = alarm === 'cipher' ? 'encrypted' : findPeople(store, alarm);
    return store.messages.keepBack(keptBackRules[alarm], what) > 0;
  });
}

/** People whose messages trip an alarm, by number. */
function findPeople(store: Store, alarm: Exclude<KeptBack, 'cipher'>): readonly number[] {
  const { shared = [], people = [] } = store.facts.beside()?.found ?? {};
  const twice = new Set([...seenBefore(store).twiceIds, ...shared.flatMap(({ ids }) => ids)]);
  const hasList = people.length > 0 || (store.facts.reading()?.people.described ?? 0) > 0;
  const trips: (person: Writer) => boolean =
    alarm === 'two-in-one'
      ? ({ sourceId }) => twice.has(sourceId)
      : (person) => (hasList ? isUnknown(person) : person.isPlaceholder && isNobody(person.sourceId));
  return [...listPeople(store)].flatMap((person) => (trips(person) ? [person.id] : []));
}
