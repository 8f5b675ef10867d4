import type { Store } from '../../store/open.ts';
import type { StoredLane } from '../../store/lanes.ts';
import type { ListedMessage } from '../../service/outcome.ts';
import { expectedLanes, type Lane } from '../lanes.ts';
import { oneAhead } from '../../lib/flow/one-ahead.ts';
import { keyOf } from '../compare.ts';
import { type SessionOptions, type SessionStage, openSession } from '../session.ts';
import { listedOf, readConversation, type Window } from '../read-back.ts';
import type { Target } from '../target.ts';
import { ConversationCheck, type Findings } from './conversation-check.ts';

export interface ReadingOptions extends SessionOptions {
  readonly findings: Findings;
  readonly signal: AbortSignal;
}

/** How a verification reads: pages of listings, and what of the store they are compared with. */
export type Reading = ReturnType<typeof openReading>;

/** Opens the reading of a target. The caller closes it. */
export function openReading(store: Store, target: Target, options: ReadingOptions, stage?: SessionStage) {
  const { findings, signal } = options;
  const session = openSession(target, options, stage);
  const expected = expectedLanes(store, target);
  return {
    ...session,
    store,
    findings,
    signal,
    check: (row: StoredLane) => new ConversationCheck(expected.laneOf(row), findings, expected),
    checkOf: (conversation: number) => new ConversationCheck(expected.laneAt(conversation), findings, expected),
    /** Reads from the store what a page will be compared with. @param lane If the page is of one conversation. */
    load: (page: readonly ListedMessage[], lane?: Lane): void =>
      expected.load(
        page.flatMap((listed) => keyOf(listed) ?? []),
        lane,
      ),
    /** Lists the messages of all conversations. @throws DestinationError */
    everything: (): AsyncIterable<readonly ListedMessage[]> => oneAhead(readConversation(session.readPage, {}, signal)),
    /** The listing of a conversation, or of a window of it. @throws DestinationError */
    pages: (
      { lane }: Pick<ConversationCheck, 'lane'>,
      window?: Window,
      abort: AbortSignal = signal,
    ): AsyncIterable<readonly ListedMessage[]> => oneAhead(listedOf(lane, session.readPage, abort, window)),
  };
}
