import type { StagedItem } from '../model/staged-item.ts';
import type { EntryMapper } from './entry-mapper.ts';

/** Result of mapping one message. */
export interface MessageOutcome {
  readonly verdict: 'planned' | 'skipped' | 'invalid';
  /** The rule or code by which it is not sent. */
  readonly reason: string | null;
  /** What is sent besides ids and times: one, or several if the text was split; none if it is not sent. */
  readonly payloads: readonly unknown[];
  /** Uid; null for a row that could not be mapped. */
  readonly sender: string | null;
  /** Guid; null for a row that could not be mapped. */
  readonly conversation: string | null;
}

/**
 * Returns what became of a message.
 *
 * @param items Everything that the mapper emitted for it.
 */
export function outcomeOfMessage(items: readonly StagedItem[], mapper: EntryMapper): MessageOutcome {
  const rows = items.flatMap((item) => (item.type === 'row' ? [item.row] : []));
  const { verdict, reason, sender, conversation } = rows[0]!;
  return {
    verdict,
    reason,
    payloads: rows.flatMap(({ payload }): unknown[] => (payload === null ? [] : [JSON.parse(payload)])),
    sender: sender === null ? null : mapper.uidOf(sender),
    conversation: conversation === null ? null : mapper.guidOf(conversation),
  };
}
