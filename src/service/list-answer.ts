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
