import type { StoredLane } from '../../store/lanes.ts';
import { DestinationError } from '../../lib/errors.ts';
import { conversationIds } from '../read-back.ts';
import type { ConversationCheck } from './conversation-check.ts';
import type { Reading } from './reading.ts';

/** Conversations that are read together: about 2 KB each. */
export const togetherMax = 10_000;
/** Reading them together is tried where it takes a request for so many of them at most: one by one it takes one or two for each. */
const perRequestMin = 8;
/** The most rows of a page. */
const pageRows = 1000;

export interface Together {
  /** Messages that are to be met in these conversations, or more. */
  readonly deliveredCount: number;
  /** Called with each conversation that is whole. */
  readonly onWhole: (check: ConversationCheck) => void;
}

/**
 * Reads everything that the destination lists, instead of one conversation after the other, if conversations are so
 * small that a page holds many. Stops if the destination has more than twice as many messages as Chatferry sent: others
 * use the service as well.
 *
 * Draws no negative conclusion. A conversation counts as read if every expected message was found once, as it was sent
 * and in order, and no other message of Chatferry's. Every other conversation must be read by itself, as if this had
 * not run.
 *
 * @returns The conversations that are left to be read.
 */
export async function readTogether(
  reading: Reading,
  rows: readonly StoredLane[],
  { deliveredCount, onWhole }: Together,
): Promise<readonly StoredLane[]> {
  const pagesNeeded = Math.ceil(deliveredCount / pageRows) + 1;
  if (pagesNeeded > rows.length / perRequestMin) return rows;
  const { store } = reading;
  const checks = store.transaction(() => rows.map((row) => reading.check(row)))();
  const isRead = await readAll(reading, byConversationId(checks), 2 * pagesNeeded);
  const isLeft = (_: StoredLane, index: number) => {
    const check = checks[index]!;
    const isWhole = isRead && check.listedCount > 0 && check.isWhole();
    if (isWhole) {
      reading.findings.differences.clearConversation(check.lane.conversation);
      reading.advance(check.counts.same);
      onWhole(check);
    } else {
      check.forget();
    }
    return !isWhole;
  };
  return store.transaction(() => rows.filter(isLeft))();
}

/** Those that may be listed under an id that another one may have as well are left out. */
function byConversationId(checks: readonly ConversationCheck[]): ReadonlyMap<string, ConversationCheck> {
  const found = new Map<string, ConversationCheck>();
  const ambiguous = new Set<string>();
  for (const check of checks) {
    for (const id of conversationIds(check.lane)) {
      if (found.has(id)) ambiguous.add(id);
      found.set(id, check);
    }
  }
  for (const id of ambiguous) found.delete(id);
  return found;
}

/** @returns Whether it came to the end of what is listed. */
async function readAll(
  { store, everything, load }: Reading,
  checks: ReadonlyMap<string, ConversationCheck>,
  pagesMax: number,
): Promise<boolean> {
  let pagesRead = 0;
  try {
    for await (const page of everything()) {
      if (++pagesRead > pagesMax) return false;
      store.transaction(() => {
        load(page);
        for (const listed of page) checks.get(listed.conversationId)?.compare(listed);
      })();
    }
    return true;
  } catch (error) {
    // It may list single conversations alone.
    if (error instanceof DestinationError) return false;
    throw error;
  }
}
