/** A stored message, as the columns have it. */
export interface MessageRow {
  readonly id: number;
  readonly muid: string;
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
}

/**
 * A message in the service's shape. Put together from JSON that is already there, because every message passes here when it
 * is imported and each time it is listed: twice as fast as making objects of it.
 *
 * @param sender, receiver JSON of the user, and of the user or group.
 */
export function messageJson(row: MessageRow, sender: string, receiver: string): string {
  // Ids are `[a-z0-9_-]` and need no escaping.
  const receiverEntity = `${receiver.slice(0, -1)},"conversationId":"${row.conversationId}"}`;
  const entities =
    `"entities":{"sender":{"entity":${sender},"entityType":"user"},` +
    `"receiver":{"entity":${row.receiverType === 'user' ? receiverEntity : receiver},"entityType":"${row.receiverType}"}}`;
  const data = row.data === '{}' ? `{${entities}}` : `${row.data.slice(0, -1)},${entities}}`;
  return (
    `{"id":"${row.id}","muid":${JSON.stringify(row.muid)},"conversationId":"${row.conversationId}",` +
    `"sender":"${row.sender}","receiverType":"${row.receiverType}","receiver":"${row.receiver}",` +
    `"category":"${row.category}","type":${JSON.stringify(row.type)},"data":${data},"sentAt":${row.sentAt},` +
    `${timeField('deliveredAt', row.deliveredAt)}${timeField('readAt', row.readAt)}` +
    `${row.tags === null ? '' : `"tags":${row.tags},`}"updatedAt":${row.sentAt}}`
  );
}

const timeField = (name: string, seconds: number | null): string => (seconds === null ? '' : `"${name}":${seconds},`);
