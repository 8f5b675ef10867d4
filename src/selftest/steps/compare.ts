import type { ArrivedMessage } from '../../sandbox/book.ts';
import type { ScenarioResult } from '../result.ts';
import type { ExpectedMessage } from './make-export.ts';

export interface Comparison extends Pick<ScenarioResult, 'lost' | 'duplicated' | 'unexpected' | 'outOfOrder'> {
  /** The first of each kind, in words. */
  readonly examples: readonly string[];
}

/**
 * Compares what must have arrived with what did. Messages are recognised by their text, of which each expected one is unique:
 * not by an id that the code under test has made.
 *
 * @param arrived in the order of arrival.
 * @param lateIds ids, in the export, of messages that the store names as late: their place proves nothing.
 */
export function compare(
  expected: readonly ExpectedMessage[],
  arrived: Iterable<ArrivedMessage>,
  lateIds: ReadonlySet<string>,
): Comparison {
  const byText = new Map(expected.map((message) => [message.text, message]));
  const seen = new Set<string>();
  /** By conversation: the greatest position so far of those that are not late. */
  const reached = new Map<string, number>();
  const counts = { lost: 0, duplicated: 0, unexpected: 0, outOfOrder: 0 };
  const examples: string[] = [];
  const note = (kind: keyof typeof counts, what: string) => {
    if (counts[kind]++ === 0) examples.push(`${kind}: ${what}`);
  };

  for (const message of arrived) {
    const wanted = byText.get(message.text);
    if (!wanted || !isSame(wanted, message)) {
      note('unexpected', `${JSON.stringify(message)}${wanted ? ` instead of ${JSON.stringify(wanted)}` : ''}`);
      continue;
    }
    if (seen.has(wanted.id)) {
      note('duplicated', nameOf(wanted));
      continue;
    }
    seen.add(wanted.id);
    if (lateIds.has(wanted.id)) continue;
    const before = reached.get(wanted.conversation) ?? -1;
    if (wanted.position < before) note('outOfOrder', `${nameOf(wanted)} behind the message at ${before}`);
    reached.set(wanted.conversation, Math.max(before, wanted.position));
  }
  for (const message of expected) if (!seen.has(message.id)) note('lost', nameOf(message));
  return { ...counts, examples };
}

const isSame = (wanted: ExpectedMessage, { conversation, sender, sentAtSeconds }: ArrivedMessage): boolean =>
  wanted.conversation === conversation && wanted.sender === sender && wanted.sentAtSeconds === sentAtSeconds;

const nameOf = ({ id, conversation, position }: ExpectedMessage): string =>
  `"${id}", number ${position} of ${conversation}`;
