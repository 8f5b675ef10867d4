/** How a text names a user: `<@uid:ann>` (mentions page of the public service, 2026-11). */
const mention = /<@uid:([A-Za-z0-9_-]{1,100})>/g;

export const hasMention = (text: string): boolean => text.search(mention) >= 0;

/** The uids that a text mentions, in lower case, each once, in order. */
export function mentionedUids(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(mention), ([, uid = '']) => uid.toLowerCase()))];
}
