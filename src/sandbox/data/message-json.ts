export interface MessageRow {
  readonly id: number;
  /** Absent if the sender of the message chose none. */
  readonly muid: string | null;
  readonly conversationId: string;
  readonly sender: string;
  readonly receiver: string;
  readonly receiverType: 'user' | 'group';
  readonly category: string;
  readonly type: string;
  /** JSON of an object. */
  readonly data: string;
  /** JSON of an array. */
  readonly tags: string | null;
  readonly sentAt: number;
  readonly deliveredAt: number | null;
  readonly readAt: number | null;
  /** For a reply in a thread: id of the message that it replies to. */
  readonly parent: number | null;
  /** JSON of the entities of an action or a call, which has others than sender and receiver. */
  readonly entities: string | null;
  readonly deletedAt: number | null;
}

/** Data that an answer shows around a message, as JSON. */
export interface MessageContext {
  /** The user. */
  readonly sender: string;
  /** The user or group. */
  readonly receiver: string;
  /** Further members of `data`, by name. */
  readonly additions?: Readonly<Record<string, string>>;
}

/**
 * A message in the service's shape. Put together from JSON that is already there, because every message passes here when it
 * is imported and each time it is listed: twice as fast as making objects of it.
 */
export function messageJson(row: MessageRow, { sender, receiver, additions }: MessageContext): string {
  // Ids are `[a-z0-9_-]` and need no escaping.
  const receiverEntity = `${receiver.slice(0, -1)},"conversationId":"${row.conversationId}"}`;
  const entities =
    row.entities ??
    `{"sender":{"entity":${sender},"entityType":"user"},` +
      `"receiver":{"entity":${row.receiverType === 'user' ? receiverEntity : receiver},"entityType":"${row.receiverType}"}}`;
  const data = withMember(additions ? withMembers(row.data, additions) : row.data, 'entities', entities);
  return (
    `{"id":"${row.id}",${row.muid === null ? '' : `"muid":${JSON.stringify(row.muid)},`}` +
    `"conversationId":"${row.conversationId}",${row.parent === null ? '' : `"parentId":"${row.parent}",`}` +
    `"sender":"${row.sender}","receiverType":"${row.receiverType}","receiver":"${row.receiver}",` +
    `"category":"${row.category}","type":${JSON.stringify(row.type)},"data":${data},"sentAt":${row.sentAt},` +
    `${timeField('deliveredAt', row.deliveredAt)}${timeField('readAt', row.readAt)}` +
    `${timeField('deletedAt', row.deletedAt)}${row.tags === null ? '' : `"tags":${row.tags},`}` +
    `"updatedAt":${row.deletedAt ?? row.sentAt}}`
  );
}

const timeField = (name: string, seconds: number | null): string => (seconds === null ? '' : `"${name}":${seconds},`);

/** @param object, json JSON; the object has no such member yet. */
const withMember = (object: string, name: string, json: string): string =>
  `${object === '{}' ? '{' : `${object.slice(0, -1)},`}"${name}":${json}}`;

/** Adds members to an object. The sender of the message may have used the same names: the service's own win. */
function withMembers(object: string, additions: Readonly<Record<string, string>>): string {
  const names = Object.keys(additions);
  const isTaken = names.some((name) => object.includes(`"${name}":`));
  const bare = isTaken ? JSON.stringify(withoutMembers(JSON.parse(object), names)) : object;
  return names.reduce((json, name) => withMember(json, name, additions[name]!), bare);
}

export function withoutMembers(object: object, names: readonly string[]): object {
  if (!names.some((name) => Object.hasOwn(object, name))) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
