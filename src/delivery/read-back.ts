import { DestinationError } from '../lib/errors.ts';
import type { ListedMessage, MessagePage } from '../service/answer.ts';
import type { RateHints, ReadOutcome } from '../service/outcome.ts';
import { type Walk, walkConversation } from './read-back/pages.ts';
import type { ListMessagesQuery } from '../service/messages.ts';
import { listLimitDefault } from '../service/profiles.ts';
import type { Lane, LaneRow } from './lanes.ts';
import { type AskOptions, createAsk } from './ask.ts';
import { differingFields, keyOf, sentMessage } from './compare.ts';

/** Result of a read-back for one message. */
export type Found =
  | { readonly is: 'absent' }
  | { readonly is: 'there'; readonly listed: ListedMessage; readonly times: number }
  | { readonly is: 'different'; readonly listed: ListedMessage; readonly fields: readonly string[] };

/** Fields of a lane that make up its address at the destination. */
type Addressed = Pick<Lane, 'conversationId' | 'receiverType' | 'guid' | 'people'>;

/**
 * The ids under which a conversation may be listed: the one that the service has shown, else what the specification's
 * shapes give, for two people in both orders.
 */
export function conversationIds(lane: Addressed): string[] {
  if (lane.conversationId !== undefined) return [lane.conversationId];
  if (lane.receiverType === 'group' || !lane.people) return [`group_${lane.guid}`];
  const [a, b] = lane.people.map(({ uid }) => uid).sort() as [string, string];
  return [`${a}_user_${b}`, `${b}_user_${a}`];
}

/** Unix seconds, both included. */
export type Window = Required<Pick<Walk, 'fromTimestamp' | 'toTimestamp'>>;

/** One second of room on both sides: whether the bounds are inclusive is not specified. */
export const windowAround = (fromMs: number, toMs = fromMs): Window => ({
  fromTimestamp: Math.floor(fromMs / 1000) - 1,
  toTimestamp: Math.floor(toMs / 1000) + 1,
});

/**
 * Lists a conversation, or a part of it, a page at a time. Uses the first of its possible ids that shows anything; from
 * then on, that is its id.
 *
 * @throws DestinationError
 */
export async function* listedOf(
  lane: Addressed,
  readPage: ReadPage,
  signal: AbortSignal,
  part: Omit<Walk, 'conversationId'> = {},
): AsyncGenerator<readonly ListedMessage[]> {
  for (const conversationId of conversationIds(lane)) {
    let isEmpty = true;
    for await (const page of readConversation(readPage, { conversationId, ...part }, signal)) {
      isEmpty = false;
      lane.conversationId ??= conversationId;
      yield page;
    }
    if (!isEmpty) return;
  }
}

/** Messages so close to each other are read in one window, in ms. */
const closeMs = 60_000;

/**
 * Looks for messages of one lane at the destination, in the window of their times.
 *
 * @param isApart Those that are read in windows of their own, as others come between. Default: none.
 */
export async function readBack(
  lane: Lane,
  rows: readonly LaneRow[],
  readPage: ReadPage,
  signal: AbortSignal,
  isApart: (row: LaneRow) => boolean = () => false,
): Promise<Map<LaneRow, Found>> {
  const together = rows.filter((row) => !isApart(row));
  const groups = [...(together.length > 0 ? [together] : []), ...closeTo(rows.filter(isApart))];
  const listed = new Map<LaneRow, ListedMessage[]>();
  for (const group of groups) await listGroup(lane, group, listed, readPage, signal);
  return new Map(rows.map((row) => [row, judge(row, listed.get(row))]));
}

/** Rows in groups of which each is close to the one before. */
function closeTo(rows: readonly LaneRow[]): LaneRow[][] {
  const groups: LaneRow[][] = [];
  for (const row of rows.toSorted((a, b) => a.sentAtMs - b.sentAtMs)) {
    const last = groups.at(-1);
    if (last && row.sentAtMs - last.at(-1)!.sentAtMs <= closeMs) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

async function listGroup(
  lane: Lane,
  rows: readonly LaneRow[],
  listed: Map<LaneRow, ListedMessage[]>,
  readPage: ReadPage,
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Map(rows.map((row) => [row.muid, row]));
  const times = rows.map(({ sentAtMs }) => sentAtMs);
  const window = windowAround(Math.min(...times), Math.max(...times));
  for (const conversationId of conversationIds(lane)) {
    const before = listed.size;
    for await (const page of readConversation(readPage, { conversationId, ...window }, signal)) {
      for (const message of page) {
        const row = wanted.get(keyOf(message) ?? '');
        if (row) listed.set(row, [...(listed.get(row) ?? []), message]);
      }
    }
    if (listed.size === before) continue;
    lane.conversationId ??= conversationId;
    return;
  }
}

function judge(row: LaneRow, listed: readonly ListedMessage[] | undefined): Found {
  const first = listed?.[0];
  if (!first) return { is: 'absent' };
  const fields = differingFields(sentMessage(row.muid, row.wire), first);
  if (fields.length > 0) return { is: 'different', listed: first, fields };
  return { is: 'there', listed: first, times: listed.length };
}

export interface ReaderOptions extends AskOptions {
  readonly list: (
    query: ListMessagesQuery,
    signal: AbortSignal,
  ) => Promise<ReadOutcome<MessagePage> & { readonly hints: RateHints }>;
}

/**
 * Reads one page. Repeats transient failures, and asks for half as many messages if the answer is too long; the `limit`
 * of the page is the number it was read with. @throws DestinationError if the page cannot be read.
 */
export type ReadPage = (query: ListMessagesQuery, signal: AbortSignal) => Promise<MessagePage>;

export function createReader({ list, ...options }: ReaderOptions): ReadPage {
  const ask = createAsk(options);
  /** Messages per page, by conversation, after a page of the requested size was too long. */
  const limits = new Map<string | undefined, number>();
  return async (query, signal) => {
    for (;;) {
      const { conversationId } = query;
      const asked = Number(query.limit ?? listLimitDefault);
      const limit = Math.min(asked, limits.get(conversationId) ?? asked);
      const outcome = await ask((abort) => list({ ...query, limit }, abort), signal);
      if (outcome.kind === 'answered')
        return { ...outcome.value, limit: Math.min(limit, outcome.value.limit ?? limit) };
      // A conversation without messages does not exist yet.
      if (outcome.why === 'not-found') return { messages: [] };
      if (outcome.why !== 'too-long' || limit === 1) throw readFailed(outcome);
      limits.set(conversationId, Math.floor(limit / 2));
    }
  };
}

/** The messages of a conversation, a page at a time, to its end. @throws DestinationError */
export async function* readConversation(
  readPage: ReadPage,
  walk: Walk,
  signal: AbortSignal,
): AsyncGenerator<readonly ListedMessage[]> {
  const list = async (query: ListMessagesQuery) => ({
    kind: 'answered' as const,
    value: await readPage(query, signal),
  });
  for await (const page of walkConversation(list, walk, signal)) {
    if (page.kind === 'failed') throw readFailed(page);
    yield page.value;
  }
}

const readFailed = (outcome: Extract<ReadOutcome<unknown>, { kind: 'failed' }>) =>
  new DestinationError(`Cannot read messages of the destination: ${outcome.code}: ${outcome.detail}`, {
    code: outcome.code,
    requestId: outcome.requestId,
    hint:
      outcome.hint ??
      (outcome.why === 'stop'
        ? 'Check the address and the API key, then run the same command again'
        : 'Run the same command again when the service answers'),
  });
