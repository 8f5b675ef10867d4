import type { StagedItem } from '../../checkpoint/staging/staged-item.ts';
import { scratchMap } from '../../checkpoint/staging/spilled-map.ts';
import { EntryMapper } from '../entry-mapper.ts';
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
