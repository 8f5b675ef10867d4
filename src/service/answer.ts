import { isObject } from '../lib/maps/objects.ts';

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

/** Matches a text that contains a number too long for a double. */
const longInteger = /:\s*-?\d{16}/;

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
    const value: unknown = longInteger.test(body) ? JSON.parse(body, keepLongIds) : JSON.parse(body);
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
