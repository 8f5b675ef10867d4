import { heldBackCode } from './transport.ts';
import { isObject } from '../lib/maps/objects.ts';

export type MessageAnswer =
  | { readonly result: 'imported'; readonly serverId?: string; readonly conversationId?: string }
  /** The muid is taken. Only a read-back shows whose content it has. */
  | { readonly result: 'already-exists'; readonly code: string; readonly detail: string }
  | { readonly result: 'refused'; readonly code: string; readonly detail: string };

/** Why a request changed nothing, according to the server that answered. */
export type NotAppliedWhy =
  /** No byte was sent: DNS, refused connection, TLS. */
  | 'unreachable'
  | 'rate-limited'
  /** 413: try fewer bytes. */
  | 'too-large'
  /** The request as a whole is not acceptable (400, 404, 422 with the service's error body): find the message that causes it. */
  | 'rejected'
  /** Nothing of this run can succeed: authentication, plan, quota, redirect, wrong address. */
  | 'stop';

export interface Failure {
  /** The service's code, the network's (`ECONNRESET`), or ours (`bad_answer`, `timeout`, `http_502`). */
  readonly code: string;
  /** For people; never holds the key. */
  readonly detail: string;
  /** Advice, if a setting or a command helps: mostly with `stop`. */
  readonly hint?: string;
  /** Every request meets the same answer until a person has acted: the key is refused, the plan does not allow it, the address is wrong. */
  readonly needsPerson?: true;
  readonly status?: number;
  readonly requestId?: string;
  /** How long the service asks us to wait, from the answer's arrival. */
  readonly retryAfterMs?: number;
}

/** A request that was to change something and has no success to show. */
export type NotDone<Why extends NotAppliedWhy = NotAppliedWhy> =
  | ({
      readonly kind: 'not-applied';
      readonly why: Why;
      /** Certain: nothing left Chatferry, or access was denied. A service that refuses a whole request may have stored some of it. */
      readonly isSure?: boolean;
      /** The service asks for a pause: what it may have stored is to be looked for, and the rest may be sent again after it. */
      readonly isPassing?: boolean;
    } & Failure)
  /** Something may have been stored. `byService`: the service itself answered with its error body. */
  | ({ readonly kind: 'unknown'; readonly byService: boolean } & Failure);

/** Whether we held the request back ourselves: it was too late for it to leave. That says nothing of the destination. */
export const isHeldBack = (outcome: AnyOutcome): outcome is NotDone<'unreachable'> =>
  outcome.kind === 'not-applied' && outcome.why === 'unreachable' && outcome.code === heldBackCode;

/** Outcome of an import request. `delivery/` decides everything that is done about it. */
export type ImportOutcome =
  | NotDone
  | {
      readonly kind: 'answered';
      /** By muid, for the muids that were sent. */
      readonly answers: ReadonlyMap<string, MessageAnswer>;
      /** Sent, and not mentioned in the answer: unknown, each of them. */
      readonly missing: readonly string[];
      readonly unexpectedKeyCount: number;
    };

/**
 * Outcome of a read. `not-found`: the service answered and does not know the id. `too-long`: the answer is longer than
 * the transport takes, and will be again; ask for less. A failed read proves nothing and may be repeated at will.
 */
export type ReadOutcome<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | ({ readonly kind: 'failed'; readonly why: 'retry' | 'rate-limited' | 'not-found' | 'too-long' | 'stop' } & Failure);

/** Outcome of a request that changes something, other than an import. A failed one proves nothing unless it is `not-applied`. */
export type ChangeOutcome = { readonly kind: 'applied' } | NotDone;

/**
 * What a request for one action came to: a reaction, a friend, a block, a deactivation. `existing`: it was so before, as the
 * service says. `failed`: it says no to this one, and would say so again.
 */
export type ActionOutcome =
  | { readonly kind: 'applied' }
  | ({ readonly kind: 'existing' | 'failed' } & Failure)
  | NotDone<Exclude<NotAppliedWhy, 'too-large' | 'rejected'>>;

/** Outcome of a request to activate or deactivate people: the uids that the answer names, in lower case. Those it does not know it leaves out. */
export type PeopleOutcome = { readonly kind: 'answered'; readonly uids: ReadonlySet<string> } | NotDone;

export type AnyOutcome = ImportOutcome | ReadOutcome<unknown> | ChangeOutcome | ActionOutcome | PeopleOutcome;

