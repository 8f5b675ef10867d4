import { findCheck, findConversationCheck, findMessageCheck, findPersonCheck } from '../mapping/checks.ts';
import { conversationsWithFinding, peopleWithFinding } from '../rows/found-subjects.ts';
import type { Store } from '../store/open.ts';
import type { About } from './decision.ts';

/** Planned messages. */
interface Planned {
  ofAuthor(id: number): number;
  ofConversation(id: number): number;
  /** Those whose time is of an assumed zone. */
  readonly zoneAssumed: number;
}

interface Findings {
  readonly code: string;
  readonly count: number;
}

/**
 * Returns how much the findings of a code are about: messages as far as some hang on them, else what was found itself. Undefined for people
 * and conversations that are known and take no part in what is sent: they are not migrated, so that there is nothing to decide.
 */
export function countAbout(store: Store, { code, count }: Findings, planned: Planned): About | undefined {
  const check = findCheck(code);
  if (check?.severity !== 'decision') return { count, of: 'rows', isExact: true };
  const { isEachListed, isEachElsewhere } = store.totals.findings.listing(code);
  switch (check.about) {
    case 'message':
      // A check of ours finds something once in a message; a source may say the same of it twice.
      return { count, of: 'messages', isExact: isEachElsewhere || findMessageCheck(code) !== undefined };
    case 'person': {
      const people = new Set(peopleWithFinding(store, code));
      const written = sum(people, (id) => planned.ofAuthor(id));
      const messages = written || sum(store.totals.directConversations(people), (id) => planned.ofConversation(id));
      if (messages === 0 && people.size > 0) return undefined;
      return whole(messages, 'people', count, isEachListed || findPersonCheck(code) !== undefined);
    }
    case 'conversation': {
      const found = new Set(conversationsWithFinding(store, code));
      const messages = sum(found, (id) => planned.ofConversation(id));
      if (messages === 0 && found.size > 0) return undefined;
      return whole(messages, 'conversations', count, isEachListed || findConversationCheck(code) !== undefined);
    }
    case 'file': {
      const { files, messages } = store.totals.findings.countFiles(code);
      return whole(messages, 'files', files, true);
    }
    case 'zone':
      return planned.zoneAssumed === 0 ? undefined : { count: planned.zoneAssumed, of: 'messages', isExact: true };
    case 'attachment':
      return { count, of: 'files', isExact: true };
    case 'nothing':
      return { count: null, of: 'messages', isExact: false };
  }
}

const whole = (messages: number, of: About['of'], others: number, isExact: boolean): About =>
  messages > 0 ? { count: messages, of: 'messages', isExact } : { count: others, of, isExact };

function sum(ids: Iterable<number>, countMessages: (id: number) => number): number {
  let all = 0;
  for (const id of ids) all += countMessages(id);
  return all;
}
