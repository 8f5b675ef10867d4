import { DestinationError } from '../lib/errors.ts';
import type { ListedMessage, MessagePage, RateHints, ReadOutcome } from '../service/outcome.ts';
import type { ListMessagesQuery, DeliveryClient } from '../service/delivery-client.ts';
import { listLimitDefault } from '../service/profiles.ts';
import { type Lane, type LaneRow, noteDelivered } from './lanes.ts';
import { type AskOptions, createAsk } from './pace.ts';
import { differingFields, keyOf, sentMessage, differentContent } from './compare.ts';
import type { ActionRow } from '../store/actions.ts';
import type { DeliveryChange, Journal } from '../store/batches.ts';

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

export const readFailed = (outcome: Extract<ReadOutcome<unknown>, { kind: 'failed' }>) =>
  new DestinationError(`Cannot read messages of the destination: ${outcome.code}: ${outcome.detail}`, {
    code: outcome.code,
    requestId: outcome.requestId,
    needsPerson: outcome.needsPerson,
    hint:
      outcome.hint ??
      (outcome.why === 'stop'
        ? 'Check the address and the API key, then run the same command again'
        : 'Run the same command again when the service answers'),
  });

/** Reads one page. A caller that wants retries passes a function that already makes them. */
export type ListPage = (query: ListMessagesQuery, signal: AbortSignal) => Promise<ReadOutcome<MessagePage>>;

export interface Walk {
  /** Absent: everything that the key may see. */
  readonly conversationId?: string;
  /** Begins after the message with this id. */
  readonly fromId?: string;
  /** Ids of the page before `fromId`, where there was one: their rows are dropped. */
  readonly seen?: readonly string[];
  /** Unix seconds. The service ignores `toTimestamp` without `fromTimestamp`. */
  readonly fromTimestamp?: number;
  readonly toTimestamp?: number;
  /** Messages per page, 1 to 1,000; 1,000 by default. */
  readonly limit?: number;
}

/**
 * Reads a conversation, or all of them, to the end, a page at a time, in the service's order. A failed page is yielded
 * and ends the walk.
 *
 * No documentation says how a listing ends or whether a page repeats the row of its cursor, so both are handled. Rows
 * of the page before are dropped by id. The walk ends at an empty page, at one that brings nothing new, or at a short
 * one after which the service names no next page. A full page of rows that were already read is not an end but a cursor
 * that does not advance: code `cursor_stuck`, because the rows after it cannot be reached.
 *
 * A time that the service names with its cursor is sent back to it, as part of a position in the order of times. It is
 * left out once rows have shown that the order is that of ids: there it could only filter, and hide messages that came
 * late and are old.
 */
export async function* walkConversation(
  list: ListPage,
  { conversationId, fromId, seen: seenBefore = [], fromTimestamp, toTimestamp, limit = 1000 }: Walk,
  signal: AbortSignal,
): AsyncGenerator<ReadOutcome<readonly ListedMessage[]>> {
  const filter: ListMessagesQuery = {
    ...(conversationId !== undefined && { conversationId }),
    affix: 'append',
    limit,
    ...(fromTimestamp !== undefined && { fromTimestamp }),
    ...(toTimestamp !== undefined && { toTimestamp }),
  };
  let cursor: Pick<ListMessagesQuery, 'id' | 'sentAt'> = fromId === undefined ? {} : { id: fromId };
  let isByIds = false;
  let seen = new Set(fromId === undefined ? seenBefore : [fromId, ...seenBefore]);
  while (true) {
    const outcome = await list({ ...filter, ...cursor }, signal);
    if (outcome.kind === 'failed') return yield outcome;
    const page = outcome.value;
    const fresh = page.messages.filter(({ id }) => !seen.has(id));
    if (fresh.length > 0) yield { kind: 'answered', value: fresh };
    if (isLast(page, fresh.length, limit)) return;
    if (fresh.length === 0) return yield stuck(conversationId, cursor.id);
    seen = new Set(page.messages.map(({ id }) => id));
    isByIds ||= runAgainstTime(page.messages);
    cursor = cursorAfter(page, isByIds);
  }
}

function isLast({ messages, next, limit: usedLimit }: MessagePage, freshCount: number, limit: number): boolean {
  if (messages.length === 0) return true;
  const isShort = messages.length < Math.min(usedLimit ?? limit, limit);
  return isShort && (freshCount === 0 || next === undefined);
}

/** Returns the cursor that the service named, else the last row. A `sentAt` is included only if the service asked for it: it may filter. */
function cursorAfter({ messages, next }: MessagePage, isByIds: boolean): Pick<ListMessagesQuery, 'id' | 'sentAt'> {
  const id = next?.id ?? messages.at(-1)?.id;
  const sentAt = isByIds ? undefined : next?.sentAt;
  return { ...(id !== undefined && { id }), ...(sentAt !== undefined && { sentAt }) };
}