/** Rate headers of an answer, whichever way they are spelled. */
export interface RateHints {
  readonly limitPerMinute?: number;
  readonly remaining?: number;
  /** Time until the window starts again. */
  readonly resetInMs?: number;
}

/** A listed message: what is needed to compare it with what was sent. Fields that the service left out are empty. */
export interface ListedMessage {
  /** The service's id. Numeric in what is known of it, ascending in the order of arrival. */
  readonly id: string;
  /** Not every listing shows it. */
  readonly muid?: string;
  readonly conversationId: string;
  readonly sender: string;
  readonly receiver: string;
  /** `user` or `group`. */
  readonly receiverType: string;
  readonly category: string;
  readonly type: string;
  /** Unix seconds; 0 if the row has none. */
  readonly sentAt: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
}

export interface MessagePage {
  readonly messages: readonly ListedMessage[];
  /** Start of the next page, as named by the service. Absent at the end, and in services that do not name it. */
  readonly next?: { readonly affix?: string; readonly id?: string; readonly sentAt?: number };
  /** The page size that the service used, where it says so. */
  readonly limit?: number;
}

/** Nothing if the JSON is no page, or a row has no id. Checked by hand: verify reads every message of a migration. */
export function readMessagePage(json: unknown): MessagePage | undefined {
  if (!isObject(json) || !Array.isArray(json.data)) return undefined;
  const messages: ListedMessage[] = [];
  for (const row of json.data) {
    const message = readMessage(row);
    if (!message) return undefined;
    messages.push(message);
  }
  return { messages, ...readMeta(json.meta) };
}

function readMessage(row: unknown): ListedMessage | undefined {
  if (!isObject(row)) return undefined;
  const id = readId(row.id);
  if (id === undefined) return undefined;
  const { muid, data, tags } = row;
  return {
    id,
    ...(typeof muid === 'string' && { muid }),
    conversationId: text(row.conversationId),
    sender: text(row.sender),
    receiver: text(row.receiver),
    receiverType: text(row.receiverType),
    category: text(row.category),
    type: text(row.type),
    sentAt: readSeconds(row.sentAt) ?? 0,
    data: isObject(data) ? data : {},
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
  };
}

function readMeta(meta: unknown): Omit<MessagePage, 'messages'> {
  if (!isObject(meta)) return {};
  const limit = isObject(meta.current) ? meta.current.limit : undefined;
  const next = isObject(meta.next) ? readNext(meta.next) : undefined;
  return { ...(typeof limit === 'number' && { limit }), ...(next && { next }) };
}

function readNext(next: Readonly<Record<string, unknown>>): MessagePage['next'] {
  const id = readId(next.id);
  const sentAt = readSeconds(next.sentAt);
  return {
    ...(typeof next.affix === 'string' && { affix: next.affix }),
    ...(id !== undefined && { id }),
    ...(sentAt !== undefined && { sentAt }),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function readId(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readSeconds(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : undefined;
}

/** Matches a text that contains an id that is a number too long for a double. */
const longId = /"id"\s*:\s*-?\d{16}/;

/**
 * Levels of objects and lists in an answer. JSON has no bound, but code that compares or prints a value goes down as
 * deep as it is, and the stack ends at some thousands. Data of an app has ten.
 */
const depthMax = 500;

/**
 * The JSON of an answer; nothing if it is not JSON, or nested beyond all reason. An `id` that came as a number keeps all its digits, as a string:
 * a rounded one would name another message.
 */
export function parseAnswer(body: string): unknown {
  try {
    const value: unknown = longId.test(body) ? JSON.parse(body, keepLongIds) : JSON.parse(body);
    const isDeep = isNested(value) && isDeeperThan(value, depthMax);
    return isDeep ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const inner of value) if (isNested(inner) && isDeeperThan(inner, levels - 1)) return true;
    return false;
  }
  // Without a list of its values: that takes twice as long as all the rest.
  for (const key in value) {
    const inner: unknown = value[key as keyof typeof value];
    if (isNested(inner) && isDeeperThan(inner, levels - 1)) return true;
  }
  return false;
}

function keepLongIds(key: string, value: unknown, ...[context]: [{ readonly source?: string }?]): unknown {
  if (key !== 'id' || typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^\d+$/.test(source) ? source : value;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
