import { findCheck, findConversationCheck, findMessageCheck, findPersonCheck } from '../mapping/checks.ts';
import { conversationsWithFinding, peopleWithFinding } from '../rows/found-subjects.ts';
import type { Store } from '../store/open.ts';
import type { About } from './decision.ts';

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
 * Returns how much the findings of a code are about: messages as far as some hang on them, else what was found itself. Undefined for a zone
 * that no planned message has.
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
      return whole(messages, people.size, {
        count,
        of: 'people',
        isExact: isEachListed || findPersonCheck(code) !== undefined,
      });
    }
    case 'conversation': {
      const found = new Set(conversationsWithFinding(store, code));
      const messages = sum(found, (id) => planned.ofConversation(id));
      return whole(messages, found.size, {
        count,
        of: 'conversations',
        isExact: isEachListed || findConversationCheck(code) !== undefined,
      });
    }
    case 'file': {
      const { files, messages } = store.totals.findings.countFiles(code);
      return whole(messages, 0, { count: files, of: 'files', isExact: true });
    }
    case 'zone':
      return planned.zoneAssumed === 0 ? undefined : { count: planned.zoneAssumed, of: 'messages', isExact: true };
    case 'attachment':
      return { count, of: 'files', isExact: true };
    case 'nothing':
      return { count, of: 'findings', isExact: true };
  }
}

/** @param known People or conversations of the findings that the plan has. */
const whole = (messages: number, known: number, found: About): About =>
  messages > 0
    ? { ...found, count: messages, of: 'messages' }
    : { ...found, ...(known > 0 && { isIdle: true as const }) };

function sum(ids: Iterable<number>, countMessages: (id: number) => number): number {
  let all = 0;
  for (const id of ids) all += countMessages(id);
  return all;
}