const runAgainstTime = (messages: readonly ListedMessage[]): boolean =>
  messages.some(({ sentAt }, index) => index > 0 && sentAt < messages[index - 1]!.sentAt);

function stuck(conversationId: string | undefined, id: string | undefined): ReadOutcome<never> {
  return {
    kind: 'failed',
    why: 'stop',
    code: 'cursor_stuck',
    detail: `The listing${conversationId === undefined ? '' : ` of "${conversationId}"`} repeats a full page after message ${id ?? 'none'}`,
  };
}

export interface RecoverOptions extends Pick<AskOptions, 'clock' | 'pausing'> {
  readonly readPage: ReadPage;
  readonly onWait: (ms: number, why: string) => void;
  readonly journal: Journal;
  /** Until then (monotonic ms) a message that is absent may still arrive. */
  readonly graceEndsAt: number;
  /** Shows whether reading back gives any information there. Default: it does. */
  readonly proof?: { readonly reads: boolean; readonly allowsAgain: boolean; note(shownBy: 'key'): void };
  readonly signal: AbortSignal;
}

/**
 * Resolves messages of one lane that a killed run left unconfirmed. Reads back at once, and again after the grace for
 * those that are absent. If nothing can be read back, the messages are sent again if duplicates are refused, and
 * otherwise stay unconfirmed.
 *
 * @returns How many messages are absent, and pending again.
 */
export async function recoverLane(lane: Lane, rows: readonly LaneRow[], options: RecoverOptions): Promise<number> {
  const { proof, journal } = options;
  const absent = !proof || proof.reads ? await absentAfterGrace(lane, rows, options) : rows;
  if (proof && !proof.allowsAgain) return 0;
  const changes = absent.map(({ seq }) => ({ seq, state: 'pending' as const }));
  await journal.record(undefined, changes, { closes: false });
  return absent.length;
}

async function absentAfterGrace(lane: Lane, rows: readonly LaneRow[], options: RecoverOptions) {
  const { clock, graceEndsAt, onWait, signal, pausing = signal } = options;
  const isOver = clock.monotonic() >= graceEndsAt;
  const absent = await writeDownFound(lane, rows, options);
  if (absent.length === 0 || isOver) return absent;
  const waitMs = graceEndsAt - clock.monotonic();
  if (waitMs > 0) {
    onWait(waitMs, 'messages that an earlier run sent may still arrive');
    await clock.sleep(waitMs, pausing);
  }
  return await writeDownFound(lane, absent, options);
}

/** @returns Rows that were not found. */
async function writeDownFound(
  lane: Lane,
  rows: readonly LaneRow[],
  { readPage, journal, proof, signal }: RecoverOptions,
): Promise<readonly LaneRow[]> {
  const changes: DeliveryChange[] = [];
  const absent: LaneRow[] = [];
  for (const [row, found] of await readBack(lane, rows, readPage, signal)) {
    if (found.is === 'absent') {
      absent.push(row);
      continue;
    }
    noteDelivered(lane, row);
    proof?.note('key');
    if (found.is === 'there') changes.push({ seq: row.seq, state: 'imported', serverId: found.listed.id });
    else changes.push(differentContent(row.seq, found.listed.id, found.fields));
  }
  const { conversation, receiverType, conversationId } = lane;
  const conversations = [{ conversation, receiverType, conversationId }];
  await journal.record(undefined, changes, { conversations, closes: false });
  return absent;
}

/** The id that the service gave a message, its conversation there, and when it was sent, in epoch ms. */
export type Whereabouts = Pick<ActionRow, 'serverId' | 'conversationId' | 'sentAtMs'>;

/**
 * Looks a message up in the listing of the second in which it was sent: no operation reads a single one.
 *
 * @param uid Whose view it is; absent: that of the app.
 * @throws DestinationError if the listing cannot be read.
 */
export async function findListed(
  { serverId, conversationId, sentAtMs }: Whereabouts,
  session: AskOptions & { readonly target: { readonly client: DeliveryClient } },
  signal: AbortSignal,
  uid?: string,
): Promise<ListedMessage | undefined> {
  const window = windowAround(Math.max(sentAtMs ?? 0, 1000));
  const { client } = session.target;
  const readPage = createReader({ ...session, list: (query, abort) => client.listMessages(query, abort, uid) });
  const walk = { ...(conversationId !== null && { conversationId }), ...window };
  for await (const page of readConversation(readPage, walk, signal)) {
    const found = page.find(({ id }) => id === serverId);
    if (found) return found;
  }
  return undefined;
}
