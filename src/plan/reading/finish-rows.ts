import type { StagedItem } from '../../checkpoint/staging/staged-item.ts';
import { scratchMap } from '../../checkpoint/staging/spilled-map.ts';
import { EntryMapper } from '../entry-mapper.ts';
import type { KnownPeople, KnownPerson } from '../person-mapper.ts';
import type { EntryList, MappingOrder, Step, StepList } from './protocol.ts';

/**
 * Maps what a thread has read, in that thread: what crosses from it has nothing left to do but to be written.
 *
 * One for all that is read, in order: who and what was met before is known here alone.
 */
export function rowFinisher(order: MappingOrder): (list: EntryList) => StepList {
  let steps: Step[] = [];
  const emit = (item: StagedItem) => void steps.push(item);
  const mapper = new EntryMapper({ ...order, people: scratchMap('people') }, emit);
  return ({ input, entries }) => {
    steps = [];
    for (const entry of entries) {
      if (entry.type === 'file' || entry.type === 'read-end') steps.push(entry);
      else mapper.add(entry);
    }
    return { input, steps };
  };
}

/**
 * The same for one of several threads, which knows only whom and what the shared files describe. That is enough for nearly
 * all messages; one that names somebody else is left to the thread that writes, which knows what stood in all files before,
 * and so is everything that is no message.
 */
export function shareFinisher(order: MappingOrder): (list: EntryList) => StepList {
  let steps: Step[] = [];
  let isForeign = false;
  const emit = (item: StagedItem) => {
    if (item.type === 'person' || item.type === 'conversation') isForeign = true;
    steps.push(item);
  };
  const mapper = new EntryMapper({ ...order, people: describedPeople() }, emit);
  return ({ input, entries, endsTurn, isKnownOnly }) => {
    const finished: Step[] = [];
    for (const entry of entries) {
      if (entry.type === 'file' || entry.type === 'read-end') {
        finished.push(entry);
        continue;
      }
      const isMessage = entry.type === 'record' && entry.record.kind === 'message';
      steps = isMessage ? finished : [];
      const before = finished.length;
      isForeign = false;
      if (entry.type === 'record' && entry.record.kind !== 'relation') mapper.add(entry);
      if (isMessage && !isForeign) continue;
      finished.length = before;
      finished.push({ type: 'left', entry });
    }
    return { input, steps: isKnownOnly ? [] : finished, ...(endsTurn && { endsTurn }) };
  };
}

/** Holds those alone whom files describe: whoever is made up for a message is nobody the next time. */
function describedPeople(): KnownPeople {
  const people = scratchMap<KnownPerson>('people');
  return {
    get: (id) => people.get(id),
    set: (id, known) => known.isKnown && people.set(id, known),
  };
}
