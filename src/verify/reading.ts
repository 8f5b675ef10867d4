import type { PendingLane } from '../checkpoint/delivery/pending-lanes.ts';
import { peopleReader } from '../checkpoint/staging/people.ts';
import type { Store } from '../checkpoint/base/store.ts';
import type { Clock } from '../lib/clock.ts';
import type { ListedMessage } from '../service/client/answers/list-answer.ts';
import type { RequestCounts } from '../upload/pace/destination.ts';
import { laneRowsReader } from '../upload/lanes/lane-rows.ts';
import { laneOf } from '../upload/lanes/lanes.ts';
import { conversationIds, createReader, readConversation } from '../upload/read-back/read-back.ts';
import type { Target } from '../upload/target.ts';
import { ConversationCheck } from './conversation-check.ts';
import type { Findings } from './findings.ts';

export interface ReadingOptions {
  readonly findings: Findings;
  readonly clock: Clock;
  readonly random: () => number;
  readonly counts: RequestCounts;
  readonly onWait: (ms: number, why: string) => void;
}

/** Unix seconds, both included. */
export interface Window {
  readonly fromTimestamp: number;
  readonly toTimestamp: number;
}

/** How a verification reads: pages of listings, and what of the store they are compared with. */
export type Reading = ReturnType<typeof openReading>;

/** Attempts per page. */
const attemptsMax = 6;

/** Whoever opened it closes it. */
export function openReading(store: Store, target: Target, options: ReadingOptions) {
  const { findings, clock, random, counts, onWait } = options;
  const pace = target.openPace(onWait);
  const asking = { pace, clock, random, counts, attemptsMax };
  const readPage = createReader({ list: (query, abort) => target.client.listMessages(query, abort), ...asking });
  const rows = laneRowsReader(store, {
    ...target.profile,
    destination: target.id,
    details: 'never',
    knownPeople: new Set(),
  });
  const personOf = peopleReader(store.db);
  return {
    check: (row: PendingLane) => new ConversationCheck(laneOf(row, personOf, undefined), findings, rows),
    /** The listing of a conversation, or of a window of it, under the first of its possible ids that has one. @throws DestinationError */
    async *pages(
      { lane }: Pick<ConversationCheck, 'lane'>,
      signal: AbortSignal,
      window?: Window,
    ): AsyncGenerator<readonly ListedMessage[]> {
      for (const conversationId of conversationIds(lane)) {
        let isEmpty = true;
        for await (const page of readConversation(readPage, { conversationId, ...window }, signal)) {
          isEmpty = false;
          yield page;
        }
        if (!isEmpty) return;
      }
    },
    /** For whatever else is asked in the same pace. */
    asking,
    close: () => pace.close(),
  };
}
