/**
 * A payload as it goes to a destination where messages have muids of a later generation: our key in its metadata, and
 * the messages that it answers, quotes, belongs to or follows, by the muids that they have there.
 *
 * @param payload JSON that the mapper made; parsing it and writing it again changes nothing else.
 * @param currentMuid By which muid the destination knows a message of the plan.
 */
export function renewedPayload(payload: string, currentMuid: (muid: string) => string): string {
  const item = JSON.parse(payload) as { data?: { metadata?: { chatferry?: Record<string, unknown> } } };
  const ours = item.data?.metadata?.chatferry;
  if (!ours) return payload;
  for (const name of ['key', 'thread', 'quote', 'head', 'follows'] as const) {
    const muid = ours[name];
    if (typeof muid === 'string') ours[name] = currentMuid(muid);
  }
  return JSON.stringify(item);
}
